package web

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"time"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
)

// A computerPage is what the page of a computer shows.
type computerPage struct {
	*recordPage
	Tab      string // that is open
	Tabs     []recordTab
	Tag      string
	Line     []lineFact
	Steps    *steps
	Version  int64
	Drives   []driveBar
	Slots    []slot
	Modules  int // slots that are in use
	Adapters []inventory.Network
	Table    *recordTable // of a tab that is a list
	Days     []historyDay
	Past     *pastNotice // nil for the present
	On, Max  string      // days of the form that asks for another
	NewTo    string      // the address that makes a ticket about it
}

// A recordTab is a part of a record's page.
type recordTab struct {
	Title, Href string
	Total       int // -1 for none
	Current     bool
}

// A lineFact is one of what matters most.
type lineFact struct {
	Icon string
	Cell cell
}

// Steps lead through the list that one came from.
type steps struct {
	N, Of      int
	Prev, Next string // addresses, "" where there is none
	List       string
}

// A driveBar is a drive and how full it is.
type driveBar struct {
	Name, Label, Type string
	Percent           int
	Tone              string
	Used, Total, Free string
}

// A slot is a place for a memory module.
type slot struct{ Title, Size, About string }

// A pastNotice says that a computer is shown as it was.
type pastNotice struct {
	Day, Now string
	NotYet   bool
}

// How full a drive is when it warns, and when it is bad.
const (
	driveWarns = 75
	driveBad   = 90
)

// showComputer shows a computer.
func (c *call) showComputer() (*answer, error) {
	s := sectionOf(inventory.Computers.Schema)
	rec, err := s.get(c)
	if err != nil {
		return nil, err
	}
	computer := rec.(*inventory.Computer)
	past, err := c.pastOf(&computer)
	if err != nil {
		return nil, err
	}
	p := &computerPage{recordPage: s.newRecordPage(c, computer), Tab: tabOf(c), Tag: computer.Tag, Version: computer.Version, Past: past}
	p.Max = c.now().Format(time.DateOnly)
	if p.On = c.URL.Query().Get("on"); p.On == "" {
		p.On = p.Max
	}
	p.Change = p.Change && past == nil
	p.NewTo = "/tickets/new?" + url.Values{"hardwares": {strconv.FormatInt(p.ID, 10)}}.Encode()
	p.Line = s.line(c, computer)
	p.Drives, p.Slots, p.Adapters = c.drives(computer), c.slots(computer), computer.Networks
	p.Modules = len(computer.Memories) - countEmpty(computer.Memories)
	if err := c.fillTab(s, p); err != nil {
		return nil, err
	}
	if p.Steps, err = s.steps(c, p.ID); err != nil {
		return nil, err
	}
	return c.show("computer", page{Title: p.Name, Here: "/" + s.path, Data: p})
}

// pastOf puts the computer as it was on the day that the address names in the
// place of the present one.
func (c *call) pastOf(computer **inventory.Computer) (*pastNotice, error) {
	day, err := time.ParseInLocation(time.DateOnly, c.URL.Query().Get("on"), c.zone())
	if err != nil || !day.AddDate(0, 0, 1).Before(c.now()) {
		return nil, nil
	}
	id := (*computer).ID
	notice := &pastNotice{Day: c.date(day), Now: "/computers/" + strconv.FormatInt(id, 10)}
	was, err := c.web.Desk.ComputerAt(c.Context(), c.who(), id, day.AddDate(0, 0, 1).Add(-time.Second))
	if err == desk.ErrNotYet {
		notice.NotYet = true
		return notice, nil
	}
	if err == nil {
		*computer = was
	}
	return notice, err
}

// computerTabs are the parts of a computer's page.
var computerTabs = []string{"", "hardware", "software", "tickets", "risks", "contracts", "history"}

// tabOf returns the tab that the address names.
func tabOf(c *call) string { return oneOf(c.URL.Query().Get("tab"), computerTabs[1:]...) }

// line returns what matters most of a computer.
func (s *section) line(c *call, computer *inventory.Computer) (line []lineFact) {
	v := s.kind.Values(computer)
	for _, one := range []struct{ icon, field string }{{"tag", "asset-id"}, {"user", "owner"}, {"software", "operating-system"}, {"site", "site"}} {
		if found := c.cell(v, s.kind.Field(one.field)); found.Look != "" {
			if one.field == "site" {
				found.Look, found.Href = "link", address("/computers", url.Values{"site": {computer.Site}})
			}
			line = append(line, lineFact{one.icon, found})
		}
	}
	return append(line, lineFact{"clock", s.listCell(c, v, s.kind.Field("detected-at"))})
}

