package web

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
)

// computerRoutes are the paths of what can be done with a computer alone.
func (w *Web) computerRoutes() {
	w.route("/computers/{id}/merge", staff, verbs{"GET": (*call).askMerge, "POST": (*call).merge})
	w.route("/computers/{id}/split", staff, verbs{"GET": (*call).askSplit, "POST": (*call).split})
	w.route("/suggest/merge", staff, verbs{"GET": (*call).suggestOther})
	w.route("/computers/{id}/release", staff, verbs{"POST": (*call).release})
	w.route("/computers/{id}/fact", staff, verbs{"POST": (*call).setFact})
}

// A mergePage is what the page shows that asks with which computer another one is
// the same.
type mergePage struct {
	Name, Path, Other, Fault string
}

// askMerge asks which computer is the same as this one, and then, with both side
// by side, whether they shall be one.
func (c *call) askMerge() (*answer, error) {
	this, err := c.thisComputer()
	if err != nil {
		return nil, err
	}
	called := c.URL.Query().Get("other")
	if called == "" {
		return c.mergeForm(http.StatusOK, this, "")
	}
	other, err := c.computerCalled(called)
	switch e, refused := errors.AsType[*desk.Error](err); {
	case refused && e.Code == desk.NotFound:
		return c.mergeForm(http.StatusUnprocessableEntity, this, c.t("No computer has this number, asset id or name: %s", called))
	case refused && e.Code != desk.Forbidden:
		return c.mergeForm(http.StatusUnprocessableEntity, this, c.fault(e.Text))
	case err != nil:
		return nil, err
	case other.ID == this.ID:
		return c.mergeForm(http.StatusUnprocessableEntity, this, c.t("a computer is the same as itself"))
	}
	return c.sureOfMerge(this, other, "")
}

// suggestOther answers with computers that may be the same as another, each by
// its name and its number.
func (c *call) suggestOther() (*answer, error) {
	text := strings.TrimSpace(c.URL.Query().Get("q"))
	if text == "" {
		return suggested(nil)
	}
	found, err := c.suggestLinks(inventory.Tickets.Field("hardwares"), text)
	if err != nil {
		return nil, err
	}
	for i, o := range found {
		found[i].Value = numbered(o.Label, o.Value)
	}
	return suggested(found)
}

// numbered names a computer without doubt: its number alone may be the asset id
// of another, and its name that of several.
func numbered(name, id string) string { return name + " (#" + id + ")" }

// computerCalled returns the computer that is suggested by a text, or else the
// one that people call so.
func (c *call) computerCalled(text string) (*inventory.Computer, error) {
	text = strings.TrimSpace(text)
	if at := strings.LastIndex(text, "(#"); at >= 0 {
		id, _ := strconv.ParseInt(strings.TrimSuffix(text[at+2:], ")"), 10, 64) // 0 is nobody's
		rec, err := c.web.Desk.Get(c.Context(), c.who(), inventory.Computers.Schema, id)
		if err != nil && !isRefusal(err, desk.NotFound) {
			return nil, err
		}
		if one, ok := rec.(*inventory.Computer); ok && text == numbered(sectionOf(inventory.Computers.Schema).name(one), strconv.FormatInt(id, 10)) {
			return one, nil
		}
	}
	return c.web.Desk.FindComputer(c.Context(), c.who(), text)
}

// thisComputer returns the computer of the path.
func (c *call) thisComputer() (*inventory.Computer, error) {
	rec, err := sectionOf(inventory.Computers.Schema).get(c)
	if err != nil {
		return nil, err
	}
	return rec.(*inventory.Computer), nil
}

// mergeForm asks with which computer this one is the same.
func (c *call) mergeForm(status int, this *inventory.Computer, fault string) (*answer, error) {
	p := mergePage{Name: this.Name, Path: c.recordPath(inventory.Computers.Schema, this.ID), Other: c.URL.Query().Get("other"), Fault: fault}
	return &answer{status: status, template: "merge", page: page{Title: c.t("Merge %s with another", p.Name), Here: "/computers", Scripts: []string{"form.js"}, Data: p}}, nil
}

// sureOfMerge asks before this computer becomes one with another.
func (c *call) sureOfMerge(this, other *inventory.Computer, fault string) (*answer, error) {
	both := desk.Pair{Older: this, Newer: other}
	if other.ID < this.ID {
		both = desk.Pair{Older: other, Newer: this}
	}
	path := c.recordPath(inventory.Computers.Schema, this.ID)
	return c.askPair("/computers", both, confirmPage{Action: path + "/merge", Fields: []pair{{"with", strconv.FormatInt(other.ID, 10)}}, Keep: c.t("Keep both"), Back: path, Fault: fault})
}

// merge makes this computer one with the other that the person was shown.
func (c *call) merge() (*answer, error) {
	this, err := c.thisComputer()
	if err != nil {
		return nil, err
	}
	rec, err := c.web.Desk.Get(c.Context(), c.who(), inventory.Computers.Schema, number(c.form, "with"))
	if isRefusal(err, desk.NotFound) {
		return c.mergeForm(http.StatusUnprocessableEntity, this, c.fault(message.Of(err)))
	}
	if err != nil {
		return nil, err
	}
	other := rec.(*inventory.Computer)
	return c.unite(this, other, func(fault string) (*answer, error) { return c.sureOfMerge(this, other, fault) })
}

// unite makes two computers one, by their ids alone: the number of one may be the
// asset id of a third. It asks again when that is refused.
func (c *call) unite(this, other *inventory.Computer, again func(fault string) (*answer, error)) (*answer, error) {
	kept, _, err := c.web.Desk.Merge(c.Context(), c.who(), desk.Merging{
		Target: desk.Target{Kind: inventory.Computers.Schema, ID: this.ID},
		Document: func() (*kind.Patch, error) {
			return inventory.Mergings.Decode(fmt.Appendf(nil, "<hardware><id>%d</id></hardware>", other.ID))
		},
	})
	if text, refused := c.refusal(err); refused && !isRefusal(err, desk.Forbidden) {
		return again(text)
	}
	if err != nil {
		return nil, err
	}
	c.say(c.t("%s and %s are one computer now", this.Name, other.Name))
	return c.goTo(c.recordPath(inventory.Computers.Schema, inventory.Computers.Meta(kept).ID))
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
	if f == nil || !desk.Told(f) {
		return nil, c.web.missing(c.Request)
	}
	back := listAddress(s.recordPath(id), c.form.Get("rest"))
	_, err = c.web.Desk.Release(c.Context(), c.who(), id, f)
	if text, refused := c.refusal(err); refused && !isRefusal(err, desk.Forbidden) {
		c.warn(text)
		return c.goTo(back)
	}
	if err != nil {
		return nil, err
	}
	done := c.t("%s is what the agent tells again", c.label(f))
	if f.Type == kind.List {
		done = c.t("%s are what the agent tells again", c.label(f))
	}
	if err := c.sayUndo(done, s.kind, id); err != nil {
		return nil, err
	}
	return c.goTo(back)
}
