package web

import (
	"html/template"
	"slices"
	"strconv"
	"strings"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
)

// An entry is one step of a conversation: what somebody wrote, or what was
// changed.
type entry struct {
	Look           string // asked, ours, note, event
	Anchor         string // by which the page can be opened at it
	Who            string
	Initials, Face string
	About          string // beside the name
	Text           template.HTML
	Icon           string // of an event
	Parts          []eventPart
	When           *moment

	at time.Time
}

// An eventPart is one change that an event tells, with its value apart.
type eventPart struct{ Text, Value string }

// conversation returns all that was said and done in a ticket, in its order. What
// was said comes before what was changed with it.
func (c *call) conversation(t *inventory.Ticket, audits []*inventory.Audit) []entry {
	entries := []entry{c.beginning(t)}
	for i := range t.Comments {
		entries = append(entries, c.message(t, &t.Comments[i]))
	}
	for _, a := range audits {
		if e, ok := c.event(a); ok {
			entries = append(entries, e)
		}
	}
	slices.SortStableFunc(entries[1:], func(a, b entry) int { return a.at.Compare(b.at) })
	return entries
}

// beginning returns what a ticket begins with: what was asked, or who opened it.
func (c *call) beginning(t *inventory.Ticket) entry {
	e := entry{Look: "asked", Anchor: "description", at: t.CreatedAt, When: c.moment(t.CreatedAt)}
	e.by(&t.Requester)
	e.About = t.Department
	if strings.TrimSpace(t.Description) == "" {
		e.Look, e.Icon, e.Parts = "event", "ticket", []eventPart{{Text: c.t("asked for this")}}
		return e
	}
	e.Text = c.markdown(t.Description)
	return e
}

// by names the person of an entry.
func (e *entry) by(p *kind.Person) {
	e.Who, e.Initials, e.Face = personName(p), initials(personName(p)), face(p.Email)
}

// message returns a comment: of who asks, of those who help, or of these for
// each other.
func (c *call) message(t *inventory.Ticket, said *inventory.TicketComment) entry {
	e := entry{Look: "ours", Anchor: "c" + strconv.FormatInt(said.ID.V, 10), at: said.CreatedAt, When: c.moment(said.CreatedAt), Text: c.markdown(said.Body)}
	e.by(&said.User)
	switch {
	case said.IsPrivate.V:
		e.Look = "note"
	case said.User.ID == t.Requester.ID:
		e.Look = "asked"
	default:
		e.About = c.in("recipient", "to %s", personName(&t.Requester))
	}
	return e
}

// maxEvents is how many changes of a ticket its page tells, the latest ones.
const maxEvents = 200

// auditsOf returns the changes of a ticket, the oldest first.
func (c *call) auditsOf(id int64) (audits []*inventory.Audit, err error) {
	return c.auditsSince(id, 0)
}

// auditsSince returns the changes of a ticket after an audit record.
func (c *call) auditsSince(id, after int64) (audits []*inventory.Audit, err error) {
	k := inventory.Audits.Schema
	q := &kind.Query{Sort: k.Field("id"), Desc: true, Page: 1, PerPage: maxEvents, Today: kind.Today(c.web.Now()), Conds: []kind.Cond{
		{Field: k.Field("record-type"), Any: []kind.Test{{Text: []string{inventory.Tickets.Item}}}},
		{Field: k.Field("record-id"), Any: []kind.Test{{Range: true, Min: id, Max: id}}},
	}}
	found, err := c.web.Desk.List(c.Context(), c.who(), k, q)
	for _, rec := range found.Records {
		if a := rec.(*inventory.Audit); a.ID > after {
			audits = append(audits, a)
		}
	}
	slices.Reverse(audits)
	return audits, err
}

// lastSeen returns the newest of audit records.
func lastSeen(audits []*inventory.Audit) int64 {
	if len(audits) == 0 {
		return 0
	}
	return audits[len(audits)-1].ID
}

// lastSaid returns the newest comment of a ticket.
func lastSaid(t *inventory.Ticket) (last int64) {
	for _, said := range t.Comments {
		last = max(last, said.ID.V)
	}
	return last
}

// lastSaidBy returns the newest comment of a ticket that somebody wrote.
func lastSaidBy(t *inventory.Ticket, user int64) (last int64) {
	for _, said := range t.Comments {
		if said.User.ID == user {
			last = max(last, said.ID.V)
		}
	}
	return last
}