// drives returns how full the drives of a computer are.
func (c *call) drives(computer *inventory.Computer) (bars []driveBar) {
	for _, d := range computer.Drives {
		bar := driveBar{Name: d.Name, Label: d.DriveName, Type: d.Type}
		if d.TotalSpace.V > 0 && d.FreeSpace.Valid {
			used := max(0, d.TotalSpace.V-d.FreeSpace.V)
			bar.Percent = int(min(100, used*100/d.TotalSpace.V))
			bar.Used, bar.Total, bar.Free = c.megabytes(used), c.megabytes(d.TotalSpace.V), c.megabytes(d.FreeSpace.V)
		}
		switch {
		case bar.Percent >= driveBad:
			bar.Tone = "bad"
		case bar.Percent >= driveWarns:
			bar.Tone = "warn"
		}
		bars = append(bars, bar)
	}
	return bars
}

// slots returns the places for memory of a computer.
func (c *call) slots(computer *inventory.Computer) (slots []slot) {
	for i, m := range computer.Memories {
		n := int64(i + 1)
		if m.Slot.Valid {
			n = m.Slot.V
		}
		one := slot{Title: c.t("Slot %d", n)}
		if m.Name != "" {
			one.Title += " · " + m.Name
		}
		if m.Capacity.V > 0 {
			one.Size = c.megabytes(m.Capacity.V)
			one.About = m.Type
			if m.Speed != "" {
				one.About = joined(m.Type, m.Speed)
			}
		}
		slots = append(slots, one)
	}
	return slots
}

// joined returns two texts with a comma between them, if both say something.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + ", " + b
}

// countEmpty returns how many slots have no module.
func countEmpty(memories []inventory.Memory) (n int) {
	for _, m := range memories {
		if m.Capacity.V == 0 {
			n++
		}
	}
	return n
}

// steps returns where in the list that one came from a record is, nil when it is
// there no more.
func (s *section) steps(c *call, id int64) (*steps, error) {
	query := c.URL.Query()
	n, err := strconv.Atoi(query.Get("n"))
	values, bad := url.ParseQuery(query.Get("list"))
	if err != nil || bad != nil || n < 1 {
		return nil, nil
	}
	q, err := s.query(c, without(s.tidy(values), "page", "per_page", "after"))
	if err != nil {
		return nil, nil // the list is none any more
	}
	first := 0
	q.PerPage, q.Page, first = around(n)
	found, err := c.web.Desk.List(c.Context(), c.who(), s.kind, q)
	at := n - 1 - first
	if err != nil || at >= len(found.Records) || s.kind.Meta(found.Records[at]).ID != id {
		return nil, err
	}
	to := func(i, n int) string {
		if i < 0 || i >= len(found.Records) {
			return ""
		}
		return address(s.recordPath(s.kind.Meta(found.Records[i]).ID), with(without(query, "on"), "n", strconv.Itoa(n)))
	}
	return &steps{N: n, Of: found.Total, Prev: to(at-1, n-1), Next: to(at+1, n+1), List: address("/"+s.path, values)}, nil
}

// around returns the size and number of a page that has the record of a number
// with those before and after it, and how many records come before that page.
func around(n int) (size, page, first int) {
	for size = 3; ; size++ {
		if at := (n - 1) % size; n == 1 || at > 0 && at < size-1 {
			return size, (n-1)/size + 1, (n - 1) / size * size
		}
	}
}

// A recordTable is a list that belongs to a record.
type recordTable struct {
	Heads []string
	Rows  [][]cell
	Total int
	Look  string // the query of what is shown, for its form
	Find  string
}

// tabRows is how many records a tab shows.
const tabRows = 250

// fillTab reads what the open tab shows, and how much the others have.
func (c *call) fillTab(s *section, p *computerPage) error {
	totals := map[string]int{}
	for _, name := range computerTabs[2:] {
		list, err := c.belonging(p.ID, name, p.Tab == name)
		if err != nil {
			return err
		}
		totals[name] = list.Total
		if p.Tab == name {
			p.Table = list
		}
		if p.Tab == "" && (name == "tickets" || name == "risks" || name == "contracts") {
			p.Lists = append(p.Lists, list.beginning(c, name))
		}
	}
	query := without(c.URL.Query(), "q", "view", "page")
	for _, name := range computerTabs {
		title := map[string]string{"": msg("Overview"), "hardware": msg("Hardware"), "software": msg("Software"), "tickets": msg("Tickets"), "risks": msg("Risks"), "contracts": msg("Contracts"), "history": msg("History")}[name]
		tab := recordTab{Title: c.t(title), Href: address(p.Path, with(query, "tab")), Total: -1, Current: name == p.Tab}
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
		p.Days, err = c.history(p.ID)
	case "":
		p.Changes, err = c.changesOf(s.kind, p.ID)
	}
	return err
}

