// Package dashboard has the first page of staff: figures, charts and short lists, each
// with a link to the full list. The full lists belong in package records, the first page
// of requesters in package portal.
package dashboard

import (
	"net/url"
	"slices"
	"time"

	"muster/internal/inventory"
	"muster/internal/web/admin"
	"muster/internal/web/lang"
	"muster/internal/web/page"
	"muster/internal/web/records"
	"muster/internal/web/tickets"
)

// A dashboard is the page that those begin with who work at the desk. All its
// numbers are links to the lists that they count.
type dashboard struct {
	Begin       *records.Beginning // of a new installation
	Now         string
	Site        string
	Sites       []records.Option
	Strip       []figure
	Weeks       *plot
	Age         chart
	State       chart
	Priority    chart
	Status      chart
	Silent      chart
	Systems     chart
	BySite      chart
	Risks       chart
	Newest      []records.Hit // risks
	Licences    []licence
	Over        slice // licences that are over-used
	LicencesAll slice
	Ending      []ending
	EndingAll   slice
	Activity    []boardEvent
}

// A figure is one of the numbers at the top.
type figure struct {
	slice
	Sub string // what is to be said about it
	Bad bool
}

// Show shows how things stand, of one site when the address says so.
func Show(c *page.Call) (*page.Answer, error) {
	d := &dashboard{Site: c.URL.Query().Get("site"), Now: c.Weekday(c.Now()) + ", " + c.Clock(c.Now())}
	for _, part := range []func(*page.Call, *dashboard) error{
		boardSites, boardStrip, boardBegin, boardTickets, boardWeeks,
		boardComputers, boardRisks, boardLicences, boardEnding, boardActivity,
	} {
		if err := part(c, d); err != nil {
			return nil, err
		}
	}
	return c.Show("dashboard", page.Page{Title: c.T("Dashboard"), Here: "/", Data: d})
}

// at returns a query limited to the chosen site, if the records have one.
func (d *dashboard) at(query string) url.Values {
	values := page.MustQuery(query)
	if d.Site != "" {
		values.Set("site", page.Literal(d.Site))
	}
	return values
}

// maxSites is how many sites can be chosen, and topValues how many values a
// chart shows.
const (
	maxSites  = 100
	topValues = 7
)

func boardSites(c *page.Call, d *dashboard) error {
	counts, err := countsOf(c, "computers", "site", nil, maxSites)
	for _, s := range counts {
		if s.Label != "" {
			d.Sites = append(d.Sites, records.Option{Value: s.Label, Label: s.Label, Chosen: s.Label == d.Site})
		}
	}
	if d.Site != "" && !slices.ContainsFunc(d.Sites, func(o records.Option) bool { return o.Chosen }) {
		d.Sites = append(d.Sites, records.Option{Value: d.Site, Label: d.Site, Chosen: true})
	}
	return err
}

// countsOf returns how many records of a list have each value of a field; the
// label of none is "".
func countsOf(c *page.Call, path, field string, values url.Values, most int) (all []slice, err error) {
	s := records.SectionAt(c.App, path)
	q, err := s.Query(c, values)
	if err != nil {
		return nil, err
	}
	q.PerPage, q.Sort, q.Desc = most, nil, false
	f := s.Kind.Field(field)
	counts, err := c.App.Desk.Counts(c.Context(), c.Who(), s.Kind, q, f)
	for _, n := range counts {
		all = append(all, slice{
			Label: n.Label, Tone: "c3", Total: n.Records,
			Href: page.Address("/"+path, page.With(values, f.Column(), page.Literal(n.Value))),
		})
	}
	return all, err
}

// minute returns the time as queries write it, to the minute, so that what is
// counted for one person is known for the next.
func minute(c *page.Call) string { return c.App.Now().UTC().Truncate(time.Minute).Format(time.RFC3339) }

