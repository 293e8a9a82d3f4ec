// Package activity shows what was done: the sentences of the audit trail in the
// person's language, the feed of them by days, and undo. How the records that they
// are about are shown belongs in package records, not here.
package activity

import (
	"strings"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/web/page"
)

// A feedEntry is an audit record as the activity feed shows it: what was done to which
// record, which fields changed, and by whom.
type feedEntry struct {
	Time, ISO, Icon string
	Did             page.Cell // the word for it
	Kind            string    // of the record
	Record          page.Cell
	Text            string // in place of the fields, where they do not say it
	Diffs           []page.HistoryDiff
	More            int // changes that are not shown
	Who, Through    string
	Href            string // of the audit record
}

// A FeedDay is what was done on one day.
type FeedDay struct {
	Title   string
	Entries []feedEntry
}

// feedDiffs is how many changes of one record the activity shows.
const feedDiffs = 4

// Feed returns audit records by day.
func Feed(c *page.Call, records []any) (days []FeedDay) {
	for _, rec := range records {
		a := rec.(*inventory.Audit)
		at := a.CreatedAt.In(c.Zone())
		if title := c.Weekday(at); len(days) == 0 || days[len(days)-1].Title != title {
			days = append(days, FeedDay{Title: title})
		}
		day := &days[len(days)-1]
		day.Entries = append(day.Entries, newFeedEntry(c, a, at))
	}
	return days
}

// newFeedEntry returns an audit record as the activity feed shows it. A record without
// a page of its own, such as a comment or setting, is shown by its sentence.
func newFeedEntry(c *page.Call, a *inventory.Audit, at time.Time) feedEntry {
	entry := NewAuditEntry(c, a)
	e := feedEntry{
		Time: c.Clock(at), ISO: at.UTC().Format(time.RFC3339), Icon: "activity", Kind: entry.Kind, Record: entry.Record,
		Who: entry.Who, Through: entry.Origin,
		Did:  c.Cell(inventory.Audits.Values(a), inventory.Audits.Field("action")),
		Href: c.App.Place(inventory.Audits.Schema).RecordPath(a.ID),
	}
	k := inventory.Find(a.RecordType)
	if k == nil || c.App.Place(k) == nil || a.RecordName == "" {
		e.Did, e.Kind, e.Record, e.Text = page.Cell{}, "", page.Cell{}, AuditSentence(c, a)
		return e
	}
	e.Icon = c.App.Place(k).Icon
	if a.Action == inventory.Created || a.Action == inventory.Deleted {
		return e
	}
	for _, change := range a.Changes {
		switch one := feedDiff(c, k, change); {
		case one.From == one.To: // such as a password, which nobody is shown
		case len(e.Diffs) == feedDiffs:
			e.More++
		default:
			e.Diffs = append(e.Diffs, one)
		}
	}
	e.More += inventory.Unseen(a)
	if len(e.Diffs) == 0 {
		e.Text = clip(AuditSentence(c, a))
	}
	return e
}

// maxFeedText is how many characters of a value the activity shows.
const maxFeedText = 120

// feedDiff returns a changed field with its values as people read them.
func feedDiff(c *page.Call, k *kind.Schema, change inventory.AuditChange) page.HistoryDiff {
	f := k.Field(change.Field)
	if f == nil {
		return page.HistoryDiff{Label: kind.Words(change.Field), From: clip(change.From), To: clip(change.To)}
	}
	if f.Type == kind.List {
		return page.HistoryDiff{Label: c.Label(f), From: itemTitle(c, f, change.From), To: itemTitle(c, f, change.To)}
	}
	return page.HistoryDiff{Label: c.Label(f), From: feedValue(c, f, change.From), To: feedValue(c, f, change.To)}
}

// itemTitle returns what an item of a collection is called, of all that an audit
// record says of it.
func itemTitle(c *page.Call, f *kind.Field, text string) string {
	if values, one := described(text); one && text != "" {
		return clip(itemCalled(f, values, shownValues(c)))
	}
	return clip(text)
}

// feedValue returns the value of a field, which is as in documents, as people
// read it. There may be two of a name, so people keep their addresses.
func feedValue(c *page.Call, f *kind.Field, text string) string {
	if f.Type == kind.PersonRef {
		return clip(text)
	}
	return ShownValue(c, f, text)
}

// clip shortens a text for a line.
func clip(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if letters := []rune(text); len(letters) > maxFeedText {
		return string(letters[:maxFeedText]) + "…"
	}
	return text
}

// An AuditEntry is an audit record for people.
type AuditEntry struct {
	Who, Origin, Kind string
	Record            page.Cell
	When              *page.Moment
	Changes           []page.HistoryDiff
	Pager             page.Pager // of the changes, of a page of their own
}

// NewAuditEntry returns an audit record for people.
func NewAuditEntry(c *page.Call, a *inventory.Audit) *AuditEntry {
	e := &AuditEntry{Who: ActorName(c, a), Origin: c.Value(a.Origin), Kind: c.T(a.RecordType),
		When: c.Moment(a.CreatedAt), Record: page.Cell{Look: "text", Text: a.RecordName}}
	if k := inventory.Find(a.RecordType); k != nil {
		e.Kind = c.T(k.Noun)
		if a.RecordPath != "" {
			e.Record = page.Cell{Look: "link", Text: a.RecordName, Href: c.RecordPath(k, a.RecordID.V)}
		}
	}
	e.Changes = changes(c, a)
	return e
}
