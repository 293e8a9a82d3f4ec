package web

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
)

// An action is a button on a record's page that sets one of its fields.
type action struct {
	Title   string
	Field   string
	Value   string
	Until   string // the field of a day to be given with it, "" for none
	Primary bool
}

// quickRoutes are the paths to which buttons on the pages of records post.
func (w *Web) quickRoutes() {
	for _, s := range sections {
		if s.buttons != nil {
			w.route("/"+s.path+"/{id}/set", s.access, verbs{"POST": s.set})
		}
	}
}

// set changes what a button on a record's page says.
func (s *section) set(c *call) (*answer, error) {
	id, err := c.id(s.kind)
	if err != nil {
		return nil, err
	}
	values := url.Values{}
	for _, name := range s.buttons {
		if given, ok := c.form[name]; ok {
			values[name] = given
		}
	}
	if day, err := time.ParseInLocation(time.DateOnly, values.Get("ignored-until"), c.zone()); err == nil {
		values.Set("ignored-until", day.Format(localTime))
	}
	rec, err := c.web.Desk.Update(c.Context(), c.who(), s.target(c, id), c.documentOf(s.kind, values))
	if isRefusal(err, desk.Changed) {
		c.warn(c.t("Somebody changed it meanwhile, so nothing was done. Look at it again."))
		return c.goTo(s.recordPath(id))
	}
	if faults := faultsOf(err); faults != nil {
		return s.changeAgain(c, blank{status: http.StatusUnprocessableEntity, faults: faults}, nil)
	}
	if err != nil {
		return nil, err
	}
	text := c.t("%s is %s now", s.name(rec), c.cell(s.kind.Values(rec), s.kind.Field(s.state)).Text)
	if err := c.sayUndo(text, s.kind, id); err != nil {
		return nil, err
	}
	return c.goTo(s.recordPath(id))
}

// contractPage adds the term of a contract, and the use of a licence.
func (c *call) contractPage(p *recordPage, rec any) {
	contract := rec.(*inventory.Contract)
	p.Term, p.Use = c.term(contract), c.use(contract)
	if p.Use == nil {
		p.leaveOut("seats", "installed", "compliance")
	}
}

// articlePage shows the text of an article as it is read.
func (c *call) articlePage(p *recordPage, rec any) {
	article := rec.(*inventory.Solution)
	p.Texts, p.Prose = nil, c.markdown(article.Description)
	p.Actions = articleActions(c, article)
}

// riskPage adds what can be done with a risk.
func (c *call) riskPage(p *recordPage, rec any) { p.Actions = riskActions(c, rec.(*inventory.Risk)) }

// trailPage shows an audit record in the words of people instead of its fields.
func (c *call) trailPage(p *recordPage, rec any) {
	p.Audit = c.auditPage(rec.(*inventory.Audit))
	p.Facts, p.Texts, p.Parts, p.Line = nil, nil, nil, nil
}

// leaveOut takes facts away that have no value.
func (p *recordPage) leaveOut(names ...string) {
	for i := range p.Facts {
		p.Facts[i].Items = slices.DeleteFunc(p.Facts[i].Items, func(f fact) bool { return f.Cell.Look == "" && slices.Contains(names, f.Name) })
	}
}

// articleActions are what can be done with an article.
func articleActions(c *call, a *inventory.Solution) []action {
	if a.State == inventory.SolutionPublished {
		return []action{{Title: c.t("Unpublish"), Field: "state", Value: inventory.SolutionInternal}}
	}
	return []action{{Title: c.t("Publish"), Field: "state", Value: inventory.SolutionPublished, Primary: true}}
}

// riskActions are what can be done with a risk.
func riskActions(c *call, r *inventory.Risk) []action {
	if r.Status != inventory.RiskOpen {
		return []action{{Title: c.t("Reopen"), Field: "status", Value: inventory.RiskOpen}}
	}
	return []action{
		{Title: c.t("Resolve"), Field: "status", Value: inventory.RiskResolved, Primary: true},
		{Title: c.t("Ignore"), Field: "status", Value: inventory.RiskIgnored, Until: "ignored-until"},
	}
}

