package web

import (
	"crypto/rand"
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"muster/internal/desk"
	"muster/internal/kind"
	"muster/internal/message"
)

// isRefusal reports whether an error is one of the desk's refusals.
func isRefusal(err error, codes ...desk.Code) bool {
	refused, ok := errors.AsType[*desk.Error](err)
	for _, code := range codes {
		if ok && refused.Code == code {
			return true
		}
	}
	return false
}

// faultsOf returns what is wrong with a form, nil when an error is about
// something else: what is wrong in itself, or that another record has a value.
func faultsOf(err error) []message.Text {
	if e, ok := errors.AsType[*kind.Invalid](err); ok {
		return e.Faults
	}
	if isRefusal(err, desk.Conflict) {
		return []message.Text{message.Of(err)}
	}
	return nil
}

// A blank is a form that is to be shown.
type blank struct {
	status int
	rec    any // as it is, or a new one
	isNew  bool
	sent   url.Values // by a person, nil for nothing yet
	faults []message.Text
	focus  string // the input to go on with, "" for the usual
	notice string
	key    string // of before, "" for a new one
}

// askNew shows the form of a new record. The address may say values to begin
// with.
func (s *section) askNew(c *call) (*answer, error) { return s.askNewWith(c, c.URL.Query()) }

// askNewWith shows the form of a new record that begins with some values.
func (s *section) askNewWith(c *call, values url.Values) (*answer, error) {
	return s.form(c, blank{status: http.StatusOK, rec: s.kind.New(), isNew: true, sent: values})
}

// askChange shows the form of a record.
func (s *section) askChange(c *call) (*answer, error) {
	rec, err := s.get(c)
	if err != nil {
		return nil, err
	}
	return s.form(c, blank{status: http.StatusOK, rec: rec})
}

// form shows a form.
func (s *section) form(c *call, f blank) (*answer, error) {
	was, names := s.formValues(c, f.rec)
	values := overlay(s.kind, was, f.sent)
	if err := s.nameLinks(c, values, names); err != nil {
		return nil, err
	}
	p := s.formHead(c, f)
	if !f.isNew {
		p.Was = s.was(was)
	}
	p.Groups = s.inputGroups(c, values, names)
	var err error
	p.each(func(in *input) bool {
		if in.Markdown && c.form.Get(doName) == "preview" {
			in.Preview = c.markdown(in.Value)
		}
		if in.field.Targets != nil {
			err = c.findLinks(in)
		}
		return err == nil
	})
	if err != nil {
		return nil, err
	}
	if f.focus != "" {
		p.focus(f.focus)
	} else {
		p.place(c.tongue, f.faults)
	}
	if f.isNew && s.newForm != nil {
		return s.newForm(c, f.status, p)
	}
	return s.formAnswer(f.status, p)
}

// formHead returns what a form's page shows besides its inputs.
func (s *section) formHead(c *call, f blank) *formPage {
	p := &formPage{List: "/" + s.path, Section: c.t(s.title), Notice: f.notice}
	if f.isNew {
		p.Title, p.Action, p.Back, p.Save, p.Key = c.t(s.add), "/"+s.path+"/new", "/"+s.path, c.t(s.add), f.key
		if p.Key == "" {
			p.Key = rand.Text()
		}
		return p
	}
	meta := s.kind.Meta(f.rec)
	p.Title, p.Back, p.Save, p.Version = c.t("Edit %s", s.name(f.rec)), s.recordPath(meta.ID), c.t("Save %s", c.t(s.kind.Noun)), meta.Version
	p.Action = p.Back + "/edit"
	return p
}

func (s *section) formAnswer(status int, p *formPage) (*answer, error) {
	return &answer{status: status, template: "form", page: page{Title: p.Title, Here: "/" + s.path, Scripts: []string{"form.js"}, Data: p}}, nil
}

// create makes a record from the form. One that is sent twice makes one.
func (s *section) create(c *call) (*answer, error) {
	f := blank{status: http.StatusOK, rec: s.kind.New(), isNew: true, sent: c.form, key: c.form.Get("key")}
	focus, again, err := s.again(c)
	if err != nil {
		return nil, err
	}
	if f.focus = focus; again {
		return s.form(c, f)
	}
	rec, err := s.createOnce(c)
	if f.faults = faultsOf(err); f.faults != nil {
		f.status = http.StatusUnprocessableEntity
		return s.form(c, f)
	}
	if err != nil {
		return nil, err
	}
	c.say(c.t("%s was added", s.name(rec)))
	return c.goTo(s.recordPath(s.kind.Meta(rec).ID))
}

// createOnce makes a record, or returns the one that the same form has made.
func (s *section) createOnce(c *call) (rec any, err error) {
	n := desk.New{Kind: s.kind, Document: c.document(s.kind), Once: c.onceOf("/"+s.path, c.form)}
	err = c.afterFirst(func() error {
		rec, _, err = c.web.Desk.Create(c.Context(), c.who(), n)
		return err
	})
	return rec, err
}

// get returns the record of the path.
func (s *section) get(c *call) (any, error) {
	id, err := c.id(s.kind)
	if err != nil {
		return nil, err
	}
	return c.web.Desk.Get(c.Context(), c.who(), s.kind, id)
}

// change changes what a person has changed in the form, unless somebody else has
// changed the record since it was shown.
func (s *section) change(c *call) (*answer, error) {
	id, err := c.id(s.kind)
	if err != nil {
		return nil, err
	}
	if focus, again, err := s.again(c); err != nil || again {
		return s.changeAgain(c, blank{status: http.StatusOK, focus: focus}, err)
	}
	rec, err := c.web.Desk.Update(c.Context(), c.who(), s.target(c, id), c.documentOf(s.kind, s.changes(c.form)))
	switch faults := faultsOf(err); {
	case faults != nil:
		return s.changeAgain(c, blank{status: http.StatusUnprocessableEntity, faults: faults}, nil)
	case isRefusal(err, desk.Changed):
		return s.conflict(c)
	case err != nil:
		return nil, err
	}
	if err := c.sayUndo(c.t("%s was saved", s.name(rec)), s.kind, id); err != nil {
		return nil, err
	}
	return c.goTo(s.recordPath(id))
}

// changes returns what a person has changed in a form, and not what they have
// left to others.
func (s *section) changes(form url.Values) url.Values {
	out, shown := without(form), remember(form.Get("was"))
	for _, f := range s.kind.Fields {
		if editable(f) && (!shown.changed(f, form) || form.Get(takePrefix+f.Name) == "theirs") {
			drop(f, out)
		}
	}
	return out
}

// changeAgain shows the form once more with what was sent. It stays a form of the
// version that it was shown in.
func (s *section) changeAgain(c *call, f blank, err error) (*answer, error) {
	if err == nil {
		f.rec, err = s.get(c)
	}
	if err != nil {
		return nil, err
	}
	f.sent = c.form
	a, err := s.form(c, f)
	if err != nil {
		return nil, err
	}
	p := a.page.Data.(*formPage)
	if version, err := strconv.ParseInt(c.form.Get("version"), 10, 64); err == nil {
		p.Version, p.Was = version, c.form.Get("was")
	}
	return a, nil
}

// target returns the record that a form is about, in the version that it was
// shown in.
func (s *section) target(c *call, id int64) desk.Target {
	t := desk.Target{Kind: s.kind, ID: id}
	if version, err := strconv.ParseInt(c.form.Get("version"), 10, 64); err == nil {
		t.If = func(now int64) bool { return now == version }
	}
	return t
}
