package web

import (
	"strings"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
)

// A feedEntry is an audit record as the activity tells it: what was done to which
// record, what became of its fields, and by whom.
type feedEntry struct {
	Time, ISO, Icon string
	Did             cell   // the word for it
	Kind            string // of the record
	Record          cell
	Text            string // in place of the fields, where they do not tell it
	Diffs           []historyDiff
	More            int // changes that are not shown
	Who, Through    string
	Href            string // of the audit record
}

// A feedDay is what was done on one day.
type feedDay struct {
	Title   string
	Entries []feedEntry
}

// feedDiffs is how many changes of one record the activity shows.
const feedDiffs = 4

// feed returns audit records by day.
func (c *call) feed(records []any) (days []feedDay) {
	for _, rec := range records {
		a := rec.(*inventory.Audit)
		at := a.CreatedAt.In(c.zone())
		if title := c.weekday(at); len(days) == 0 || days[len(days)-1].Title != title {
			days = append(days, feedDay{Title: title})
		}
		day := &days[len(days)-1]
		day.Entries = append(day.Entries, c.feedEntry(a, at))
	}
	return days
}

// feedEntry returns an audit record as the activity tells it. What has no page of
// its own, as comments and settings, is told by the sentence of the record.
func (c *call) feedEntry(a *inventory.Audit, at time.Time) feedEntry {
	told := c.auditEntry(a)
	e := feedEntry{
		Time: c.clock(at), ISO: at.UTC().Format(time.RFC3339), Icon: "activity", Kind: told.Kind, Record: told.Record, Who: told.Who, Through: told.Origin,
		Did: c.cell(inventory.Audits.Values(a), inventory.Audits.Field("action")), Href: c.web.place(inventory.Audits.Schema).recordPath(a.ID),
	}
	k := inventory.Find(a.RecordType)
	if k == nil || c.web.place(k) == nil || a.RecordName == "" {
		e.Did, e.Kind, e.Record, e.Text = cell{}, "", cell{}, c.deed(a)
		return e
	}
	e.Icon = c.web.place(k).icon
	if a.Action == inventory.Created || a.Action == inventory.Deleted {
		return e
	}
	for _, change := range a.Changes {
		switch one := c.feedDiff(k, change); {
		case one.From == one.To: // such as a password, which nobody is shown
		case len(e.Diffs) == feedDiffs:
			e.More++
		default:
			e.Diffs = append(e.Diffs, one)
		}
	}
	e.More += inventory.Unseen(a)
	if len(e.Diffs) == 0 {
		e.Text = clip(c.deed(a))
	}
	return e
}

// maxFeedText is how many characters of a value the activity shows.
const maxFeedText = 120

// feedDiff returns a changed field with its values as people read them.
func (c *call) feedDiff(k *kind.Schema, change inventory.AuditChange) historyDiff {
	f := k.Field(change.Field)
	if f == nil {
		return historyDiff{kind.Words(change.Field), clip(change.From), clip(change.To)}
	}
	if f.Type == kind.List {
		return historyDiff{c.label(f), c.itemTitle(f, change.From), c.itemTitle(f, change.To)}
	}
	return historyDiff{c.label(f), c.feedValue(f, change.From), c.feedValue(f, change.To)}
}

// itemTitle returns what an item of a collection is called, of all that an audit
// record says of it.
func (c *call) itemTitle(f *kind.Field, text string) string {
	if values, one := described(text); one && text != "" {
		return clip(itemCalled(f, values, c.toldValues()))
	}
	return clip(text)
}

// feedValue returns the value of a field, which is as in documents, as people
// read it. There may be two of a name, so people keep their addresses.
func (c *call) feedValue(f *kind.Field, text string) string {
	if f.Type == kind.PersonRef {
		return clip(text)
	}
	return c.toldValue(f, text)
}

// clip shortens a text for a line.
func clip(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if letters := []rune(text); len(letters) > maxFeedText {
		return string(letters[:maxFeedText]) + "…"
	}
	return text
}
