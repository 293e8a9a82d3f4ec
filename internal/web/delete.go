package web

import (
	"errors"
	"net/http"

	"muster/internal/desk"
)

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