// belonging returns a list that belongs to a computer; only few of it unless it
// is wanted whole.
func (c *call) belonging(id int64, name string, whole bool) (*recordTable, error) {
	if name == "contracts" {
		q := &kind.Query{Page: 1, PerPage: relatedRows, Today: kind.Today(c.web.Now()), Conds: []kind.Cond{{
			Field: inventory.Contracts.Field("hardwares"), Target: inventory.Computers.Schema, Any: []kind.Test{{Range: true, Min: id, Max: id}},
		}}}
		if whole {
			q.PerPage = tabRows
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
	relations := desk.Relations(inventory.Computers.Schema)
	r := relations[slices.IndexFunc(relations, func(r *desk.Relation) bool { return r.Name == path })]
	query := url.Values{"per_page": {strconv.Itoa(relatedRows)}}
	if whole {
		query.Set("per_page", strconv.Itoa(tabRows))
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
		query.Set("per_page", strconv.Itoa(kind.MaxPerPage))
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

// recordTable returns records of a section as a table.
func (c *call) recordTable(s *section, found kind.Page) *recordTable {
	t := &recordTable{Total: found.Total}
	for _, col := range s.columns {
		t.Heads = append(t.Heads, s.heading(c, s.kind.Field(col.field)))
	}
	for _, rec := range found.Records {
		var cells []cell
		for _, col := range s.columns {
			one := c.cell(s.kind.Values(rec), s.kind.Field(col.field))
			if col.field == s.lead {
				one = cell{Look: "name", Text: s.name(rec), Href: s.recordPath(s.kind.Meta(rec).ID)}
			}
			one.Class = col.class
			cells = append(cells, one)
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
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
				one = cell{Look: "name", Text: one.Text, Href: c.recordPath(inventory.Softwares.Schema, inventory.Softwares.Meta(rec).ID)}
			}
			cells = append(cells, one)
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// beginning returns the first rows of a list, for the side of a page.
func (t *recordTable) beginning(c *call, name string) relatedList {
	title := map[string]string{"tickets": "Tickets", "risks": "Risks", "contracts": "Contracts"}[name]
	list := relatedList{Title: c.t(title), Total: t.Total}
	for _, cells := range t.Rows[:min(relatedRows, len(t.Rows))] {
		one := row{Name: cells[0].Text, Href: cells[0].Href}
		for _, more := range cells[1:] {
			if more.Look == "dot" {
				one.Cells = []cell{more}
			}
		}
		list.Rows = append(list.Rows, one)
	}
	return list
}

// A historyDay is what became of a computer on one day.
type historyDay struct {
	Title   string
	Entries []historyEntry
}

// A historyEntry is one audit record.
type historyEntry struct {
	Time, ISO, Icon string
	Text, Who       string
	Href            string // of a record that it is about, "" for the computer itself
	Diffs           []historyDiff
}

// A historyDiff is a changed field.
type historyDiff struct{ Label, From, To string }

// history returns the changes of a computer by day, the latest first.
func (c *call) history(id int64) (days []historyDay, err error) {
	relations := desk.Relations(inventory.Computers.Schema)
	r := relations[slices.IndexFunc(relations, func(r *desk.Relation) bool { return r.Name == "audits" })]
	q, err := r.Kind.ParseQuery(fmt.Sprintf("sort_by=id&sort_order=DESC&per_page=%d", tabRows), c.web.Now())
	if err != nil {
		return nil, err
	}
	found, err := c.web.Desk.ListOf(c.Context(), c.who(), desk.Place{Relation: r, ID: id}, q)
	if err != nil {
		return nil, err
	}
	for _, rec := range found.Records {
		a := rec.(*inventory.Audit)
		at := a.CreatedAt.In(c.zone())
		if title := c.weekday(at); len(days) == 0 || days[len(days)-1].Title != title {
			days = append(days, historyDay{Title: title})
		}
		day := &days[len(days)-1]
		day.Entries = append(day.Entries, c.historyEntry(a, at, id))
	}
	return days, nil
}

// historyEntry returns an audit record as a line of a computer's history.
func (c *call) historyEntry(a *inventory.Audit, at time.Time, id int64) historyEntry {
	e := historyEntry{Time: c.clock(at), ISO: at.UTC().Format(time.RFC3339), Icon: "edit", Text: c.deed(a), Who: c.doer(a)}
	k := inventory.Find(a.RecordType)
	if k != nil && k != inventory.Computers.Schema {
		e.Href = c.recordPath(k, a.RecordID.V)
		if s := sectionOf(k); s != nil {
			e.Icon = s.icon
		}
		return e
	}
	icons := map[string]string{"softwares": "software", "memories": "memory", "memory": "memory", "drives": "drive", "storages": "drive", "networks": "network", "ip": "network", "cpu": "cpu"}
	for _, change := range a.Changes {
		if icon, ok := icons[change.Field]; ok {
			e.Icon = icon
		}
		f := inventory.Computers.Field(change.Field)
		if f != nil && f.Type != kind.List && a.Action != inventory.Created {
			e.Diffs = append(e.Diffs, historyDiff{c.label(f), c.eventValue(f, change.From), c.eventValue(f, change.To)})
		}
	}
	if len(e.Diffs) > 0 && len(e.Diffs) == len(a.Changes) {
		e.Text = c.tn(len(e.Diffs), "%s field changed", "%s fields changed")
	}
	return e
}