func boardStrip(c *page.Call, d *dashboard) error {
	for _, one := range []struct {
		path, query, label, sub string
		bad                     bool
	}{
		{"tickets", tickets.OpenStates, lang.Msg("Open tickets"), lang.Msg("not resolved yet"), false},
		{"tickets", tickets.OpenStates + "&due_at_to=" + url.QueryEscape(minute(c)), lang.Msg("Overdue"),
			lang.Msg("past their due date"), true},
		{"tickets", tickets.OpenStates + "&assignee=", lang.Msg("Unassigned"), lang.Msg("nobody is working on them"), false},
		{"computers", "", lang.Msg("Computers"), lang.Msg("all statuses"), false},
		{"computers", admin.SilentQuery, lang.Msg("Not reporting"), lang.Msg("for more than 10 days"), false},
		{"risks", "status=Open", lang.Msg("Open risks"), lang.Msg("need attention"), false},
	} {
		values := d.at(one.query)
		if one.path == "risks" && d.Site != "" { // they have none
			values.Del("site")
			one.sub = lang.Msg("of all sites")
		}
		counted, err := count(c, one.path, c.T(one.label), "", values)
		if err != nil {
			return err
		}
		sub := c.T(one.sub)
		if one.query == admin.SilentQuery {
			_, waiting, err := admin.Silent(c, values)
			if err != nil {
				return err
			}
			if waiting > 0 {
				sub = c.TN(waiting, "%s waits to be accepted", "%s wait to be accepted")
			}
		}
		d.Strip = append(d.Strip, figure{counted, sub, one.bad && counted.Total > 0})
	}
	return nil
}

// boardBegin shows the first steps while there are no computers and no tickets at any
// site.
func boardBegin(c *page.Call, d *dashboard) error {
	for _, path := range []string{"computers", "tickets"} {
		if total, err := records.SectionAt(c.App, path).Total(c, nil); err != nil || total > 0 {
			return err
		}
	}
	d.Begin = records.SectionAt(c.App, "computers").Beginning(c)
	return nil
}

