package web

import (
	"fmt"
	"time"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
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
	Diffs           []historyDiff
}

// A historyDiff is a changed field.
type historyDiff struct{ Label, From, To string }

// history returns the changes of a computer by day, the latest first.
func (c *call) history(id int64) (days []historyDay, err error) {
	r := desk.RelationOf(inventory.Computers.Schema, "audits")
	number, rows := c.tabPlace()
	q, err := r.Kind.ParseQuery(fmt.Sprintf("sort_by=id&sort_order=DESC&page=%d&per_page=%d", number, rows), c.web.Now())
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
			days = append(days, historyDay{day: dateOf(at), Title: title})
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
			e.Diffs = append(e.Diffs, historyDiff{c.label(f), c.toldValue(f, change.From), c.toldValue(f, change.To)})
		}
	}
	if len(e.Diffs) > 0 && len(e.Diffs) == len(a.Changes)+inventory.Unseen(a) {
		e.Text = c.tn(len(e.Diffs), "%s field changed", "%s fields changed")
	}
	return e
}
