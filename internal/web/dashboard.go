package web

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"muster/internal/inventory"
)

// A dashboard is the page that those begin with who work at the desk. All its
// numbers are links to the lists that they count.
type dashboard struct {
	Begin       *beginning // of a new installation
	Now         string
	Site        string
	Sites       []option
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
	Newest      []hit // risks
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

// showDashboard shows how things stand, of one site when the address says so.
func (c *call) showDashboard() (*answer, error) {
	d := &dashboard{Site: c.URL.Query().Get("site"), Now: c.weekday(c.now()) + ", " + c.clock(c.now())}
	for _, part := range []func(*call, *dashboard) error{
		(*call).boardSites, (*call).boardStrip, (*call).boardBegin, (*call).boardTickets, (*call).boardWeeks,
		(*call).boardComputers, (*call).boardRisks, (*call).boardLicences, (*call).boardEnding, (*call).boardActivity,
	} {
		if err := part(c, d); err != nil {
			return nil, err
		}
	}
	return c.show("dashboard", page{Title: c.t("Dashboard"), Here: "/", Data: d})
}

// literal returns a value as a filter takes it.
func literal(value string) string { return strings.ReplaceAll(value, "*", `\*`) }

// at returns a query for the site that was chosen, as far as the records have
// one.
func (d *dashboard) at(query string) url.Values {
	values := mustQuery(query)
	if d.Site != "" {
		values.Set("site", literal(d.Site))
	}
	return values
}

// maxSites is how many sites can be chosen, and topValues how many values a
// chart shows.
const (
	maxSites  = 100
	topValues = 7
)

func (c *call) boardSites(d *dashboard) error {
	counts, err := c.countsOf("computers", "site", nil, maxSites)
	for _, s := range counts {
		if s.Label != "" {
			d.Sites = append(d.Sites, option{s.Label, s.Label, s.Label == d.Site})
		}
	}
	if d.Site != "" && !slices.ContainsFunc(d.Sites, func(o option) bool { return o.Chosen }) {
		d.Sites = append(d.Sites, option{d.Site, d.Site, true})
	}
	return err
}

// countsOf returns how many records of a list have each value of a field; the
// label of none is "".
func (c *call) countsOf(path, field string, values url.Values, most int) (all []slice, err error) {
	s := sectionAt(path)
	q, err := s.query(c, values)
	if err != nil {
		return nil, err
	}
	q.PerPage, q.Sort, q.Desc = most, nil, false
	f := s.kind.Field(field)
	counts, err := c.web.Desk.Counts(c.Context(), c.who(), s.kind, q, f)
	for _, n := range counts {
		all = append(all, slice{Label: n.Label, Tone: "c3", Total: n.Records, Href: address("/"+path, with(values, f.Column(), literal(n.Value)))})
	}
	return all, err
}

// minute returns the time as queries write it, to the minute, so that what is
// counted for one person is known for the next.
func (c *call) minute() string { return c.web.Now().UTC().Truncate(time.Minute).Format(time.RFC3339) }

func (c *call) boardStrip(d *dashboard) error {
	for _, one := range []struct {
		path, query, label, sub string
		bad                     bool
	}{
		{"tickets", openStates, msg("Open tickets"), msg("not resolved yet"), false},
		{"tickets", openStates + "&due_at_to=" + url.QueryEscape(c.minute()), msg("Overdue"), msg("should be done by now"), true},
		{"tickets", openStates + "&assignee=", msg("Unassigned"), msg("nobody works on them"), false},
		{"computers", "", msg("Computers"), msg("of any status"), false},
		{"computers", silentQuery, msg("Not reporting"), msg("for more than 10 days"), false},
		{"risks", "status=Open", msg("Open risks"), msg("to be looked at"), false},
	} {
		values := d.at(one.query)
		if one.path == "risks" && d.Site != "" { // they have none
			values.Del("site")
			one.sub = msg("of all sites")
		}
		counted, err := c.count(one.path, c.t(one.label), "", values)
		if err != nil {
			return err
		}
		sub := c.t(one.sub)
		if one.query == silentQuery {
			if sub, err = c.silentSub(sub, values); err != nil {
				return err
			}
		}
		d.Strip = append(d.Strip, figure{counted, sub, one.bad && counted.Total > 0})
	}
	return nil
}

// silentSub says of computers that do not report how many of them only wait to be
// accepted.
func (c *call) silentSub(sub string, values url.Values) (string, error) {
	claims, err := c.web.Desk.Claims(c.Context(), c.who())
	if err != nil {
		return "", err
	}
	waiting, err := c.waitingOf(values, claims)
	if waiting > 0 {
		sub = c.tn(waiting, "%s of them waits to be accepted", "%s of them wait to be accepted")
	}
	return sub, err
}

// boardBegin says what to do first where there are no computers and no tickets,
// of any site.
func (c *call) boardBegin(d *dashboard) error {
	for _, path := range []string{"computers", "tickets"} {
		if total, err := sectionAt(path).total(c, nil); err != nil || total > 0 {
			return err
		}
	}
	d.Begin = sectionAt("computers").beginning(c)
	return nil
}

// counted counts several lists of one section.
func (c *call) counted(path string, lists []listed) (all []slice, err error) {
	for _, l := range lists {
		one, err := c.count(path, l.label, l.tone, l.values)
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

func (c *call) boardTickets(d *dashboard) error {
	open := mustQuery(openStates)["state"]
	tones := []string{"info", "accent", "warn", "idle"}
	var states, priorities []listed
	for i, state := range open {
		states = append(states, listed{c.value(state), tones[i], with(d.at(""), "state", state)})
	}
	for i, tone := range []string{"idle", "c1", "c3", "warn", "bad"} {
		priorities = append(priorities, listed{c.value(inventory.Priorities[i]), tone, with(d.at(openStates), "priority", inventory.Priorities[i])})
	}
	slices.Reverse(priorities)
	byState, err := c.counted("tickets", states)
	if err != nil {
		return err
	}
	byPriority, err := c.counted("tickets", priorities)
	if err != nil {
		return err
	}
	byAge, err := c.counted("tickets", c.ages(d))
	d.State, d.Priority = c.stack("state", c.t("Open tickets by state"), byState), c.stack("priority", c.t("Open tickets by priority"), byPriority)
	d.Age = c.bars("age", c.t("Open tickets by age"), byAge)
	return err
}

// ages are the lists of open tickets by when they were made, in days of the
// person.
func (c *call) ages(d *dashboard) (lists []listed) {
	year, month, day := c.now().Date()
	first := func(ago int) string { return midnight(year, month, day-ago, c.zone()).UTC().Format(time.RFC3339) }
	last := func(ago int) string {
		return midnight(year, month, day-ago, c.zone()).Add(-time.Second).UTC().Format(time.RFC3339)
	}
	for i, age := range []struct {
		label    string
		from, to int // days ago; 0 is today
	}{{msg("Today"), 0, -1}, {msg("1 to 3 days"), 3, 0}, {msg("4 to 7 days"), 7, 3}, {msg("8 to 14 days"), 14, 7}, {msg("15 to 30 days"), 30, 14}, {msg("Older"), -1, 30}} {
		values := d.at(openStates)
		if age.from >= 0 {
			values.Set("created_at_from", first(age.from))
		}
		if age.to >= 0 {
			values.Set("created_at_to", last(age.to))
		}
		lists = append(lists, listed{c.t(age.label), []string{"c1", "c2", "c3", "c4", "c5", "bad"}[i], values})
	}
	return lists
}

// weeksShown is how many weeks the chart of tickets goes back.
const weeksShown = 12

func (c *call) boardWeeks(d *dashboard) error {
	d.Weeks = &plot{}
	year, month, day := c.now().Date()
	monday := day - (int(c.now().Weekday())+6)%7
	for back := weeksShown - 1; back >= 0; back-- {
		begin := midnight(year, month, monday-7*back, c.zone())
		end := midnight(year, month, monday-7*back+7, c.zone()).Add(-time.Second)
		_, number := begin.ISOWeek()
		week := plotWeek{Label: c.t("W%d", number)}
		for _, one := range []struct {
			field, text, soFar string
			to                 *slice
		}{
			{"created_at", msg("Week %d: %s created"), msg("Week %d so far: %s created"), &week.Created},
			{"resolved_at", msg("Week %d: %s resolved"), msg("Week %d so far: %s resolved"), &week.Resolved},
		} {
			values := d.at("")
			values.Set(one.field+"_from", begin.UTC().Format(time.RFC3339))
			values.Set(one.field+"_to", end.UTC().Format(time.RFC3339))
			counted, err := c.count("tickets", "", "", values)
			if err != nil {
				return err
			}
			*one.to = counted
			if back == 0 {
				one.text = one.soFar
			}
			one.to.Label = c.t(one.text, number, c.number(counted.Total))
		}
		d.Weeks.CreatedAll += week.Created.Total
		d.Weeks.Finished += week.Resolved.Total
		d.Weeks.Weeks = append(d.Weeks.Weeks, week)
	}
	d.Weeks.Sentence = c.t("%s were created in these %d weeks, of which the last is not over, and %s resolved.", c.number(d.Weeks.CreatedAll), weeksShown, c.number(d.Weeks.Finished))
	d.Weeks.draw()
	return nil
}

func (c *call) boardComputers(d *dashboard) error {
	status, err := c.countsOf("computers", "status", d.at(""), topValues)
	if err != nil {
		return err
	}
	for i := range status {
		status[i].Tone = map[string]string{"Operational": "good", "Spare": "c2", "In Repair": "warn", "Broken": "bad", "Lost": "info", "Disposed": "idle"}[status[i].Label]
		status[i].Label = c.value(status[i].Label)
	}
	var silent []listed
	for i, days := range []string{"1", "10", "30", "90"} {
		silent = append(silent, listed{c.t("More than %s days", days), []string{"c2", "c4", "warn", "bad"}[i], with(d.at(""), "not_reporting", days)})
	}
	silent[0].label = c.t("More than a day")
	quiet, err := c.counted("computers", silent)
	if err != nil {
		return err
	}
	systems, err := c.countsOf("computers", "operating-system", d.at(""), topValues)
	if err != nil {
		return err
	}
	sites, err := c.countsOf("computers", "site", d.at(""), topValues)
	name(systems, c.t("Unknown"))
	name(sites, c.t("No site"))
	d.Status, d.Silent = c.stack("status", c.t("Computers by status"), status), c.bars("silent", c.t("No report for"), quiet)
	d.Systems, d.BySite = c.bars("systems", c.t("By system"), systems), c.bars("sites", c.t("By site"), sites)
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

func (c *call) boardRisks(d *dashboard) error {
	var lists []listed
	for i, severity := range []string{"Critical", "High", "Medium", "Low"} {
		lists = append(lists, listed{c.value(severity), []string{"bad", "warn", "c3", "c1"}[i], url.Values{"status": {inventory.RiskOpen}, "severity": {severity}}})
	}
	counted, err := c.counted("risks", lists)
	if err != nil {
		return err
	}
	d.Risks = c.stack("risks", c.t("Open risks by severity"), counted)
	s := sectionAt("risks")
	found, err := s.first(c.Context(), c, mustQuery("status=Open&sort_by=detected_at&sort_order=DESC"), newestRisks)
	d.Newest = s.hits(c, found.Records)
	for i, rec := range found.Records {
		d.Newest[i].State = c.cell(s.kind.Values(rec), s.kind.Field("severity"))
	}
	return err
}
