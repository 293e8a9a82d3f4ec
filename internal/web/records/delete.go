package records

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"muster/internal/desk"
	"muster/internal/message"
	"muster/internal/web/page"
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
	First []Row  // by their names
	More  int    // than those
}

// manyHanging is from how many records on that refer to one its name must be
// typed to delete it.
const manyHanging = 10

// AskDelete shows what becomes of a record.
func (s *Section) AskDelete(c *page.Call) (*page.Answer, error) {
	p, err := newDeletePage(s, c)
	if err != nil {
		return nil, err
	}
	return deleteAnswer(s, http.StatusOK, p)
}

func deleteAnswer(s *Section, status int, p *deletePage) (*page.Answer, error) {
	return &page.Answer{
		Status: status, Template: "delete", Page: page.Page{Title: p.Title, Here: "/" + s.Path, Data: p},
	}, nil
}

// newDeletePage returns the page that lists what depends on a record before it is deleted.
func newDeletePage(s *Section, c *page.Call) (*deletePage, error) {
	rec, err := s.Get(c)
	if err != nil {
		return nil, err
	}
	meta := s.Kind.Meta(rec)
	p := &deletePage{
		List: "/" + s.Path, Section: c.T(s.Title), Title: c.T("Delete %s?", s.Name(rec)), Path: s.RecordPath(meta.ID),
		Name: s.Name(rec), Noun: c.T(s.Kind.Noun), Version: meta.Version,
		User: s.People,
	}
	all, err := c.App.Desk.Consequences(c.Context(), c.Who(), s.Kind, meta.ID)
	if err != nil {
		return nil, err
	}
	hung := int64(0)
	for _, one := range all {
		hung += one.Count
		h := newHanging(s, c, one, rec)
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

// newHanging returns what refers to a record, with a link to it.
func newHanging(s *Section, c *page.Call, one desk.Consequence, rec any) hanging {
	what := c.TN(int(one.Count), "%s "+one.Kind.Noun, "%s "+one.Kind.Nouns)
	if one.Field != nil && one.Field.Targets == nil && one.Kind.Parent() == nil {
		what = c.T("%s as %s", what, c.Inside(c.Label(one.Field)))
	}
	h := hanging{Text: what}
	of := SectionOf(c.App, one.Kind)
	if of == nil || !of.Access.Allows(c.User) {
		return h
	}
	for _, rec := range one.First {
		h.First = append(h.First, calledRow(c, of, rec))
	}
	h.More = int(one.Count) - len(h.First)
	list := Related{Relation: &desk.Relation{}, Path: of.Path}
	if slices.Contains(s.TabPaths, of.Path) {
		h.Href = s.RecordPath(s.Kind.Meta(rec).ID) + "?tab=" + of.Path
	} else if s.hasPage(c, list) {
		h.Href = list.href(s.RecordPath(s.Kind.Meta(rec).ID))
	} else if one.Field != nil && one.Field.Filtered {
		if f := filterOf(of, one.Field.Column()); f != nil {
			h.Href = page.Address("/"+of.Path, url.Values{f.Param: {nameInFilter(s, rec)}})
		}
	}
	return h
}

// calledRow returns a row with nothing but the record's name: a ticket with its number,
// software with its version.
func calledRow(c *page.Call, s *Section, rec any) Row {
	one := SideRow(c, s, rec)
	switch {
	case s.NameFor != nil:
		one.Name = s.NameFor(c, rec)
	case s.RowName != nil:
		one.Name = s.RowName(rec)
	}
	return one
}

// nameInFilter returns by what filters ask for a record: by its name, or what the
// section has instead.
func nameInFilter(s *Section, rec any) string {
	if s.FilterName != nil {
		return s.FilterName(rec)
	}
	return s.Name(rec)
}

// Delete deletes a record, unless something refers to it that keeps it.
func (s *Section) Delete(c *page.Call) (*page.Answer, error) {
	p, err := newDeletePage(s, c)
	if err != nil {
		return nil, err
	}
	if p.Confirm && len(p.Keep) == 0 && strings.TrimSpace(c.Form.Get("confirm")) != strings.TrimSpace(p.Name) {
		p.Fault = c.T("Type the name as shown above: many records depend on this one.")
		return deleteAnswer(s, http.StatusUnprocessableEntity, p)
	}
	id, err := c.ID(s.Kind)
	if err != nil {
		return nil, err
	}
	rec, err := c.App.Desk.Delete(c.Context(), c.Who(), s.Target(c, id))
	switch {
	case page.IsRefusal(err, desk.Changed):
		p.Fault = c.T("Someone changed it in the meantime, so it was not deleted. Check it again.")
		return deleteAnswer(s, http.StatusConflict, p)
	case page.IsRefusal(err, desk.Conflict):
		p.Fault = c.Fault(message.Of(err))
		return deleteAnswer(s, http.StatusConflict, p)
	case err != nil:
		return nil, err
	}
	c.Notify(c.T("%s was deleted", s.Name(rec)))
	return c.GoTo("/" + s.Path)
}
