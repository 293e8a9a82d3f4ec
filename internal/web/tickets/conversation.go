package tickets

import (
	"html/template"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/web/activity"
	"muster/internal/web/lang"
	"muster/internal/web/page"
)

// An Entry is one step of a conversation: what somebody wrote, or what was
// changed.
type Entry struct {
	Look           string // asked, ours, note, event, part
	Anchor         string // by which the page can be opened at it
	Who            string
	Initials, Face string
	About          string // beside the name
	Text           template.HTML
	Icon           string // of an event
	Parts          []eventPart
	When           *page.Moment
	Href, Label    string // of a link to another part of the conversation

	at time.Time
}

// An eventPart is one change of an event: a sentence around its value.
type eventPart struct{ Text, Value, After string }

// valueMark stands for the value in a sentence until that is cut there.
const valueMark = "\x00"

// around returns a sentence around a value, which is the last argument of its format.
func around(c *page.Call, format, value string, args ...any) eventPart {
	before, after, _ := strings.Cut(c.T(format, append(args, valueMark)...), valueMark)
	return eventPart{strings.TrimSpace(before), value, strings.TrimSpace(after)}
}

// A Talk is a part of what was said in a ticket: the newest part, or one before that.
type Talk struct {
	desk.Said
	ticket *inventory.Ticket
	path   string // of the page
}

// NewTalk returns the part that the address asks for, for a page with the given path. A public one leaves out what only
// staff may read.
func NewTalk(c *page.Call, t *inventory.Ticket, path string, public bool) (*Talk, error) {
	talk := &Talk{ticket: t, path: path}
	before := page.Number(c.URL.Query(), "before")
	if before == 0 && !public {
		talk.Comments, talk.Earlier = t.Comments, int(t.CommentsCount.V)-len(t.Comments)
		return talk, nil
	}
	said, err := c.App.Desk.Said(c.Context(), c.Who(), desk.Saying{Ticket: t.ID, Before: before, Public: public})
	talk.Said = said
	return talk, err
}

// Entries returns what was said and done in a part of a ticket, in its order. What was said comes before what was changed
// with it.
func (talk *Talk) Entries(c *page.Call, audits []*inventory.Audit) []Entry {
	entries := []Entry{newBeginning(c, talk.ticket)}
	if talk.Earlier > 0 {
		entries = append(entries, talk.link(c.TN(talk.Earlier, "%s earlier comment", "%s earlier comments"),
			talk.Comments[0].ID.V))
	}
	fixed := len(entries)
	for i := range talk.Comments {
		entries = append(entries, messageOf(c, talk.ticket, &talk.Comments[i]))
	}
	for _, a := range audits {
		if e, ok := event(c, a); ok && !talk.leavesOut(a.CreatedAt) {
			entries = append(entries, e)
		}
	}
	slices.SortStableFunc(entries[fixed:], func(a, b Entry) int { return a.at.Compare(b.at) })
	if !talk.Until.IsZero() {
		entries = append(entries, talk.link(c.T("Show the latest"), 0))
	}
	return entries
}

// link leads to the part before a comment, 0 for the newest part.
func (talk *Talk) link(label string, before int64) Entry {
	e := Entry{Look: "part", Label: label, Href: talk.path}
	if before != 0 {
		e.Href = page.Address(talk.path, url.Values{"before": {strconv.FormatInt(before, 10)}})
	}
	return e
}

// leavesOut reports whether what happened at a time belongs to another part.
func (talk *Talk) leavesOut(at time.Time) bool {
	return talk.Earlier > 0 && at.Before(talk.Comments[0].CreatedAt) || !talk.Until.IsZero() && !at.Before(talk.Until)
}

