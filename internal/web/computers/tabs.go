package computers

import (
	"net/url"
	"slices"
	"strconv"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/web/activity"
	"muster/internal/web/lang"
	"muster/internal/web/page"
	"muster/internal/web/records"
)

// A recordTab is a part of a record's page.
type recordTab struct {
	Title, Href string
	Total       int // -1 for none
	Current     bool
}

// ComputerTabs are the parts of a computer's page.
var ComputerTabs = []string{"", "hardware", "software", "tickets", "risks", "contracts", "history"}

// tabTitles are what people call these parts.
var tabTitles = map[string]string{
	"": lang.Msg("Overview"), "hardware": lang.Msg("Hardware"), "software": lang.Msg("Software"),
	"tickets": lang.Msg("Tickets"), "risks": lang.Msg("Risks"), "contracts": lang.Msg("Contracts"),
	"history": lang.Msg("History"),
}

// tabOf returns the tab that the address names.
func tabOf(c *page.Call) string { return page.OneOf(c.URL.Query().Get("tab"), ComputerTabs[1:]...) }

// A recordTable is a list that belongs to a record.
type recordTable struct {
	Heads []string
	Rows  [][]page.Cell
	Side  []records.Row // the first records, as the side of a page shows them
	Total int
	Look  string // the query of what is shown, for its form
	Find  string
	Pager page.Pager
}

// tabRows is how many records a page of a tab shows, unless the person says so.
const tabRows = 250

// tabPlace returns which page of a tab is asked for, and how many rows it has.
func tabPlace(c *page.Call) (page, rows int) { return c.Place(tabRows) }

// fillTab reads what the open tab shows, and how much the others have.
func fillTab(c *page.Call, s *records.Section, p *computerPage) error {
	totals := map[string]int{}
	for _, name := range ComputerTabs[2:] {
		if p.Past.leavesOut(name) || p.Past.known() && name == "history" && p.Tab != name {
			continue
		}
		list, err := belongingThen(c, p, name)
		if err != nil {
			return err
		}
		totals[name] = list.Total
		if p.Tab == name {
			p.Table = list
			number, rows := tabPlace(c)
			p.Table.Pager = c.NewPager(kind.Position{Number: number, PerPage: rows, Total: list.Total}, p.Path,
				page.Without(c.URL.Query(), "page"))
		}
		if p.Tab == "" && (name == "tickets" || name == "risks" || name == "contracts") {
			p.Lists = append(p.Lists,
				records.RelatedList{Title: c.T(tabTitles[name]), Total: list.Total, Rows: list.Side})
		}
	}
	query := page.Without(c.URL.Query(), "q", "view", "page", "per_page")
	for _, name := range ComputerTabs {
		if p.Past.leavesOut(name) {
			continue
		}
		tab := recordTab{Title: c.T(tabTitles[name]), Href: page.Address(p.Path, page.With(query, "tab")), Total: -1,
			Current: name == p.Tab}
		if name != "" {
			tab.Href = page.Address(p.Path, page.With(query, "tab", name))
		}
		if n, ok := totals[name]; ok {
			tab.Total = n
		}
		p.Tabs = append(p.Tabs, tab)
	}
	var err error
	switch p.Tab {
	case "history":
		if p.Days, err = history(c, p.ID); err == nil {
			p.Ticks = newTicks(c, p.Days, p.Table.Pager)
		}
	case "":
		if p.Past != nil { // they are those of now
			break
		}
		p.Changes, err = activity.LatestOf(c, s.Kind, p.ID)
	}
	return err
}

// belongingThen returns a list that belongs to a computer, or did so when it was as
// it is shown.
func belongingThen(c *page.Call, p *computerPage, name string) (*recordTable, error) {
	if p.Past.known() && name == "software" {
		return softwareThen(c, p.Software), nil
	}
	return belonging(c, p.ID, name, p.Tab == name)
}

// belonging returns a list that belongs to a computer; only few of it unless it
// is wanted whole.
func belonging(c *page.Call, id int64, name string, whole bool) (*recordTable, error) {
	if name == "contracts" {
		q := &kind.Query{Page: 1, PerPage: records.RelatedRows, Today: kind.Today(c.App.Now()), Conds: []kind.Cond{{
			Field: inventory.Contracts.Field("hardwares"), Target: inventory.Computers.Schema,
			Any: []kind.Test{{Range: true, Min: id, Max: id}},
		}}}
		if whole {
			q.Page, q.PerPage = tabPlace(c)
		}
		found, err := c.App.Desk.List(c.Context(), c.Who(), inventory.Contracts.Schema, q)
		if err != nil {
			return nil, err
		}
		return newRecordTable(c, records.SectionOf(c.App, inventory.Contracts.Schema), found), nil
	}
	path := map[string]string{"software": "softwares", "history": "audits"}[name]
	if path == "" {
		path = name
	}
	r := desk.RelationOf(inventory.Computers.Schema, path)
	query := url.Values{"per_page": {strconv.Itoa(records.RelatedRows)}}
	if number, rows := tabPlace(c); whole && name != "history" {
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
	q, err := r.Kind.ParseQuery(query.Encode(), c.App.Now())
	if err != nil {
		return nil, err
	}
	found, err := c.App.Desk.ListOf(c.Context(), c.Who(), desk.Place{Relation: r, ID: id}, q)
	if err != nil || name == "history" {
		return &recordTable{Total: found.Total}, err
	}
	if name == "software" {
		t := softwareTable(c, found)
		t.Look, t.Find = asked.Get("view"), asked.Get("q")
		return t, nil
	}
	return newRecordTable(c, records.SectionOf(c.App, r.Kind), found), nil
}

// newRecordTable returns records of a section that belong to a computer as a table,
// without the column of computers: this one has them all.
func newRecordTable(c *page.Call, s *records.Section, found kind.Page) *recordTable {
	t := &recordTable{Total: found.Total}
	columns := slices.DeleteFunc(slices.Clone(s.Columns), func(col records.Column) bool {
		return slices.Contains(s.Kind.Field(col.Field).Targets, inventory.Computers.Schema)
	})
	for _, col := range columns {
		t.Heads = append(t.Heads, s.Heading(c.Locale, s.Kind.Field(col.Field)))
	}
	for _, rec := range found.Records {
		var cells []page.Cell
		v := s.Kind.Values(rec)
		for _, col := range columns {
			one := s.CellOf(c, v, s.Kind.Field(col.Field))
			if col.Field == s.Lead {
				one = page.Cell{Look: "name", Text: s.Name(rec), Href: s.RecordPath(v.ID())}
			}
			one.Class = col.Class
			cells = append(cells, one)
		}
		t.Rows = append(t.Rows, cells)
		if len(t.Side) < records.RelatedRows {
			t.Side = append(t.Side, records.SideRow(c, s, rec))
		}
	}
	return t
}

// softwareTable returns what is installed as a table.
func softwareTable(c *page.Call, found kind.Page) *recordTable {
	t, k := &recordTable{Total: found.Total}, inventory.Installations.Schema
	columns := []string{"name", "version", "manufacturer", "install-date", "install-path"}
	for _, name := range columns {
		t.Heads = append(t.Heads, c.Label(k.Field(name)))
	}
	for _, rec := range found.Records {
		var cells []page.Cell
		for _, name := range columns {
			one := c.Cell(k.Values(rec), k.Field(name))
			if name == "name" {
				one.Look = "name"
				if id := inventory.Softwares.Meta(rec).ID; id != 0 { // it may be gone
					one.Href = c.RecordPath(inventory.Softwares.Schema, id)
				}
			}
			cells = append(cells, one)
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}
