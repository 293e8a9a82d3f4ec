package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"muster/bench/result"
	"muster/internal/demo"
)

// Goals of the pages of the online application: microseconds that each may take,
// its compression included, with a database of so many computers. At other sizes
// they have none.
const (
	webCPU       = 12_000
	dashboardCPU = 20_000 // which counts over all records
	webSize      = 100_000
	// on PostgreSQL, times the CPU time of a fixed body, its own processes included
	webWithPostgres = 400
)

// openTickets is the query of all tickets that somebody must work on.
const openTickets = "state=New&state=Assigned&state=Awaiting+Input&state=On+Hold"

// A webPage is a page that is measured. Its target depends on which request it is
// and on how many computers there are.
type webPage struct {
	name   string
	target func(i int64, n int) string
}

// webPages are the pages that people open: lists with the counts of their views
// and filters, records, what belongs to them, searches and the dashboard.
var webPages = slices.Concat(listPages, recordPages, tabPages(), relationPages)

const dashboard = "dashboard"

// listPages are lists and what finds records.
var listPages = []webPage{
	{dashboard, fixedly("/")},
	{"computers", fixedly("/computers")},
	{"computers, two filters", fixedly("/computers?status=Operational&site=Hamburg")},
	{"computers, a filter to choose", fixedly("/computers?add=department")},
	{"computers, a search with many hits", fixedly("/computers?q=pro")},
	{"computers, by last report", fixedly("/computers?sort_by=detected_at&sort_order=DESC")},
	{"computers, page in the middle", func(_ int64, n int) string {
		return fmt.Sprintf("/computers?page=%d", max(1, n/100))
	}},
	{"computers, not reporting", fixedly("/computers?not_reporting=10")},
	{"tickets, all open", fixedly("/tickets?" + openTickets)},
	{"tickets, queue of a person",
		fixedly("/tickets?assignee=" + url.QueryEscape(demo.Users()[0].Email) + "&" + openTickets)},
	{"tickets, two filters", fixedly("/tickets?priority=High&site=Hamburg")},
	{"tickets, a search with many hits", fixedly("/tickets?q=laptop")},
	{"articles", fixedly("/articles")},
	{"software", fixedly("/software")},
	{"software, a search with many hits", fixedly("/software?q=microsoft")},
	{"printers", fixedly("/printers")},
	{"other assets", fixedly("/assets")},
	{"contracts", fixedly("/contracts")},
	{"contracts, licences", fixedly("/contracts?type=SoftwareLicense")},
	{"vendors", fixedly("/vendors")},
	{"risks", fixedly("/risks")},
	{"activity", fixedly("/activity")},
	{"activity, two filters", fixedly("/activity?action=create&record_type=ticket")},
	{"users", fixedly("/users")},
	{"agents", fixedly("/agents")},
	{"search", fixedly("/search?q=pro")},
	{"search, few hits", func(i int64, n int) string { return fmt.Sprintf("/search?q=MUS-%06d", scattered(i, n)) }},
	{"instant search", fixedly("/search/instant?q=pr")},
	{"suggestions", fixedly("/suggest/computers/owner?q=a")},
}

// recordPages are records and their forms.
var recordPages = []webPage{
	{"a computer", each("/computers/%d", scattered)},
	{"a ticket", each("/tickets/%d", scattered)},
	{"a ticket of a queue", func(i int64, n int) string {
		return fmt.Sprintf("/tickets/%d?list=state%%3DNew&n=%d", scattered(i, n), 1+i%int64(max(1, n/10)))
	}},
	{"an article", each("/articles/%d", oneOfFew)},
	{"a program", each("/software/%d", scattered)},
	{"a printer", each("/printers/%d", oneOfFew)},
	{"an asset", each("/assets/%d", oneOfFew)},
	{"a contract", each("/contracts/%d", otherContract)},
	{"a licence", each("/contracts/%d", licence)},
	{"a vendor", each("/vendors/%d", oneOfFew)},
	{"a risk", each("/risks/%d", func(i int64, n int) int64 { return scattered(i, max(1, n/aboutRisk)) })},
	{"a change", each("/activity/%d", scattered)},
	{"a user", each("/users/%d", func(i int64, _ int) int64 { return scattered(i, len(demo.Users())) })},
	{"form of a computer", each("/computers/%d/edit", scattered)},
}

// tabPages are the parts of a computer's page beside the first.
func tabPages() (all []webPage) {
	for _, tab := range []string{"hardware", "software", "tickets", "risks", "contracts", "history"} {
		all = append(all, webPage{tab + " of a computer", each("/computers/%d?tab="+tab, scattered)})
	}
	return all
}

// relationPages are the lists that belong to records. The first program is one
// that most computers have.
var relationPages = []webPage{
	{"computers with a program", fixedly("/software/1/computers")},
	{"licences of a program", fixedly("/software/1/licences")},
	{"computers with a printer", each("/printers/%d/computers", oneOfFew)},
	{"computers of a contract", each("/contracts/%d/computers", otherContract)},
	{"computers that use a licence", each("/contracts/%d/use", licence)},
	{"programs of a licence", each("/contracts/%d/programs", licence)},
	{"contracts of a vendor", each("/vendors/%d/contracts", oneOfFew)},
}

// each returns targets that are those of different records, in some order of
// their ids.
func each(format string, id func(i int64, n int) int64) func(int64, int) string {
	return func(i int64, n int) string { return fmt.Sprintf(format, id(i, n)) }
}

// oneOfFew returns the id of a record that there are few of.
func oneOfFew(i int64, n int) int64 { return scattered(i, few(n)) }

// fixedly returns the same target for all requests.
func fixedly(target string) func(int64, int) string {
	return func(int64, int) string { return target }
}

// pages are the operations of getting pages, of a database of n computers. They
// are asked for as browsers do, with a session and compressed.
func pages(n int) (all []operation) {
	for _, p := range webPages {
		o := get("page, "+p.name, func(i int64) string { return "/app" + p.target(i, n) })
		o.session = true
		if n == webSize {
			o.goals = p.goals()
		}
		all = append(all, o)
	}
	return all
}

// goals are those of a page at webSize.
func (p webPage) goals() result.Goals {
	aim, most := "pages", float64(webCPU)
	if p.name == dashboard {
		aim, most = dashboard, dashboardCPU
	}
	aim += fmt.Sprintf(", at %s computers", result.Counted(webSize))
	return result.Goals{Aim: aim, MaxCPU: most, WithPostgres: webWithPostgres}
}

// session returns the cookie of a session, for which somebody signs in when it
// is first asked for.
func (a *arena) session(ctx context.Context) (string, error) {
	if a.cookie != "" {
		return a.cookie, nil
	}
	c, err := dial(ctx, a.muster)
	if err != nil {
		return "", err
	}
	defer c.close()
	c.cookie = "none=yet" // as of a browser that was never here
	form := url.Values{"email": {user}, "password": {password}, "stay": {"yes"}}
	if err := c.do(request{http.MethodPost, "/app/signin", form.Encode()}); err != nil {
		return "", fmt.Errorf("sign in: %w", err)
	}
	i := slices.IndexFunc(c.cookies, func(text []byte) bool { return bytes.HasPrefix(text, []byte("__Host-muster=")) })
	if c.status != http.StatusSeeOther || i < 0 {
		return "", fmt.Errorf("sign in: got status %d and no session", c.status)
	}
	value, _, _ := bytes.Cut(c.cookies[i], []byte(";"))
	if len(value) == 0 {
		return "", errors.New("sign in: the session has no secret")
	}
	a.cookie = string(value)
	return a.cookie, nil
}
