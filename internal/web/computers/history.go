package computers

import (
	"fmt"
	"time"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/web/activity"
	"muster/internal/web/lang"
	"muster/internal/web/page"
	"muster/internal/web/records"
)

// A historyDay is what became of a computer on one day.
type historyDay struct {
	day     time.Time // its date, as in UTC
	Title   string
	Entries []historyEntry
}

// A historyEntry is one audit record.
type historyEntry struct {
	Time, ISO, Icon string
	Text, Who       string
	Href            string // of a record that it is about, "" for the computer itself
	Diffs           []page.HistoryDiff
}

// history returns the changes of a computer by day, the latest first.
func history(c *page.Call, id int64) (days []historyDay, err error) {
	r := desk.RelationOf(inventory.Computers.Schema, "audits")
	number, rows := tabPlace(c)
	q, err := r.Kind.ParseQuery(fmt.Sprintf("sort_by=id&sort_order=DESC&page=%d&per_page=%d", number, rows),
		c.App.Now())
	if err != nil {
		return nil, err
	}
	found, err := c.App.Desk.ListOf(c.Context(), c.Who(), desk.Place{Relation: r, ID: id}, q)
	if err != nil {
		return nil, err
	}
	for _, rec := range found.Records {
		a := rec.(*inventory.Audit)
		at := a.CreatedAt.In(c.Zone())
		if title := c.Weekday(at); len(days) == 0 || days[len(days)-1].Title != title {
			days = append(days, historyDay{day: lang.DateOf(at), Title: title})
		}
		day := &days[len(days)-1]
		day.Entries = append(day.Entries, newHistoryEntry(c, a, at, id))
	}
	return days, nil
}

// newHistoryEntry returns an audit record as a line of a computer's history.
func newHistoryEntry(c *page.Call, a *inventory.Audit, at time.Time, id int64) historyEntry {
	e := historyEntry{Time: c.Clock(at), ISO: at.UTC().Format(time.RFC3339), Icon: "edit",
		Text: activity.AuditSentence(c, a), Who: activity.ActorName(c, a)}
	k := inventory.Find(a.RecordType)
	if k != nil && k != inventory.Computers.Schema {
		e.Href = c.RecordPath(k, a.RecordID.V)
		if s := records.SectionOf(c.App, k); s != nil {
			e.Icon = s.Icon
		}
		return e
	}
	icons := map[string]string{"softwares": "software", "memories": "memory", "memory": "memory", "drives": "drive",
		"storages": "drive", "networks": "network", "ip": "network", "cpu": "cpu"}
	for _, change := range a.Changes {
		if icon, ok := icons[change.Field]; ok {
			e.Icon = icon
		}
		f := inventory.Computers.Field(change.Field)
		if f != nil && f.Type != kind.List && a.Action != inventory.Created {
			e.Diffs = append(e.Diffs,
				page.HistoryDiff{
					Label: c.Label(f), From: activity.ShownValue(c, f, change.From),
					To: activity.ShownValue(c, f, change.To),
				})
		}
	}
	if len(e.Diffs) > 0 && len(e.Diffs) == len(a.Changes)+inventory.Unseen(a) {
		e.Text = c.TN(len(e.Diffs), "%s field changed", "%s fields changed")
	}
	return e
}
