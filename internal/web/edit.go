package web

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"muster/internal/desk"
	"muster/internal/kind"
)

// askNew shows the form of a new record. The address may say values to begin
// with.
func (s *section) askNew(c *call) (*answer, error) {
	return s.newForm(c, http.StatusOK, c.URL.Query(), nil)
}

func (s *section) newForm(c *call, status int, values url.Values, faults []string) (*answer, error) {
	rec := s.kind.New()
	p := formPage{
		Title: c.t(s.add), Action: "/" + s.path + "/new", Back: "/" + s.path, Save: c.t(s.add), Inputs: s.inputs(c, rec, values),
	}
	p.place(s.kind, faults)
	return &answer{status: status, template: "form", page: page{Title: p.Title, Here: "/" + s.path, Data: p}}, nil
}

// create makes a record from the form.
func (s *section) create(c *call) (*answer, error) {
	rec, _, err := c.web.Desk.Create(c.Context(), c.who(), desk.New{Kind: s.kind, Document: c.document(s.kind)})
	if e, ok := errors.AsType[*kind.Invalid](err); ok {
		return s.newForm(c, http.StatusUnprocessableEntity, c.form, e.Faults)
	}
	if err != nil {
		return nil, err
	}
	c.say(c.t("%s was added", s.name(rec)))
	return c.goTo(s.recordPath(s.kind.Meta(rec).ID))
}

// askChange shows the form of a record.
func (s *section) askChange(c *call) (*answer, error) {
	rec, err := s.get(c)
	if err != nil {
		return nil, err
	}
	return s.changeForm(c, http.StatusOK, rec, nil, nil, "")
}

// get returns the record of the path.
func (s *section) get(c *call) (any, error) {
	id, err := c.id(s.kind)
	if err != nil {
		return nil, err
	}
	return c.web.Desk.Get(c.Context(), c.who(), s.kind, id)
}

func (s *section) changeForm(c *call, status int, rec any, sent url.Values, faults []string, notice string) (*answer, error) {
	meta := s.kind.Meta(rec)
	path := s.recordPath(meta.ID)
	p := formPage{
		Title: c.t("Edit %s", s.name(rec)), Action: path + "/edit", Back: path, Save: c.t("Save"), Version: meta.Version,
		Notice: notice, Inputs: s.inputs(c, rec, sent),
	}
	p.place(s.kind, faults)
	return &answer{status: status, template: "form", page: page{Title: p.Title, Here: "/" + s.path, Data: p}}, nil
}

// change changes a record as the form says, unless it was changed since the form
// was shown.
func (s *section) change(c *call) (*answer, error) {
	id, err := c.id(s.kind)
	if err != nil {
		return nil, err
	}
	rec, err := c.web.Desk.Update(c.Context(), c.who(), s.target(c, id), c.document(s.kind))
	invalid, _ := errors.AsType[*kind.Invalid](err)
	refused, _ := errors.AsType[*desk.Error](err)
	switch {
	case invalid != nil:
		return s.changeAgain(c, http.StatusUnprocessableEntity, invalid.Faults, "")
	case refused != nil && refused.Code == desk.Changed:
		return s.changeAgain(c, http.StatusConflict, nil,
			c.t("Somebody changed this record meanwhile, so nothing was saved. Below is what you have written; saving now replaces what they have."))
	case err != nil:
		return nil, err
	}
	if err := c.sayUndo(c.t("%s was saved", s.name(rec)), s.kind, id); err != nil {
		return nil, err
	}
	return c.goTo(s.recordPath(id))
}

// changeAgain shows the form once more with what was sent.
func (s *section) changeAgain(c *call, status int, faults []string, notice string) (*answer, error) {
	rec, err := s.get(c)
	if err != nil {
		return nil, err
	}
	return s.changeForm(c, status, rec, c.form, faults, notice)
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

// A deletePage is what the page shows on which a record is deleted.
type deletePage struct {
	Title   string
	Path    string
	Name    string
	Noun    string
	Version int64
	Lists   []relatedList // that refer to it
	Fault   string
}

// askDelete shows what becomes of a record.
func (s *section) askDelete(c *call) (*answer, error) { return s.deleteForm(c, http.StatusOK, "") }

func (s *section) deleteForm(c *call, status int, fault string) (*answer, error) {
	rec, err := s.get(c)
	if err != nil {
		return nil, err
	}
	meta := s.kind.Meta(rec)
	p := deletePage{
		Title: c.t("Delete %s?", s.name(rec)), Path: s.recordPath(meta.ID), Name: s.name(rec), Noun: c.t(s.kind.Noun), Version: meta.Version, Fault: fault,
	}
	if p.Lists, err = s.related(c, meta.ID); err != nil {
		return nil, err
	}
	return &answer{status: status, template: "delete", page: page{Title: p.Title, Here: "/" + s.path, Data: p}}, nil
}

// delete deletes a record, unless something refers to it that keeps it.
func (s *section) delete(c *call) (*answer, error) {
	id, err := c.id(s.kind)
	if err != nil {
		return nil, err
	}
	rec, err := c.web.Desk.Delete(c.Context(), c.who(), s.target(c, id))
	if refused, ok := errors.AsType[*desk.Error](err); ok && (refused.Code == desk.Conflict || refused.Code == desk.Changed) {
		return s.deleteForm(c, http.StatusConflict, refused.Text)
	}
	if err != nil {
		return nil, err
	}
	c.say(c.t("%s was deleted", s.name(rec)))
	return c.goTo("/" + s.path)
}