// event returns a change of a ticket as one line, none for one that the page
// shows otherwise.
func (c *call) event(a *inventory.Audit) (e entry, ok bool) {
	if a.Action != inventory.Updated {
		return e, false
	}
	e = entry{Look: "event", Anchor: "a" + strconv.FormatInt(a.ID, 10), at: a.CreatedAt, When: c.moment(a.CreatedAt), Who: c.doer(a), Icon: "edit"}
	for _, change := range a.Changes {
		f := inventory.Tickets.Field(change.Field)
		if f == nil || f.ReadOnly { // it follows from another
			continue
		}
		if icon, known := eventIcons[f.Name]; known && len(e.Parts) == 0 {
			e.Icon = icon
		}
		e.Parts = append(e.Parts, c.eventPart(a, f, change))
	}
	return e, len(e.Parts) > 0
}

// eventIcons are the pictures of events, by the field that changed.
var eventIcons = map[string]string{
	"state": "clock", "assignee": "user", "requester": "user", "due-at": "calendar", "hardwares": "computer", "other-assets": "asset", "category": "tag", "tag": "tag",
}

// eventPart tells the change of one field.
func (c *call) eventPart(a *inventory.Audit, f *kind.Field, change inventory.AuditChange) eventPart {
	label := c.inside(c.label(f))
	if f.Name == "due-at" {
		label = c.t("due date")
	}
	switch {
	case f.Targets != nil && change.To != "":
		return eventPart{c.t("linked"), describedName(change.To)}
	case f.Targets != nil:
		return eventPart{c.t("unlinked"), describedName(change.From)}
	case f.Long:
		return eventPart{Text: c.t("changed the %s", label)}
	case f.Name == "assignee" && change.To == a.User.Title():
		return eventPart{Text: c.t("took the ticket")}
	case f.Name == "assignee" && change.To == "" && change.From == a.User.Title():
		return eventPart{Text: c.t("gave the ticket back")}
	case f.Name == "assignee" && change.To == "":
		return eventPart{c.t("took the ticket from"), personTitle(change.From)}
	case f.Name == "assignee":
		return eventPart{c.t("gave the ticket to"), personTitle(change.To)}
	case change.To == "":
		return eventPart{Text: c.t("cleared the %s", label)}
	}
	return eventPart{c.t("set the %s to", label), c.eventValue(f, change.To)}
}

// eventValue returns a value of an audit record as people read it.
func (c *call) eventValue(f *kind.Field, text string) string {
	switch {
	case f.Type == kind.Time:
		if at, err := time.Parse(time.RFC3339, text); err == nil {
			return c.dayTime(at.In(c.zone()))
		}
	case f.Type == kind.Date:
		if day, err := time.Parse(time.DateOnly, text); err == nil {
			return c.date(day)
		}
	case f.Type == kind.Boolean && text != "":
		return c.yes(text == "true")
	case f.Type == kind.PersonRef:
		return personTitle(text)
	case f.Unit != "":
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return c.precisely(f, n)
		}
	case f.OneOf != nil:
		return c.value(text)
	}
	return text
}

// personTitle returns the name of a person whom an audit record names with the
// address.
func personTitle(text string) string {
	if name, _, ok := strings.Cut(text, " ("); ok {
		return name
	}
	return text
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

// A changedNotice tells what others did while somebody wrote.
type changedNotice struct {
	Text    string
	Entries []entry
}

// changedSince returns what was said and changed in a ticket after what a form
// has seen, and which fields that were.
func (c *call) changedSince(t *inventory.Ticket, seen, said int64) (entries []entry, fields map[string]bool, err error) {
	audits, err := c.auditsSince(t.ID, seen)
	if err != nil {
		return nil, nil, err
	}
	fields = map[string]bool{}
	for _, a := range audits {
		for _, change := range a.Changes {
			fields[change.Field] = true
		}
		if e, ok := c.event(a); ok {
			entries = append(entries, e)
		}
	}
	for i := range t.Comments {
		if one := &t.Comments[i]; one.ID.V > said {
			e := c.message(t, one)
			e.Parts = []eventPart{{Text: c.t("wrote an answer")}}
			if one.IsPrivate.V {
				e.Parts = []eventPart{{Text: c.t("wrote a private note")}}
			}
			entries = append(entries, e)
		}
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return a.at.Compare(b.at) })
	return entries, fields, nil
}
