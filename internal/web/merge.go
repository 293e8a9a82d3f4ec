package web

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"muster/internal/desk"
	"muster/internal/inventory"
)

// computerRoutes are the paths of what can be done with a computer alone.
func (w *Web) computerRoutes() {
	w.route("/computers/{id}/merge", staff, verbs{"GET": (*call).askMerge, "POST": (*call).merge})
	w.route("/computers/{id}/release", staff, verbs{"POST": (*call).release})
	w.route("/computers/{id}/fact", staff, verbs{"POST": (*call).setFact})
}

// A mergePage is what the page shows on which two computers become one.
type mergePage struct {
	Name, Path, Other, Fault string
}

// askMerge asks which computer is the same as this one.
func (c *call) askMerge() (*answer, error) { return c.mergeForm(http.StatusOK, "") }

func (c *call) mergeForm(status int, fault string) (*answer, error) {
	s := sectionOf(inventory.Computers.Schema)
	rec, err := s.get(c)
	if err != nil {
		return nil, err
	}
	p := mergePage{Name: s.name(rec), Path: s.recordPath(s.kind.Meta(rec).ID), Other: c.form.Get("other"), Fault: fault}
	return &answer{status: status, template: "merge", page: page{Title: c.t("Merge %s with another", p.Name), Here: "/computers", Data: p}}, nil
}

// merge makes this computer one with another.
func (c *call) merge() (*answer, error) {
	rec, err := sectionOf(inventory.Computers.Schema).get(c) // a number could be another's asset id
	if err != nil {
		return nil, err
	}
	id := inventory.Computers.Meta(rec).ID
	kept, gone, err := c.web.Desk.MergeComputers(c.Context(), c.who(), strconv.FormatInt(id, 10), c.form.Get("other"))
	if e, ok := errors.AsType[*desk.Error](err); ok && e.Code != desk.Forbidden {
		return c.mergeForm(http.StatusUnprocessableEntity, c.fault(e.Text))
	}
	if err != nil {
		return nil, err
	}
	c.say(c.t("%s and %s are one computer now", kept.Name, gone.Name))
	return c.goTo(sectionOf(inventory.Computers.Schema).recordPath(kept.ID))
}

// release lets the agent tell a field again that a person has set, whatever else
// was changed of the computer since it was shown, as by a report.
func (c *call) release() (*answer, error) {
	s := sectionOf(inventory.Computers.Schema)
	id, err := c.id(s.kind)
	if err != nil {
		return nil, err
	}
	f := s.kind.Field(c.form.Get("field"))
	if f == nil || !f.Reported {
		return nil, c.web.missing(c.Request)
	}
	nothing := c.documentOf(s.kind, url.Values{f.Name: {""}})
	if _, err := c.web.Desk.Update(c.Context(), c.who(), desk.Target{Kind: s.kind, ID: id}, nothing); err != nil {
		return nil, err
	}
	if err := c.sayUndo(c.t("%s is what the agent tells again", c.label(f)), s.kind, id); err != nil {
		return nil, err
	}
	return c.goTo(s.recordPath(id))
}