// newBeginning returns what a ticket begins with: what was asked, or who opened it.
func newBeginning(c *page.Call, t *inventory.Ticket) Entry {
	e := Entry{Look: "asked", Anchor: "description", at: t.CreatedAt, When: c.Moment(t.CreatedAt)}
	e.by(&t.Requester)
	e.About = t.Department
	if strings.TrimSpace(t.Description) == "" {
		e.Look, e.Icon, e.Parts = "event", "ticket", []eventPart{{Text: c.T("asked for this")}}
		return e
	}
	e.Text = c.Markdown(t.Description)
	return e
}

// by names the person of an entry.
func (e *Entry) by(p *kind.Person) {
	e.Who, e.Initials, e.Face = lang.PersonName(p), page.Initials(lang.PersonName(p)), page.Face(p.Email)
}

// messageOf returns a comment as an entry: a message of the requester, a reply of staff,
// or a note for staff.
func messageOf(c *page.Call, t *inventory.Ticket, said *inventory.TicketComment) Entry {
	e := Entry{Look: "ours", Anchor: "c" + strconv.FormatInt(said.ID.V, 10), at: said.CreatedAt,
		When: c.Moment(said.CreatedAt), Text: c.Markdown(said.Body)}
	e.by(&said.User)
	switch {
	case said.IsPrivate.V:
		e.Look = "note"
	case said.User.ID == t.Requester.ID:
		e.Look = "asked"
	default:
		e.About = c.In("recipient", "to %s", lang.PersonName(&t.Requester))
	}
	return e
}

// maxEvents is how many changes of a ticket its page shows, the latest ones.
const maxEvents = 200

// auditsOf returns the latest changes of a ticket, the oldest first.
func auditsOf(c *page.Call, id int64) ([]*inventory.Audit, error) {
	return auditsUntil(c, id, time.Time{})
}

// auditsUntil returns the latest changes of a ticket until a time, zero for now.
func auditsUntil(c *page.Call, id int64, until time.Time) (audits []*inventory.Audit, err error) {
	k := inventory.Audits.Schema
	q := &kind.Query{Sort: k.Field("id"), Desc: true, Page: 1, PerPage: maxEvents, Today: kind.Today(c.App.Now()),
		Conds: []kind.Cond{
			{Field: k.Field("record-type"), Any: []kind.Test{{Text: []string{inventory.Tickets.Item}}}},
			{Field: k.Field("record-id"), Any: []kind.Test{{Range: true, Min: id, Max: id}}},
		}}
	if !until.IsZero() {
		q.Conds = append(q.Conds, kind.Cond{Field: k.Field("created-at"),
			Any: []kind.Test{{Range: true, Min: math.MinInt64, Max: until.Unix()}}})
	}
	found, err := c.App.Desk.List(c.Context(), c.Who(), k, q)
	for _, rec := range slices.Backward(found.Records) {
		audits = append(audits, rec.(*inventory.Audit))
	}
	return audits, err
}

// auditsSince returns the latest changes of a ticket after an audit record.
func auditsSince(c *page.Call, id, after int64) ([]*inventory.Audit, error) {
	audits, err := auditsOf(c, id)
	return slices.DeleteFunc(audits, func(a *inventory.Audit) bool { return a.ID <= after }), err
}

// lastSeen returns the newest of audit records.
func lastSeen(audits []*inventory.Audit) int64 {
	if len(audits) == 0 {
		return 0
	}
	return audits[len(audits)-1].ID
}

// LastSaid returns the newest comment of a ticket.
func LastSaid(t *inventory.Ticket) (last int64) {
	for _, said := range t.Comments {
		last = max(last, said.ID.V)
	}
	return last
}

// LastSaidBy returns the newest comment of a ticket that somebody wrote.
func LastSaidBy(t *inventory.Ticket, user int64) (last int64) {
	for _, said := range t.Comments {
		if said.User.ID == user {
			last = max(last, said.ID.V)
		}
	}
	return last
}

