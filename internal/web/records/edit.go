package records

import (
	"crypto/rand"
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"muster/internal/desk"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/web/page"
)

// FaultsOf returns what is wrong with a form, nil when an error is about
// something else: what is wrong in itself, or that another record has a value.
func FaultsOf(err error) []message.Text {
	if e, ok := errors.AsType[*kind.Invalid](err); ok {
		return e.Faults
	}
	if page.IsRefusal(err, desk.Conflict) {
		return []message.Text{message.Of(err)}
	}
	return nil
}

// A formState is a form that is to be shown.
type formState struct {
	status int
	rec    any // as it is, or a new one
	isNew  bool
	sent   url.Values // by a person, nil for nothing yet
	faults []message.Text
	focus  string // the input to go on with, "" for the usual
	notice string
	key    string // of before, "" for a new one
}

// AskNew shows the form of a new record. The address may say values to begin
// with.
func (s *Section) AskNew(c *page.Call) (*page.Answer, error) { return s.AskNewWith(c, c.URL.Query()) }

// AskNewWith shows the form of a new record that begins with some values.
func (s *Section) AskNewWith(c *page.Call, values url.Values) (*page.Answer, error) {
	return showForm(s, c, formState{status: http.StatusOK, rec: s.Kind.New(), isNew: true, sent: values})
}

// AskChange shows the form of a record.
func (s *Section) AskChange(c *page.Call) (*page.Answer, error) {
	rec, err := s.Get(c)
	if err != nil {
		return nil, err
	}
	return showForm(s, c, formState{status: http.StatusOK, rec: rec})
}

// showForm shows a form.
func showForm(s *Section, c *page.Call, f formState) (*page.Answer, error) {
	was, names := s.FormValues(c, f.rec)
	values := overlay(s.Kind, was, f.sent)
	if err := nameLinks(s, c, values, names); err != nil {
		return nil, err
	}
	p := formHead(s, c, f)
	if !f.isNew {
		p.Was = formFingerprint(s, was)
	}
	p.Groups = inputGroups(s, c, values, names)
	var err error
	p.Each(func(in *Input) bool {
		if in.Markdown && c.Form.Get(DoName) == "preview" {
			in.Preview = c.Markdown(in.Value)
		}
		if in.field.Targets != nil {
			err = findLinks(c, in)
		}
		return err == nil
	})
	if err != nil {
		return nil, err
	}
	if f.focus != "" {
		p.focus(f.focus)
	} else {
		p.Place(c.Locale, f.faults)
	}
	if f.isNew && s.NewForm != nil {
		return s.NewForm(c, f.status, p)
	}
	return formAnswer(s, f.status, p)
}

// formHead returns what a form's page shows besides its inputs.
func formHead(s *Section, c *page.Call, f formState) *FormPage {
	p := &FormPage{List: "/" + s.Path, Section: c.T(s.Title), Notice: f.notice}
	if f.isNew {
		p.Title, p.Action, p.Back, p.Save, p.Key = c.T(s.Add), "/"+s.Path+"/new", "/"+s.Path, c.T(s.Add), f.key
		if p.Key == "" {
			p.Key = rand.Text()
		}
		return p
	}
	meta := s.Kind.Meta(f.rec)
	p.Title, p.Back, p.Save, p.Version = c.T("Edit %s", s.Name(f.rec)), s.RecordPath(meta.ID),
		c.T("Save %s", c.T(s.Kind.Noun)), meta.Version
	p.Action = p.Back + "/edit"
	return p
}

func formAnswer(s *Section, status int, p *FormPage) (*page.Answer, error) {
	return &page.Answer{Status: status, Template: "form", Page: page.Page{
		Title: p.Title, Here: "/" + s.Path, Scripts: []string{"form.js"}, Data: p,
	}}, nil
}

