package web

import (
	"fmt"
	"slices"
	"strconv"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/web/activity"
	"muster/internal/web/page"
	"muster/internal/web/records"
)

// quickRoutes are the paths to which buttons on the pages of records post.
func quickRoutes(w *page.App) {
	for _, s := range records.SectionsOf(w) {
		if s.Buttons != nil {
			w.Route("/"+s.Path+"/{id}/set", s.Access, page.Verbs{"POST": s.Set})
		}
	}
}

// contractPage adds the term of a contract, and the use of a licence.
func contractPage(c *page.Call, p *records.RecordPage, rec any) {
	contract := rec.(*inventory.Contract)
	p.Term, p.Use = newTerm(c, contract), newUse(c, contract)
	if p.Use == nil {
		leaveOut(p, "seats", "installed", "compliance")
	}
	leaveOut(p, "counting") // which the use says
}

// articlePage shows the text of an article as it is read.
func articlePage(c *page.Call, p *records.RecordPage, rec any) {
	article := rec.(*inventory.Solution)
	p.Texts, p.Prose = nil, c.Markdown(article.Description)
	p.Actions = articleActions(c, article)
}

// riskPage adds what can be done with a risk.
func riskPage(c *page.Call, p *records.RecordPage, rec any) {
	p.Actions = riskActions(c, rec.(*inventory.Risk))
}

// trailPage shows an audit record in the words of people instead of its fields.
func trailPage(c *page.Call, p *records.RecordPage, rec any) {
	p.Audit = auditPage(c, rec.(*inventory.Audit))
	p.Facts, p.Texts, p.Parts, p.Line = nil, nil, nil, nil
}

// auditTitle returns the sentence of an audit record, which is its title.
func auditTitle(c *page.Call, rec any) string {
	return activity.AuditSentence(c, rec.(*inventory.Audit))
}

// releasable reports whether a person has set a field of a computer that reports may
// set again.
func releasable(rec any, f *kind.Field) bool { return desk.Releasable(rec.(*inventory.Computer), f) }

// leaveOut takes facts away that have no value.
func leaveOut(p *records.RecordPage, names ...string) {
	for i := range p.Facts {
		p.Facts[i].Items = slices.DeleteFunc(p.Facts[i].Items,
			func(f records.Fact) bool { return f.Cell.Look == "" && slices.Contains(names, f.Name) })
	}
}

// articleActions are what can be done with an article.
func articleActions(c *page.Call, a *inventory.Solution) []records.Action {
	if a.State == inventory.SolutionPublished {
		return []records.Action{{Title: c.T("Unpublish"), Field: "state", Value: inventory.SolutionInternal}}
	}
	return []records.Action{{Title: c.T("Publish"), Field: "state", Value: inventory.SolutionPublished, Primary: true}}
}

// riskActions are what can be done with a risk.
func riskActions(c *page.Call, r *inventory.Risk) []records.Action {
	if r.Status != inventory.RiskOpen {
		return []records.Action{{Title: c.T("Reopen"), Field: "status", Value: inventory.RiskOpen}}
	}
	return []records.Action{
		{Title: c.T("Resolve"), Field: "status", Value: inventory.RiskResolved, Primary: true},
		{Title: c.T("Ignore"), Field: "status", Value: inventory.RiskIgnored, Until: "ignored-until"},
	}
}

// newTerm returns the time of a contract, nil when it has no end.
func newTerm(c *page.Call, k *inventory.Contract) *records.Term {
	if k.EndDate.IsZero() {
		return nil
	}
	left := c.DaysUntil(k.EndDate)
	p := &records.Term{To: c.Date(k.EndDate), Gone: "100%", Tone: "good"}
	switch {
	case left < 0:
		p.Left, p.Tone = c.TN(-left, "ended %s day ago", "ended %s days ago"), "bad"
	case left == 0:
		p.Left, p.Tone = c.T("ends today"), "bad"
	default:
		p.Left = c.TN(left, "%s day left", "%s days left")
		if left <= page.DaysSoon {
			p.Tone = "warn"
		}
	}
	if k.StartDate.IsZero() {
		if left > 0 {
			p.Gone = "0%"
		}
		return p
	}
	p.From = c.Date(k.StartDate)
	switch whole := k.EndDate.Sub(k.StartDate); {
	case whole < 0:
		p.Left, p.Tone = c.T("ends before it begins"), "bad"
	case whole > 0:
		p.Gone = fmt.Sprintf("%.1f%%", 100*min(1, max(0, float64(c.Today().Sub(k.StartDate))/float64(whole))))
	}
	return p
}

// newUse returns the use of a licence, nil for another contract.
func newUse(c *page.Call, k *inventory.Contract) *records.Use {
	if k.Type != inventory.SoftwareLicense {
		return nil
	}
	u := &records.Use{Seats: int(k.Seats.V), Installed: int(k.Installed.V), Known: k.Installed.Valid, Counting: k.Counting.V,
		Width: "100%"}
	if k.Seats.V > 0 {
		u.Width = strconv.Itoa(int(min(100, 100*float64(k.Installed.V)/float64(k.Seats.V)))) + "%"
	} else if k.Installed.V == 0 {
		u.Width = "0%"
	}
	u.Compliance = c.Cell(inventory.Contracts.Values(k), inventory.Contracts.Field("compliance"))
	return u
}

// contractCell shows in lists that a licence is being counted, instead of a state that may be another one.
func contractCell(c *page.Call, v kind.Values, f *kind.Field, usual page.Cell) page.Cell {
	if f.Name == "compliance" && v.Bool(inventory.Contracts.Field("counting")).V {
		return page.Cell{Look: "text", Text: c.T("counting…")}
	}
	return usual
}

// auditRows is how many changes the page of an audit record shows.
const auditRows = 100

// auditPage returns an audit record for a page of its own, with one page of its
// changes.
func auditPage(c *page.Call, a *inventory.Audit) *activity.AuditEntry {
	number, rows := c.Place(auditRows)
	number = min(number, max(1, (len(a.Changes)+rows-1)/rows))
	at, from := kind.Position{Number: number, PerPage: rows, Total: len(a.Changes)}, (number-1)*rows
	some := *a
	some.Changes = a.Changes[from:min(from+rows, len(a.Changes))]
	e := activity.NewAuditEntry(c, &some)
	e.Pager = c.NewPager(at, c.App.Place(inventory.Audits.Schema).RecordPath(a.ID), page.Without(c.URL.Query(), "page"))
	return e
}
