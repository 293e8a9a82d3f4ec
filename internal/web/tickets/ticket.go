// Package tickets has the pages of the help desk: queues, a ticket with its
// conversation, replies, links and articles, and the live updates of both. What lists
// and forms of all kinds share belongs in package records, the pages of requesters in
// package portal. The order of a ticket's fields at the side of its page is that of
// panelFields in panel.go.
package tickets

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/web/lang"
	"muster/internal/web/page"
	"muster/internal/web/records"
)

// A ticketPage is what the page of a ticket shows.
type ticketPage struct {
	ticketForm
	Number, Name    string
	State, Priority page.Cell
	Due             *due
	Opened          string // how, beside when
	OpenedAt        *page.Moment
	Notice          *changedNotice
	Fault           string // of what was just tried
	Entries         []Entry
	Own             int64 // the person's own last comment
	Resolution      string
	Composer        composer
	Props           []prop
	Requester       requesterCard
	Links           []linkGroup
	Articles        []articleLink // linked with the ticket
	Suggested       []articleLink
	Change          bool // the person may change it
	Mine            bool // the person has it
	Me              string
}

// A ticketForm is what each form of a ticket's page sends beside its own inputs:
// what the person has seen of the ticket when it was shown, and from where they
// came.
type ticketForm struct {
	ID      int64
	Path    string
	Version int64
	Seen    int64 // the last audit record
	Said    int64 // the last comment
	queuePlace
}

// A due is when a ticket shall be done.
type due struct {
	When *page.Moment
	Text string
	Tone string // is-bad when it is late, is-warn when it soon is
}

// soon is how long before its time a ticket is marked.
const soon = 4 * time.Hour

// newDue returns when a ticket shall be done, nil when nobody said so or it is done.
func newDue(c *page.Call, t *inventory.Ticket) *due {
	if t.DueAt.IsZero() || t.Done() {
		return nil
	}
	return dueAt(c, t.DueAt)
}

// dueAt returns a time at which a ticket that is open shall be done.
func dueAt(c *page.Call, at time.Time) *due {
	d := &due{When: c.Moment(at)}
	switch left := at.Sub(c.Now()); {
	case left <= 0:
		d.Tone, d.Text = "is-bad", c.T("%s overdue", span(c, -left))
	case left < soon:
		d.Tone, d.Text = "is-warn", c.T("Due in %s", span(c, left))
	case left < lang.RelativeDays*24*time.Hour:
		d.Text = c.T("Due in %s", span(c, left))
	default:
		d.Text = c.T("Due %s", d.When.Short)
	}
	return d
}

// span writes how long something takes.
func span(c *page.Call, d time.Duration) string {
	switch {
	case d < time.Hour:
		return c.TN(max(1, int(d.Minutes())), "%s min", "%s min")
	case d < 24*time.Hour:
		return c.TN(int(d.Hours()), "%s h", "%s h")
	}
	return c.TN(int(d.Hours()/24), "%s day", "%s days")
}

// Show shows a ticket with its conversation.
func Show(c *page.Call) (*page.Answer, error) {
	return ticketAnswer(c, http.StatusOK, c.URL.Query(), nil)
}

// ticketAnswer answers with a ticket's page. The values are those of the address
// or of the form that was sent; change adds the outcome of that to the page.
func ticketAnswer(c *page.Call, status int, values url.Values, change func(*ticketPage)) (*page.Answer, error) {
	t, err := Ticket(c)
	if err != nil {
		return nil, err
	}
	p, err := ticketPageOf(c, t, values)
	if err != nil {
		return nil, err
	}
	if change != nil {
		change(p)
	}
	return &page.Answer{Status: status, Template: "ticket", Page: page.Page{
		Title: p.Number + " " + p.Name, Here: "/tickets", Scripts: []string{"ticket.js"}, Data: p,
	}}, nil
}

// Ticket returns the ticket of the path, as the person may see it.
func Ticket(c *page.Call) (*inventory.Ticket, error) {
	id, err := c.ID(inventory.Tickets.Schema)
	if err != nil {
		return nil, err
	}
	rec, err := c.App.Desk.Get(c.Context(), c.Who(), inventory.Tickets.Schema, id)
	if err != nil {
		return nil, err
	}
	return rec.(*inventory.Ticket), nil
}

