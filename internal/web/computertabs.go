package web

import (
	"net/url"
	"slices"
	"strconv"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
)

// A recordTab is a part of a record's page.
type recordTab struct {
	Title, Href string
	Total       int // -1 for none
	Current     bool
}

// computerTabs are the parts of a computer's page.
var computerTabs = []string{"", "hardware", "software", "tickets", "risks", "contracts", "history"}

// tabTitles are what people call these parts.
var tabTitles = map[string]string{
	"": msg("Overview"), "hardware": msg("Hardware"), "software": msg("Software"), "tickets": msg("Tickets"), "risks": msg("Risks"), "contracts": msg("Contracts"), "history": msg("History"),
}

// tabOf returns the tab that the address names.
func tabOf(c *call) string { return oneOf(c.URL.Query().Get("tab"), computerTabs[1:]...) }

// A recordTable is a list that belongs to a record.
type recordTable struct {
	Heads []string
	Rows  [][]cell
	Side  []row // the first records, as the side of a page shows them
	Total int
	Look  string // the query of what is shown, for its form
	Find  string
	Pager pager
}

// tabRows is how many records a page of a tab shows, unless the person says so.
const tabRows = 250

// tabPlace returns which page of a tab is asked for, and how many rows it has.
func (c *call) tabPlace() (page, rows int) { return c.place(tabRows) }

// fillTab reads what the open tab shows, and how much the others have.
func (c *call) fillTab(s *section, p *computerPage) error {
	totals := map[string]int{}
	for _, name := range computerTabs[2:] {
		if p.Past.leavesOut(name) || p.Past.tells() && name == "history" && p.Tab != name {
			continue
		}
		list, err := c.belongingThen(p, name)
		if err != nil {
			return err
		}
		totals[name] = list.Total
		if p.Tab == name {
			p.Table = list
			number, rows := c.tabPlace()
			p.Table.Pager = c.newPager(kind.Position{Number: number, PerPage: rows, Total: list.Total}, p.Path, without(c.URL.Query(), "page"))
		}
		if p.Tab == "" && (name == "tickets" || name == "risks" || name == "contracts") {
			p.Lists = append(p.Lists, relatedList{Title: c.t(tabTitles[name]), Total: list.Total, Rows: list.Side})
		}
	}
	query := without(c.URL.Query(), "q", "view", "page", "per_page")
	for _, name := range computerTabs {
		if p.Past.leavesOut(name) {
			continue
		}
		tab := recordTab{Title: c.t(tabTitles[name]), Href: address(p.Path, with(query, "tab")), Total: -1, Current: name == p.Tab}
		if name != "" {
			tab.Href = address(p.Path, with(query, "tab", name))
		}
		if n, ok := totals[name]; ok {
			tab.Total = n
		}
		p.Tabs = append(p.Tabs, tab)
	}
	var err error
	switch p.Tab {
	case "history":
		if p.Days, err = c.history(p.ID); err == nil {
			p.Ticks = c.ticks(p.Days, p.Table.Pager)
		}
	case "":
		if p.Past != nil { // they are those of now
			break
		}
		p.Changes, err = c.changesOf(s.kind, p.ID)
	}
	return err
}

// belongingThen returns a list that belongs to a computer, or did so when it was as
// it is shown.
func (c *call) belongingThen(p *computerPage, name string) (*recordTable, error) {
	if p.Past.tells() && name == "software" {
		return c.softwareThen(p.Software), nil
	}
	return c.belonging(p.ID, name, p.Tab == name)
}

