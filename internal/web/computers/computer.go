// Package computers has the page of a computer with its parts, history and past, and
// what only computers have: merging, splitting, and looking at duplicates. Their list
// and form belong in package records.
package computers

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/web/page"
	"muster/internal/web/records"
)

// A computerPage is what the page of a computer shows.
type computerPage struct {
	*records.RecordPage
	Tab      string // that is open
	Tabs     []recordTab
	Tag      string
	Version  int64
	Drives   []driveBar
	Slots    []slot
	Modules  int // slots that are in use
	Adapters []inventory.Network
	Held     map[string]records.Fact // the collections that have a layout of their own, by their names
	Table    *recordTable            // of a tab that is a list
	LeftOut  string                  // says how many programs a limit left out, "" for none
	Days     []historyDay
	Ticks    *ticks               // nil for none
	Past     *pastNotice          // nil for the present
	Software []inventory.Software // as it was
	On, Max  string               // days of the form that asks for another
	NewTo    string               // the address that makes a ticket about it
	Splits   bool                 // it has two agents or more
	Rest     string               // the query of the page, to come back to it
}

// Show shows a computer.
func Show(c *page.Call) (*page.Answer, error) {
	return computerAnswer(c, factDraft{field: c.URL.Query().Get("edit"), status: http.StatusOK})
}

// computerAnswer shows a computer, with the form of a fact.
func computerAnswer(c *page.Call, draft factDraft) (*page.Answer, error) {
	s := records.SectionOf(c.App, inventory.Computers.Schema)
	rec, err := s.Get(c)
	if err != nil {
		return nil, err
	}
	computer := rec.(*inventory.Computer)
	past, err := pastOf(c, &computer)
	if err != nil {
		return nil, err
	}
	p := &computerPage{RecordPage: s.NewRecordPage(c, computer), Tab: tabOf(c), Tag: computer.Tag,
		Version: computer.Version, Past: past, Software: computer.Softwares}
	if past.leavesOut(p.Tab) {
		p.Tab = ""
	}
	if n := int(computer.SoftwaresLeftOut.V); n > 0 && past == nil {
		p.LeftOut = c.TN(n, "and %s more program, which a limit for new names held back: it comes with one of the next reports",
			"and %s more programs, which a limit for new names held back: they come with the next reports")
	}
	p.Max = c.Now().Format(time.DateOnly)
	if p.On = c.URL.Query().Get("on"); p.On == "" {
		p.On = p.Max
	}
	p.Change = p.Change && past == nil
	if p.Splits, err = splits(c, p.Change, computer.ID); err != nil {
		return nil, err
	}
	p.Rest = page.Without(c.URL.Query(), "edit").Encode()
	p.NewTo = "/tickets/new?" + url.Values{"hardwares": {strconv.FormatInt(p.ID, 10)}}.Encode()
	p.Line = line(s, c, computer)
	p.Drives, p.Slots, p.Adapters = drives(c, computer), slots(c, computer), computer.Networks
	p.Modules = len(computer.Memories) - countEmpty(computer.Memories)
	p.Held = setByPerson(p.Parts)
	p.Parts = slices.DeleteFunc(p.Parts, func(one records.Part) bool { return slices.Contains(laidOut, one.Field) })
	if err := fillTab(c, s, p); err != nil {
		return nil, err
	}
	if number, rows := tabPlace(c); p.Table != nil {
		if a := c.LastPage(kind.Position{Number: number, PerPage: rows, Total: p.Table.Total},
			len(p.Table.Rows)+len(p.Days)); a != nil {
			return a, nil
		}
	}
	if p.Steps, err = s.Steps(c, p.ID); err != nil {
		return nil, err
	}
	openFacts(s, c, p, computer, draft)
	return &page.Answer{Status: draft.status, Template: "computer", Page: page.Page{
		Title: p.Name, Here: "/" + s.Path, Scripts: []string{"form.js", "computer.js"}, Data: p,
	}}, nil
}

// line returns what matters most of a computer.
func line(s *records.Section, c *page.Call, computer *inventory.Computer) (line []records.LineItem) {
	v := s.Kind.Values(computer)
	for _, one := range []struct{ icon, field string }{
		{"tag", "asset-id"}, {"user", "owner"}, {"software", "operating-system"}, {"site", "site"},
	} {
		if found := c.Cell(v, s.Kind.Field(one.field)); found.Look != "" {
			if one.field == "site" {
				found.Look, found.Href = "link", page.Address("/computers", url.Values{"site": {computer.Site}})
			}
			line = append(line, records.LineItem{Icon: one.icon, Cell: found})
		}
	}
	return append(line, records.LineItem{Icon: "clock", Cell: s.CellOf(c, v, s.Kind.Field("detected-at"))})
}