// ticketPageOf returns what the page of a ticket shows.
func ticketPageOf(c *page.Call, t *inventory.Ticket, values url.Values) (*ticketPage, error) {
	v := inventory.Tickets.Values(t)
	p := &ticketPage{
		ticketForm: ticketForm{ID: t.ID, Path: ticketPath(t.ID), Version: t.Version},
		Number:     "#" + strconv.FormatInt(t.Number.V, 10), Name: t.Name, Due: newDue(c, t), Resolution: t.Resolution,
		State: c.Cell(v, inventory.Tickets.Field("state")), Priority: c.Cell(v, inventory.Tickets.Field("priority")),
		Opened: openedBy(c, t), OpenedAt: c.Moment(t.CreatedAt),
		Change: !c.User.ReadOnly.V, Mine: t.Assignee.ID == c.User.ID, Me: c.User.Email,
	}
	var err error
	if p.queuePlace, err = queueOf(c, t.ID, values); err != nil {
		return nil, err
	}
	audits, err := auditsOf(c, t.ID)
	if err != nil {
		return nil, err
	}
	p.Seen, p.Said, p.Own = lastSeen(audits), LastSaid(t), LastSaidBy(t, c.User.ID)
	if p.Entries, err = entriesOf(c, t, audits); err != nil {
		return nil, err
	}
	p.Composer = newComposer(c, t)
	if p.Props, err = props(c, t); err != nil {
		return nil, err
	}
	if p.Requester, err = requesterOf(c, t); err != nil {
		return nil, err
	}
	if p.Links, err = linkGroups(c, t); err != nil {
		return nil, err
	}
	p.Articles, p.Suggested, err = articlesFor(c, t)
	return p, err
}

// entriesOf returns the part of a ticket's conversation that the address asks for, with the latest changes.
func entriesOf(c *page.Call, t *inventory.Ticket, audits []*inventory.Audit) ([]Entry, error) {
	talk, err := NewTalk(c, t, ticketPath(t.ID), false)
	if err == nil && !talk.Until.IsZero() {
		audits, err = auditsUntil(c, t.ID, talk.Until)
	}
	if err != nil {
		return nil, err
	}
	return talk.Entries(c, audits), nil
}

func ticketPath(id int64) string { return "/tickets/" + strconv.FormatInt(id, 10) }

// openedBy returns by whom and in which way a ticket was opened, "" if that goes
// without saying.
func openedBy(c *page.Call, t *inventory.Ticket) string {
	var words []string
	if t.CreatedBy.ID != 0 && t.CreatedBy.ID != t.Requester.ID {
		words = append(words, c.T("by %s", lang.PersonName(&t.CreatedBy)))
	}
	switch t.Origin {
	case "email":
		words = append(words, c.T("by mail"))
	case "api":
		words = append(words, c.T("through the API"))
	case "agent":
		words = append(words, c.T("by an agent"))
	}
	return strings.Join(words, " ")
}

// backToTicket goes back to the ticket's page, in the queue from which the person
// came.
func backToTicket(c *page.Call, id int64, form url.Values) (*page.Answer, error) {
	return c.GoTo(page.Address(ticketPath(id), queueValues(form)))
}

// A requesterCard is the requester of a ticket, with what technicians want to know of
// them.
type requesterCard struct {
	Name, Email, Phone string
	Where              string // department and site
	Initials, Face     string
	Open, Done         int // their tickets
	OpenHref, DoneHref string
	Input              records.Input
}

// requesterOf returns the requester of a ticket.
func requesterOf(c *page.Call, t *inventory.Ticket) (card requesterCard, err error) {
	p := &t.Requester
	f := inventory.Tickets.Field("requester")
	card = requesterCard{Name: lang.PersonName(p), Email: p.Email, Phone: p.Phone,
		Initials: page.Initials(lang.PersonName(p)), Face: page.Face(p.Email),
		Input: records.Input{ID: "p-requester", Name: f.Name, Label: c.Label(f), Value: p.Title()}}
	rec, err := c.App.Desk.Get(c.Context(), c.Who(), inventory.Users.Schema, p.ID)
	if err != nil {
		return card, err
	}
	u := rec.(*inventory.User)
	var where []string
	for _, word := range []string{u.Title, u.Department, u.Site} {
		if word != "" {
			where = append(where, word)
		}
	}
	card.Where = strings.Join(where, ", ")
	section := records.SectionOf(c.App, inventory.Tickets.Schema)
	open := url.Values{"requester": {p.Email}, "state": inventory.TicketStates[:4]}
	done := url.Values{"requester": {p.Email}, "state": inventory.TicketStates[4:]}
	card.OpenHref, card.DoneHref = page.Address("/tickets", open), page.Address("/tickets", done)
	if card.Open, err = section.Total(c, open); err == nil {
		card.Done, err = section.Total(c, done)
	}
	return card, err
}

// FormOf returns the values of some fields of a form, without the others.
func FormOf(form url.Values, fields ...string) url.Values {
	out := url.Values{}
	for _, name := range fields {
		if given, ok := form[name]; ok {
			out[name] = given
		}
	}
	return out
}

// ids writes numbers as forms send them.
func ids(links []kind.Linked) []string {
	out := []string{""} // the form has the field, also without any
	for _, l := range links {
		out = append(out, strconv.FormatInt(l.ID.V, 10))
	}
	return out
}