// Create makes a record from the form. One that is sent twice makes one.
func (s *Section) Create(c *page.Call) (*page.Answer, error) {
	f := formState{status: http.StatusOK, rec: s.Kind.New(), isNew: true, sent: c.Form, key: c.Form.Get("key")}
	focus, again, err := formAgain(s, c)
	if err != nil {
		return nil, err
	}
	if f.focus = focus; again {
		return showForm(s, c, f)
	}
	rec, err := createOnce(s, c)
	if f.faults = FaultsOf(err); f.faults != nil {
		f.status = http.StatusUnprocessableEntity
		return showForm(s, c, f)
	}
	if err != nil {
		return nil, err
	}
	c.Notify(c.T("%s was added", s.Name(rec)))
	return c.GoTo(s.RecordPath(s.Kind.Meta(rec).ID))
}

// createOnce makes a record, or returns the one that the same form has made.
func createOnce(s *Section, c *page.Call) (rec any, err error) {
	n := desk.New{Kind: s.Kind, Document: document(c, s.Kind), Once: c.OnceOf("/"+s.Path, c.Form)}
	err = c.AfterFirst(func() error {
		rec, _, err = c.App.Desk.Create(c.Context(), c.Who(), n)
		return err
	})
	return rec, err
}

// Get returns the record of the path.
func (s *Section) Get(c *page.Call) (any, error) {
	id, err := c.ID(s.Kind)
	if err != nil {
		return nil, err
	}
	return c.App.Desk.Get(c.Context(), c.Who(), s.Kind, id)
}

// Change changes what a person has changed in the form, unless somebody else has
// changed the record since it was shown.
func (s *Section) Change(c *page.Call) (*page.Answer, error) {
	id, err := c.ID(s.Kind)
	if err != nil {
		return nil, err
	}
	if focus, again, err := formAgain(s, c); err != nil || again {
		return changeAgain(s, c, formState{status: http.StatusOK, focus: focus}, err)
	}
	rec, err := c.App.Desk.Update(c.Context(), c.Who(), s.Target(c, id),
		DocumentOf(c, s.Kind, changedValues(s, c.Form)))
	switch faults := FaultsOf(err); {
	case faults != nil:
		return changeAgain(s, c, formState{status: http.StatusUnprocessableEntity, faults: faults}, nil)
	case page.IsRefusal(err, desk.Changed):
		return s.conflict(c)
	case err != nil:
		return nil, err
	}
	if err := c.NotifyUndo(c.T("%s was saved", s.Name(rec)), s.Kind, id); err != nil {
		return nil, err
	}
	return c.GoTo(s.RecordPath(id))
}

// changedValues returns what a person has changed in a form, and not what they have
// left to others.
func changedValues(s *Section, form url.Values) url.Values {
	out, shown := page.Without(form), remember(form.Get("was"))
	for _, f := range s.Kind.Fields {
		if Editable(f) && (!shown.changed(f, form) || form.Get(takePrefix+f.Name) == "theirs") {
			drop(f, out)
		}
	}
	return out
}

// changeAgain shows the form once more with what was sent. It stays a form of the
// version that it was shown in.
func changeAgain(s *Section, c *page.Call, f formState, err error) (*page.Answer, error) {
	if err == nil {
		f.rec, err = s.Get(c)
	}
	if err != nil {
		return nil, err
	}
	f.sent = c.Form
	a, err := showForm(s, c, f)
	if err != nil {
		return nil, err
	}
	p := a.Page.Data.(*FormPage)
	if version, err := strconv.ParseInt(c.Form.Get("version"), 10, 64); err == nil {
		p.Version, p.Was = version, c.Form.Get("was")
	}
	return a, nil
}

// Target returns the record that a form is about, in the version that it was
// shown in.
func (s *Section) Target(c *page.Call, id int64) desk.Target {
	t := desk.Target{Kind: s.Kind, ID: id}
	if version, err := strconv.ParseInt(c.Form.Get("version"), 10, 64); err == nil {
		t.If = func(now int64) bool { return now == version }
	}
	return t
}