// A term is the time of a contract from its start to its end.
type term struct {
	From, To string
	Gone     string // how much of it is over, as a part of the width
	Left     string // in words
	Tone     string
}

// daysSoon is how many days before its end a contract is told to end soon.
const daysSoon = 90

// daysUntil returns how many days a date is ahead, which is negative for one that
// is over. Dates have no zone: today is the day that the person has.
func (c *call) daysUntil(date time.Time) int { return int(date.Sub(c.today()).Hours() / 24) }

// term returns the time of a contract, nil when it has no end.
func (c *call) term(k *inventory.Contract) *term {
	if k.EndDate.IsZero() {
		return nil
	}
	left := c.daysUntil(k.EndDate)
	p := &term{To: c.date(k.EndDate), Gone: "100%", Tone: "good"}
	switch {
	case left < 0:
		p.Left, p.Tone = c.tn(-left, "ended %s day ago", "ended %s days ago"), "bad"
	case left == 0:
		p.Left, p.Tone = c.t("ends today"), "bad"
	default:
		p.Left = c.tn(left, "%s day left", "%s days left")
		if left <= daysSoon {
			p.Tone = "warn"
		}
	}
	if k.StartDate.IsZero() {
		if left > 0 {
			p.Gone = "0%"
		}
		return p
	}
	p.From = c.date(k.StartDate)
	switch whole := k.EndDate.Sub(k.StartDate); {
	case whole < 0:
		p.Left, p.Tone = c.t("ends before it begins"), "bad"
	case whole > 0:
		p.Gone = fmt.Sprintf("%.1f%%", 100*min(1, max(0, float64(c.today().Sub(k.StartDate))/float64(whole))))
	}
	return p
}

// A use is how many seats of a licence are used.
type use struct {
	Seats, Installed int
	Width            string // of the part that is used
	Compliance       cell
}

// use returns the use of a licence, nil for another contract.
func (c *call) use(k *inventory.Contract) *use {
	if k.Type != inventory.SoftwareLicense {
		return nil
	}
	u := &use{Seats: int(k.Seats.V), Installed: int(k.Installed.V), Width: "100%"}
	if k.Seats.V > 0 {
		u.Width = strconv.Itoa(int(min(100, 100*float64(k.Installed.V)/float64(k.Seats.V)))) + "%"
	} else if k.Installed.V == 0 {
		u.Width = "0%"
	}
	u.Compliance = c.cell(inventory.Contracts.Values(k), inventory.Contracts.Field("compliance"))
	return u
}

// An auditEntry is an audit record for people.
type auditEntry struct {
	Who, Origin, Kind string
	Record            cell
	When              *moment
	Changes           []historyDiff
	Pager             pager // of the changes, of a page of their own
}

// auditRows is how many changes the page of an audit record shows.
const auditRows = 100

// auditPage returns an audit record for a page of its own, with one page of its
// changes.
func (c *call) auditPage(a *inventory.Audit) *auditEntry {
	number, rows := c.place(auditRows)
	number = min(number, max(1, (len(a.Changes)+rows-1)/rows))
	at, from := kind.Position{Number: number, PerPage: rows, Total: len(a.Changes)}, (number-1)*rows
	some := *a
	some.Changes = a.Changes[from:min(from+rows, len(a.Changes))]
	e := c.auditEntry(&some)
	e.Pager = c.newPager(at, c.web.place(inventory.Audits.Schema).recordPath(a.ID), without(c.URL.Query(), "page"))
	return e
}

// auditEntry returns an audit record for people.
func (c *call) auditEntry(a *inventory.Audit) *auditEntry {
	e := &auditEntry{Who: c.doer(a), Origin: c.value(a.Origin), Kind: c.t(a.RecordType), When: c.moment(a.CreatedAt), Record: cell{Look: "text", Text: a.RecordName}}
	if k := inventory.Find(a.RecordType); k != nil {
		e.Kind = c.t(k.Noun)
		if a.RecordPath != "" {
			e.Record = cell{Look: "link", Text: a.RecordName, Href: c.recordPath(k, a.RecordID.V)}
		}
	}
	e.Changes = c.changes(a)
	return e
}