// event returns a change of a ticket as one line, none for one that the page
// shows otherwise.
func event(c *page.Call, a *inventory.Audit) (e Entry, ok bool) {
	if a.Action != inventory.Updated {
		return e, false
	}
	e = Entry{Look: "event", Anchor: "a" + strconv.FormatInt(a.ID, 10), at: a.CreatedAt, When: c.Moment(a.CreatedAt),
		Who: activity.ActorName(c, a), Icon: "edit"}
	for _, change := range a.Changes {
		f := inventory.Tickets.Field(change.Field)
		if f == nil || f.ReadOnly { // it follows from another
			continue
		}
		if icon, known := eventIcons[f.Name]; known && len(e.Parts) == 0 {
			e.Icon = icon
		}
		e.Parts = append(e.Parts, newEventPart(c, a, f, change))
	}
	return e, len(e.Parts) > 0
}

// eventIcons are the pictures of events, by the field that changed.
var eventIcons = map[string]string{
	"state": "clock", "assignee": "user", "requester": "user", "due-at": "calendar", "hardwares": "computer",
	"other-assets": "asset", "category": "tag", "tag": "tag",
}

// newEventPart returns the sentence about the change of one field.
func newEventPart(c *page.Call, a *inventory.Audit, f *kind.Field, change inventory.AuditChange) eventPart {
	label := c.Inside(c.Label(f))
	if f.Name == "due-at" {
		label = c.T("due date")
	}
	switch {
	case f.Targets != nil && change.To != "":
		return around(c, lang.Msg("linked %s"), describedName(change.To))
	case f.Targets != nil:
		return around(c, lang.Msg("unlinked %s"), describedName(change.From))
	case f.Long:
		return eventPart{Text: c.T("changed the %s", label)}
	case f.Name == "assignee" && change.To == a.User.Title():
		return eventPart{Text: c.T("took the ticket")}
	case f.Name == "assignee" && change.To == "" && change.From == a.User.Title():
		return eventPart{Text: c.T("unassigned the ticket")}
	case f.Name == "assignee" && change.To == "":
		return around(c, lang.Msg("took the ticket from %s"), page.PersonTitle(change.From))
	case f.Name == "assignee":
		return around(c, lang.Msg("assigned the ticket to %s"), page.PersonTitle(change.To))
	case change.To == "":
		return eventPart{Text: c.T("cleared the %s", label)}
	}
	return around(c, lang.Msg("set the %s to %s"), c.EventValue(f, change.To), label)
}

// describedName returns the name in the description of a linked record.
func describedName(text string) string {
	_, rest, _ := strings.Cut(text, "name: ")
	if quoted, err := strconv.QuotedPrefix(rest); err == nil {
		if name, err := strconv.Unquote(quoted); err == nil {
			return name
		}
	}
	return text
}

// A changedNotice says what others changed while somebody wrote.
type changedNotice struct {
	Text    string
	Entries []Entry
}

// changedSince returns what was said and changed in a ticket after what a form
// has seen, and which fields that were.
func changedSince(c *page.Call, t *inventory.Ticket,
	seen, said int64) (entries []Entry, fields map[string]bool, err error) {
	audits, err := auditsSince(c, t.ID, seen)
	if err != nil {
		return nil, nil, err
	}
	fields = map[string]bool{}
	for _, a := range audits {
		for _, change := range a.Changes {
			fields[change.Field] = true
		}
		if e, ok := event(c, a); ok {
			entries = append(entries, e)
		}
	}
	for i := range t.Comments {
		if one := &t.Comments[i]; one.ID.V > said {
			e := messageOf(c, t, one)
			e.Parts = []eventPart{{Text: c.T("wrote an answer")}}
			if one.IsPrivate.V {
				e.Parts = []eventPart{{Text: c.T("wrote a private note")}}
			}
			entries = append(entries, e)
		}
	}
	slices.SortStableFunc(entries, func(a, b Entry) int { return a.at.Compare(b.at) })
	return entries, fields, nil
}
