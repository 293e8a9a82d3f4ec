package web

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
)

// A computerPage is what the page of a computer shows.
type computerPage struct {
	*recordPage
	Tab      string // that is open
	Tabs     []recordTab
	Tag      string
	Version  int64
	Drives   []driveBar
	Slots    []slot
	Modules  int // slots that are in use
	Adapters []inventory.Network
	Held     map[string]fact // the collections that have a layout of their own, by their names
	Table    *recordTable    // of a tab that is a list
	LeftOut  string          // says how many programs a limit held back, "" for none
	Days     []historyDay
	Ticks    *ticks               // nil for none
	Past     *pastNotice          // nil for the present
	Software []inventory.Software // as it was
	On, Max  string               // days of the form that asks for another
	NewTo    string               // the address that makes a ticket about it
	Splits   bool                 // it has two agents or more
	Rest     string               // the query of the page, to come back to it
}

// showComputer shows a computer.
func (c *call) showComputer() (*answer, error) {
	return c.computerAnswer(factDraft{field: c.URL.Query().Get("edit"), status: http.StatusOK})
}

// computerAnswer shows a computer, with the form of a fact.
func (c *call) computerAnswer(draft factDraft) (*answer, error) {
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
	p := &computerPage{recordPage: s.newRecordPage(c, computer), Tab: tabOf(c), Tag: computer.Tag, Version: computer.Version, Past: past, Software: computer.Softwares}
	if past.leavesOut(p.Tab) {
		p.Tab = ""
	}
	if n := int(computer.SoftwaresLeftOut.V); n > 0 && past == nil {
		p.LeftOut = c.tn(n, "and %s more program, which a limit for new names held back: it comes with one of the next reports",
			"and %s more programs, which a limit for new names held back: they come with the next reports")
	}
	p.Max = c.now().Format(time.DateOnly)
	if p.On = c.URL.Query().Get("on"); p.On == "" {
		p.On = p.Max
	}
	p.Change = p.Change && past == nil
	if p.Splits, err = c.splits(p.Change, computer.ID); err != nil {
		return nil, err
	}
	p.Rest = without(c.URL.Query(), "edit").Encode()
	p.NewTo = "/tickets/new?" + url.Values{"hardwares": {strconv.FormatInt(p.ID, 10)}}.Encode()
	p.Line = s.line(c, computer)
	p.Drives, p.Slots, p.Adapters = c.drives(computer), c.slots(computer), computer.Networks
	p.Modules = len(computer.Memories) - countEmpty(computer.Memories)
	p.Held = heldBy(p.Parts)
	p.Parts = slices.DeleteFunc(p.Parts, func(one part) bool { return slices.Contains(laidOut, one.field) })
	if err := c.fillTab(s, p); err != nil {
		return nil, err
	}
	if number, rows := c.tabPlace(); p.Table != nil {
		if a := c.lastPage(kind.Position{Number: number, PerPage: rows, Total: p.Table.Total}, len(p.Table.Rows)+len(p.Days)); a != nil {
			return a, nil
		}
	}
	if p.Steps, err = s.steps(c, p.ID); err != nil {
		return nil, err
	}
	s.openFacts(c, p, computer, draft)
	return &answer{status: draft.status, template: "computer", page: page{Title: p.Name, Here: "/" + s.path, Scripts: []string{"form.js", "computer.js"}, Data: p}}, nil
}

// line returns what matters most of a computer.
func (s *section) line(c *call, computer *inventory.Computer) (line []lineItem) {
	v := s.kind.Values(computer)
	for _, one := range []struct{ icon, field string }{{"tag", "asset-id"}, {"user", "owner"}, {"software", "operating-system"}, {"site", "site"}} {
		if found := c.cell(v, s.kind.Field(one.field)); found.Look != "" {
			if one.field == "site" {
				found.Look, found.Href = "link", address("/computers", url.Values{"site": {computer.Site}})
			}
			line = append(line, lineItem{one.icon, found})
		}
	}
	return append(line, lineItem{"clock", s.cellOf(c, v, s.kind.Field("detected-at"))})
}
