package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/message"
)

// A deletePage is what the page shows on which a record is deleted.
type deletePage struct {
	List, Section string // path and title of the section
	Title         string
	Path          string
	Name          string
	Noun          string
	Version       int64
	Keep          []hanging // that refer to it and keep it
	Lose          []hanging // that stay without it
	Leave         []hanging // that are deleted with it
	Confirm       bool      // its name is to be typed
	User          bool      // who can be disabled instead
	Fault         string
}

// A hanging is what refers to a record.
type hanging struct {
	Text  string
	Href  string // the list of them, "" for none
	First []row  // by their names
	More  int    // than those
}

// manyHanging is from how many records on that refer to one its name must be
// typed to delete it.
const manyHanging = 10

// askDelete shows what becomes of a record.
func (s *section) askDelete(c *call) (*answer, error) {
	p, err := s.deletePage(c)
	if err != nil {
		return nil, err
	}
	return s.deleteAnswer(http.StatusOK, p)
}

func (s *section) deleteAnswer(status int, p *deletePage) (*answer, error) {
	return &answer{status: status, template: "delete", page: page{Title: p.Title, Here: "/" + s.path, Data: p}}, nil
}

// deletePage tells what hangs on a record.
func (s *section) deletePage(c *call) (*deletePage, error) {
	rec, err := s.get(c)
	if err != nil {
		return nil, err
	}
	meta := s.kind.Meta(rec)
	p := &deletePage{
		List: "/" + s.path, Section: c.t(s.title), Title: c.t("Delete %s?", s.name(rec)), Path: s.recordPath(meta.ID), Name: s.name(rec), Noun: c.t(s.kind.Noun), Version: meta.Version,
		User: s.kind == inventory.Users.Schema,
	}
	all, err := c.web.Desk.Consequences(c.Context(), c.who(), s.kind, meta.ID)
	if err != nil {
		return nil, err
	}
	hung := int64(0)
	for _, one := range all {
		hung += one.Count
		h := s.hanging(c, one, rec)
		switch one.Fate {
		case desk.Keeps:
			p.Keep = append(p.Keep, h)
		case desk.Loses:
			p.Lose = append(p.Lose, h)
		case desk.Leaves:
			p.Leave = append(p.Leave, h)
		}
	}
	p.Confirm = hung >= manyHanging
	return p, nil
}

// hanging tells what refers to a record, and where to see it.
func (s *section) hanging(c *call, one desk.Consequence, rec any) hanging {
	what := c.tn(int(one.Count), "%s "+one.Kind.Noun, "%s "+plural(one.Kind.Noun))
	if one.Field != nil && one.Field.Targets == nil && one.Kind != inventory.Comments.Schema {
		what = c.t("%s as %s", what, c.inside(c.label(one.Field)))
	}
	h := hanging{Text: what}
	of := sectionOf(one.Kind)
	if of == nil || !of.access.admits(c.user) {
		return h
	}
	for _, rec := range one.First {
		h.First = append(h.First, c.calledRow(of, rec))
	}
	h.More = int(one.Count) - len(h.First)
	list := related{relation: &desk.Relation{}, path: of.path}
	if slices.Contains(s.tabPaths, of.path) {
		h.Href = s.recordPath(s.kind.Meta(rec).ID) + "?tab=" + of.path
	} else if s.hasPage(c, list) {
		h.Href = list.href(s.recordPath(s.kind.Meta(rec).ID))
	} else if one.Field != nil && one.Field.Filtered {
		if f := of.filter(one.Field.Column()); f != nil {
			h.Href = address("/"+of.path, url.Values{f.Param: {s.filterName(rec)}})
		}
	}
	return h
}

// calledRow returns a record by its name alone, as nothing else of it is told: a
// ticket with its number, software with its version.
func (c *call) calledRow(s *section, rec any) row {
	one := c.sideRow(s, rec)
	if s.kind.Chained {
		one.Name = c.deed(rec.(*inventory.Audit))
	} else if s.rowName != nil {
		one.Name = s.rowName(rec)
	}
	return one
}

// filterName returns by what filters ask for a record: people by their address,
// others by their name.
func (s *section) filterName(rec any) string {
	if u, ok := rec.(*inventory.User); ok {
		return u.Email
	}
	return s.name(rec)
}

// plural returns a noun for several things.
func plural(noun string) string {
	switch {
	case noun == "software":
		return "programs"
	case strings.HasSuffix(noun, "y"):
		return strings.TrimSuffix(noun, "y") + "ies"
	}
	return noun + "s"
}

// delete deletes a record, unless something refers to it that keeps it.
func (s *section) delete(c *call) (*answer, error) {
	p, err := s.deletePage(c)
	if err != nil {
		return nil, err
	}
	if p.Confirm && len(p.Keep) == 0 && strings.TrimSpace(c.form.Get("confirm")) != strings.TrimSpace(p.Name) {
		p.Fault = c.t("Type the name as it stands above: much hangs on this record.")
		return s.deleteAnswer(http.StatusUnprocessableEntity, p)
	}
	id, err := c.id(s.kind)
	if err != nil {
		return nil, err
	}
	rec, err := c.web.Desk.Delete(c.Context(), c.who(), s.target(c, id))
	switch {
	case isRefusal(err, desk.Changed):
		p.Fault = c.t("Somebody changed it meanwhile, so it was not deleted. Look at it again.")
		return s.deleteAnswer(http.StatusConflict, p)
	case isRefusal(err, desk.Conflict):
		p.Fault = c.fault(message.Of(err))
		return s.deleteAnswer(http.StatusConflict, p)
	case err != nil:
		return nil, err
	}
	c.say(c.t("%s was deleted", s.name(rec)))
	return c.goTo("/" + s.path)
}
