package web

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
)

// ticketRoutes are the paths of tickets beside those that every section has.
func (w *Web) ticketRoutes() {
	w.route("/tickets/{id}/set", staff, verbs{"POST": (*call).setTicket})
	w.route("/tickets/{id}/reply", staff, verbs{"POST": (*call).replyToTicket})
	w.route("/tickets/{id}/link", staff, verbs{"POST": (*call).linkTicket})
	w.route("/tickets/{id}/article", staff, verbs{"POST": (*call).linkArticle})
	w.route("/tickets/{id}/events", staff, verbs{"GET": (*call).followTicket})
	w.route("/tickets/events", staff, verbs{"GET": (*call).followQueue})
}

// A ticketPage is what the page of a ticket shows.
type ticketPage struct {
	ticketForm
	Number, Name    string
	State, Priority cell
	Due             *due
	Opened          string // how, beside when
	OpenedAt        *moment
	Notice          *changedNotice
	Fault           string // of what was just tried
	Entries         []entry
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
	When *moment
	Text string
	Tone string // is-bad when it is late, is-warn when it soon is
}

// soon is how long before its time a ticket is marked.
const soon = 4 * time.Hour

// due returns when a ticket shall be done, nil when nobody said so or it is done.
func (c *call) due(t *inventory.Ticket) *due {
	if t.DueAt.IsZero() || t.Done() {
		return nil
	}
	return c.dueAt(t.DueAt)
}

// dueAt returns a time at which a ticket that is open shall be done.
func (c *call) dueAt(at time.Time) *due {
	d := &due{When: c.moment(at)}
	switch left := at.Sub(c.now()); {
	case left <= 0:
		d.Tone, d.Text = "is-bad", c.t("%s overdue", c.span(-left))
	case left < soon:
		d.Tone, d.Text = "is-warn", c.t("Due in %s", c.span(left))
	case left < relativeDays*24*time.Hour:
		d.Text = c.t("Due in %s", c.span(left))
	default:
		d.Text = c.t("Due %s", d.When.Short)
	}
	return d
}

// span writes how long something takes.
func (c *call) span(d time.Duration) string {
	switch {
	case d < time.Hour:
		return c.tn(max(1, int(d.Minutes())), "%s min", "%s min")
	case d < 24*time.Hour:
		return c.tn(int(d.Hours()), "%s h", "%s h")
	}
	return c.tn(int(d.Hours()/24), "%s day", "%s days")
}

// showTicket shows a ticket with its conversation.
func (c *call) showTicket() (*answer, error) {
	return c.ticketAnswer(http.StatusOK, c.URL.Query(), nil)
}

// ticketAnswer answers with a ticket's page. The values are those of the address
// or of the form that was sent; change tells the page what became of that.
func (c *call) ticketAnswer(status int, values url.Values, change func(*ticketPage)) (*answer, error) {
	t, err := c.ticket()
	if err != nil {
		return nil, err
	}
	p, err := c.ticketPageOf(t, values)
	if err != nil {
		return nil, err
	}
	if change != nil {
		change(p)
	}
	return &answer{status: status, template: "ticket", page: page{
		Title: p.Number + " " + p.Name, Here: "/tickets", Scripts: []string{"ticket.js"}, Data: p,
	}}, nil
}

// ticket returns the ticket of the path, as the person may see it.
func (c *call) ticket() (*inventory.Ticket, error) {
	id, err := c.id(inventory.Tickets.Schema)
	if err != nil {
		return nil, err
	}
	rec, err := c.web.Desk.Get(c.Context(), c.who(), inventory.Tickets.Schema, id)
	if err != nil {
		return nil, err
	}
	return rec.(*inventory.Ticket), nil
}

// ticketPageOf returns what the page of a ticket shows.
func (c *call) ticketPageOf(t *inventory.Ticket, values url.Values) (*ticketPage, error) {
	v := inventory.Tickets.Values(t)
	p := &ticketPage{
		ticketForm: ticketForm{ID: t.ID, Path: ticketPath(t.ID), Version: t.Version},
		Number:     "#" + strconv.FormatInt(t.Number.V, 10), Name: t.Name, Due: c.due(t), Resolution: t.Resolution,
		State: c.cell(v, inventory.Tickets.Field("state")), Priority: c.cell(v, inventory.Tickets.Field("priority")),
		Opened: c.openedBy(t), OpenedAt: c.moment(t.CreatedAt),
		Change: !c.user.ReadOnly.V, Mine: t.Assignee.ID == c.user.ID, Me: c.user.Email,
	}
	var err error
	if p.queuePlace, err = c.queueOf(t.ID, values); err != nil {
		return nil, err
	}
	audits, err := c.auditsOf(t.ID)
	if err != nil {
		return nil, err
	}
	p.Entries = c.conversation(t, audits)
	p.Seen, p.Said, p.Own = lastSeen(audits), lastSaid(t), lastSaidBy(t, c.user.ID)
	p.Composer = c.newComposer(t)
	if p.Props, err = c.props(t); err != nil {
		return nil, err
	}
	if p.Requester, err = c.requesterOf(t); err != nil {
		return nil, err
	}
	if p.Links, err = c.linkGroups(t); err != nil {
		return nil, err
	}
	p.Articles, p.Suggested, err = c.articlesFor(t)
	return p, err
}

func ticketPath(id int64) string { return "/tickets/" + strconv.FormatInt(id, 10) }

// openedBy tells by whom and through which door a ticket was opened, as far as
// that is worth a word.
func (c *call) openedBy(t *inventory.Ticket) string {
	var words []string
	if t.CreatedBy.ID != 0 && t.CreatedBy.ID != t.Requester.ID {
		words = append(words, c.t("by %s", personName(&t.CreatedBy)))
	}
	switch t.Origin {
	case "email":
		words = append(words, c.t("by mail"))
	case "api":
		words = append(words, c.t("through the API"))
	case "agent":
		words = append(words, c.t("by an agent"))
	}
	return strings.Join(words, " ")
}

// backToTicket goes back to the ticket's page, in the queue from which the person
// came.
func (c *call) backToTicket(id int64, form url.Values) (*answer, error) {
	return c.goTo(address(ticketPath(id), queueValues(form)))
}

// A requesterCard is who asks, with what technicians want to know of them.
type requesterCard struct {
	Name, Email, Phone string
	Where              string // department and site
	Initials, Face     string
	Open, Done         int // their tickets
	OpenHref, DoneHref string
	Input              input
}

// requesterOf returns who asks in a ticket.
func (c *call) requesterOf(t *inventory.Ticket) (card requesterCard, err error) {
	p := &t.Requester
	f := inventory.Tickets.Field("requester")
	card = requesterCard{Name: personName(p), Email: p.Email, Phone: p.Phone, Initials: initials(personName(p)), Face: face(p.Email),
		Input: input{ID: "p-requester", Name: f.Name, Label: c.label(f), Value: p.Title()}}
	rec, err := c.web.Desk.Get(c.Context(), c.who(), inventory.Users.Schema, p.ID)
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
	section := sectionOf(inventory.Tickets.Schema)
	open := url.Values{"requester": {p.Email}, "state": inventory.TicketStates[:4]}
	done := url.Values{"requester": {p.Email}, "state": inventory.TicketStates[4:]}
	card.OpenHref, card.DoneHref = address("/tickets", open), address("/tickets", done)
	if card.Open, err = section.total(c, open); err == nil {
		card.Done, err = section.total(c, done)
	}
	return card, err
}

// formOf is what a form says of some fields of a ticket alone.
func formOf(form url.Values, fields ...string) url.Values {
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