// counted counts several lists of one section.
func counted(c *page.Call, path string, lists []listed) (all []slice, err error) {
	for _, l := range lists {
		one, err := count(c, path, l.label, l.tone, l.values)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// A listed is a list that a chart counts.
type listed struct {
	label, tone string
	values      url.Values
}

func boardTickets(c *page.Call, d *dashboard) error {
	open := page.MustQuery(tickets.OpenStates)["state"]
	tones := []string{"info", "accent", "warn", "idle"}
	var states, priorities []listed
	for i, state := range open {
		states = append(states, listed{c.Value(state), tones[i], page.With(d.at(""), "state", state)})
	}
	for i, tone := range []string{"idle", "c1", "c3", "warn", "bad"} {
		priorities = append(priorities,
			listed{c.Value(inventory.Priorities[i]), tone, page.With(d.at(tickets.OpenStates), "priority",
				inventory.Priorities[i])})
	}
	slices.Reverse(priorities)
	byState, err := counted(c, "tickets", states)
	if err != nil {
		return err
	}
	byPriority, err := counted(c, "tickets", priorities)
	if err != nil {
		return err
	}
	byAge, err := counted(c, "tickets", ages(c, d))
	d.State, d.Priority = stack(c, "state", c.T("Open tickets by state"), byState),
		stack(c, "priority", c.T("Open tickets by priority"), byPriority)
	d.Age = bars(c, "age", c.T("Open tickets by age"), byAge)
	return err
}

// ages are the lists of open tickets by when they were made, in days of the
// person.
func ages(c *page.Call, d *dashboard) (lists []listed) {
	year, month, day := c.Now().Date()
	first := func(ago int) string { return lang.Midnight(year, month, day-ago, c.Zone()).UTC().Format(time.RFC3339) }
	last := func(ago int) string {
		return lang.Midnight(year, month, day-ago, c.Zone()).Add(-time.Second).UTC().Format(time.RFC3339)
	}
	for i, age := range []struct {
		label    string
		from, to int // days ago; 0 is today
	}{{lang.Msg("Today"), 0, -1}, {lang.Msg("1 to 3 days"), 3, 0}, {lang.Msg("4 to 7 days"), 7, 3}, {
		lang.Msg("8 to 14 days"), 14, 7,
	}, {lang.Msg("15 to 30 days"), 30, 14}, {lang.Msg("Older"), -1, 30}} {
		values := d.at(tickets.OpenStates)
		if age.from >= 0 {
			values.Set("created_at_from", first(age.from))
		}
		if age.to >= 0 {
			values.Set("created_at_to", last(age.to))
		}
		lists = append(lists, listed{c.T(age.label), []string{"c1", "c2", "c3", "c4", "c5", "bad"}[i], values})
	}
	return lists
}

// weeksShown is how many weeks the chart of tickets goes back.
const weeksShown = 12

func boardWeeks(c *page.Call, d *dashboard) error {
	d.Weeks = &plot{}
	year, month, day := c.Now().Date()
	monday := day - (int(c.Now().Weekday())+6)%7
	for back := weeksShown - 1; back >= 0; back-- {
		begin := lang.Midnight(year, month, monday-7*back, c.Zone())
		end := lang.Midnight(year, month, monday-7*back+7, c.Zone()).Add(-time.Second)
		_, number := begin.ISOWeek()
		week := plotWeek{Label: c.T("W%d", number)}
		for _, one := range []struct {
			field, text, soFar string
			to                 *slice
		}{
			{"created_at", lang.Msg("Week %d: %s created"), lang.Msg("Week %d so far: %s created"), &week.Created},
			{"resolved_at", lang.Msg("Week %d: %s resolved"), lang.Msg("Week %d so far: %s resolved"), &week.Resolved},
		} {
			values := d.at("")
			values.Set(one.field+"_from", begin.UTC().Format(time.RFC3339))
			values.Set(one.field+"_to", end.UTC().Format(time.RFC3339))
			counted, err := count(c, "tickets", "", "", values)
			if err != nil {
				return err
			}
			*one.to = counted
			if back == 0 {
				one.text = one.soFar
			}
			one.to.Label = c.T(one.text, number, c.Number(counted.Total))
		}
		d.Weeks.CreatedAll += week.Created.Total
		d.Weeks.Finished += week.Resolved.Total
		d.Weeks.Weeks = append(d.Weeks.Weeks, week)
	}
	d.Weeks.Sentence = c.T("%s created in the last %d weeks, this one included, and %s resolved.",
		c.Number(d.Weeks.CreatedAll), weeksShown, c.Number(d.Weeks.Finished))
	d.Weeks.draw()
	return nil
}

func boardComputers(c *page.Call, d *dashboard) error {
	status, err := countsOf(c, "computers", "status", d.at(""), topValues)
	if err != nil {
		return err
	}
	for i := range status {
		status[i].Tone = map[string]string{"Operational": "good", "Spare": "c2", "In Repair": "warn", "Broken": "bad",
			"Lost": "info", "Disposed": "idle"}[status[i].Label]
		status[i].Label = c.Value(status[i].Label)
	}
	var silent []listed
	for i, days := range []string{"1", "10", "30", "90"} {
		silent = append(silent,
			listed{c.T("More than %s days", days), []string{"c2", "c4", "warn", "bad"}[i],
				page.With(d.at(admin.NotClaimed), "not_reporting", days)})
	}
	silent[0].label = c.T("More than a day")
	quiet, err := counted(c, "computers", silent)
	if err != nil {
		return err
	}
	systems, err := countsOf(c, "computers", "operating-system", d.at(""), topValues)
	if err != nil {
		return err
	}
	sites, err := countsOf(c, "computers", "site", d.at(""), topValues)
	name(systems, c.T("Unknown"))
	name(sites, c.T("No site"))
	d.Status, d.Silent = stack(c, "status", c.T("Computers by status"), status),
		bars(c, "silent", c.T("No report for"), quiet)
	d.Systems, d.BySite = bars(c, "systems", c.T("By system"), systems), bars(c, "sites", c.T("By site"), sites)
	return err
}

// name gives the records without a value a name.
func name(all []slice, none string) {
	for i := range all {
		if all[i].Label == "" {
			all[i].Label, all[i].Tone = none, "idle"
		}
	}
}

// newestRisks is how many risks are named.
const newestRisks = 4

func boardRisks(c *page.Call, d *dashboard) error {
	var lists []listed
	for i, severity := range []string{"Critical", "High", "Medium", "Low"} {
		lists = append(lists, listed{c.Value(severity), []string{"bad", "warn", "c3", "c1"}[i], url.Values{
			"status": {inventory.RiskOpen}, "severity": {severity},
		}})
	}
	counted, err := counted(c, "risks", lists)
	if err != nil {
		return err
	}
	d.Risks = stack(c, "risks", c.T("Open risks by severity"), counted)
	s := records.SectionAt(c.App, "risks")
	found, err := s.First(c.Context(), c, page.MustQuery("status=Open&sort_by=detected_at&sort_order=DESC"),
		newestRisks)
	d.Newest = s.Hits(c, found.Records)
	for i, rec := range found.Records {
		d.Newest[i].State = c.Cell(s.Kind.Values(rec), s.Kind.Field("severity"))
	}
	return err
}