// belonging returns a list that belongs to a computer; only few of it unless it
// is wanted whole.
func (c *call) belonging(id int64, name string, whole bool) (*recordTable, error) {
	if name == "contracts" {
		q := &kind.Query{Page: 1, PerPage: relatedRows, Today: kind.Today(c.web.Now()), Conds: []kind.Cond{{
			Field: inventory.Contracts.Field("hardwares"), Target: inventory.Computers.Schema, Any: []kind.Test{{Range: true, Min: id, Max: id}},
		}}}
		if whole {
			q.Page, q.PerPage = c.tabPlace()
		}
		found, err := c.web.Desk.List(c.Context(), c.who(), inventory.Contracts.Schema, q)
		if err != nil {
			return nil, err
		}
		return c.recordTable(sectionOf(inventory.Contracts.Schema), found), nil
	}
	path := map[string]string{"software": "softwares", "history": "audits"}[name]
	if path == "" {
		path = name
	}
	r := desk.RelationOf(inventory.Computers.Schema, path)
	query := url.Values{"per_page": {strconv.Itoa(relatedRows)}}
	if number, rows := c.tabPlace(); whole && name != "history" {
		query.Set("page", strconv.Itoa(number))
		query.Set("per_page", strconv.Itoa(rows))
	}
	asked := c.URL.Query()
	if name == "software" && whole {
		if asked.Get("q") != "" {
			query.Set("q", asked.Get("q"))
		}
		if asked.Get("view") == "system" {
			query.Set("view", "system")
		}
		query.Set("sort_by", "name")
	}
	q, err := r.Kind.ParseQuery(query.Encode(), c.web.Now())
	if err != nil {
		return nil, err
	}
	found, err := c.web.Desk.ListOf(c.Context(), c.who(), desk.Place{Relation: r, ID: id}, q)
	if err != nil || name == "history" {
		return &recordTable{Total: found.Total}, err
	}
	if name == "software" {
		t := c.softwareTable(found)
		t.Look, t.Find = asked.Get("view"), asked.Get("q")
		return t, nil
	}
	return c.recordTable(sectionOf(r.Kind), found), nil
}

// recordTable returns records of a section that belong to a computer as a table,
// without the column of computers: this one has them all.
func (c *call) recordTable(s *section, found kind.Page) *recordTable {
	t := &recordTable{Total: found.Total}
	columns := slices.DeleteFunc(slices.Clone(s.columns), func(col column) bool {
		return slices.Contains(s.kind.Field(col.field).Targets, inventory.Computers.Schema)
	})
	for _, col := range columns {
		t.Heads = append(t.Heads, s.heading(c.tongue, s.kind.Field(col.field)))
	}
	for _, rec := range found.Records {
		var cells []cell
		v := s.kind.Values(rec)
		for _, col := range columns {
			one := s.cellOf(c, v, s.kind.Field(col.field))
			if col.field == s.lead {
				one = cell{Look: "name", Text: s.name(rec), Href: s.recordPath(v.ID())}
			}
			one.Class = col.class
			cells = append(cells, one)
		}
		t.Rows = append(t.Rows, cells)
		if len(t.Side) < relatedRows {
			t.Side = append(t.Side, c.sideRow(s, rec))
		}
	}
	return t
}

// sideRow returns a record as the side of a page shows it: by its name, a ticket
// also by its number, with how it is.
func (c *call) sideRow(s *section, rec any) row {
	v := s.kind.Values(rec)
	one := row{ID: v.ID(), Name: s.name(rec), Href: s.recordPath(v.ID())}
	if number := s.kind.Field("number"); number != nil {
		one.Name = c.cell(v, number).Text + " " + one.Name
	}
	if s.state != "" {
		one.Cells = []cell{c.cell(v, s.kind.Field(s.state))}
	}
	return one
}

// softwareTable returns what is installed as a table.
func (c *call) softwareTable(found kind.Page) *recordTable {
	t, k := &recordTable{Total: found.Total}, inventory.Installations.Schema
	columns := []string{"name", "version", "manufacturer", "install-date", "install-path"}
	for _, name := range columns {
		t.Heads = append(t.Heads, c.label(k.Field(name)))
	}
	for _, rec := range found.Records {
		var cells []cell
		for _, name := range columns {
			one := c.cell(k.Values(rec), k.Field(name))
			if name == "name" {
				one.Look = "name"
				if id := inventory.Softwares.Meta(rec).ID; id != 0 { // it may be gone
					one.Href = c.recordPath(inventory.Softwares.Schema, id)
				}
			}
			cells = append(cells, one)
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}
