package inventory

import (
	"slices"
	"time"

	"muster/internal/kind"
)

// States of tickets. The last two are those of a ticket that is done.
const (
	TicketNew      = "New"
	TicketAssigned = "Assigned"
	TicketAwaiting = "Awaiting Input"
	TicketOnHold   = "On Hold"
	TicketResolved = "Resolved"
	TicketClosed   = "Closed"
)

// TicketStates are all states of tickets, in the order of a ticket's life.
var TicketStates = []string{TicketNew, TicketAssigned, TicketAwaiting, TicketOnHold, TicketResolved, TicketClosed}

// Priorities of tickets.
var Priorities = []string{"None", "Low", "Medium", "High", "Critical"}

// A Ticket is what somebody asks the help desk for.
type Ticket struct {
	kind.Record
	Number                         kind.Int
	Name, Description              string
	State, Priority                string
	Category, Subcategory          string
	Requester, Assignee, CreatedBy kind.Person
	Site, Department               string
	DueAt, ResolvedAt, ClosedAt    time.Time
	Resolution                     string
	Origin, Tag                    string
	Computers, OtherAssets         []kind.Linked
	Comments                       []TicketComment // the newest NewestComments, the oldest first
	CommentsCount                  kind.Int        // that the caller may see
}

// NewestComments is how many comments a single ticket shows. Its list of comments has all of them, in pages.
const NewestComments = 250

// A TicketComment is a comment as its ticket shows it.
type TicketComment struct {
	ID        kind.Int
	Body      string
	IsPrivate kind.Bool
	User      kind.Person
	CreatedAt time.Time
}

// Tickets is the kind of help-desk tickets, and Incidents the same under
// another name.
var (
	Tickets   = kind.Define("ticket", "tickets", "Helpdesk Tickets List", (*Ticket).fields)
	Incidents = Tickets.Alias("incident", "incidents", "Incidents List")
)

// fields declares the fields in the order of documents. That of the pages is panelFields in
// internal/web/tickets, and Facts in internal/web/sections.go.
func (t *Ticket) fields(f *kind.Fields) {
	f.Record(&t.Record)
	f.Int("number", &t.Number).ReadOnly().Filter().Searched()
	f.Text("name", &t.Name).Required().Filter().Rare()
	f.LongText("description", &t.Description)
	f.Text("state", &t.State).Required().OneOf(TicketStates...).Default(TicketNew).Filter()
	f.Text("priority", &t.Priority).Required().OneOf(Priorities...).Default("Medium").Filter()
	f.Text("category", &t.Category).Filter()
	f.Text("subcategory", &t.Subcategory).Filter()
	f.Person("requester", &t.Requester).Required().Filter()
	f.Person("assignee", &t.Assignee).Filter()
	f.Person("created-by", &t.CreatedBy).ReadOnly()
	f.Text("site", &t.Site).Named().Filter()
	f.Text("department", &t.Department).Named().Filter()
	f.Time("due-at", &t.DueAt).Filter()
	f.Time("resolved-at", &t.ResolvedAt).ReadOnly().Filter()
	f.Time("closed-at", &t.ClosedAt).ReadOnly().Filter()
	f.LongText("resolution", &t.Resolution)
	f.Text("origin", &t.Origin).ReadOnly().OneOf("api", "web", "email", "agent").Filter()
	f.Text("tag", &t.Tag).Filter()
	kind.Links(f, "hardwares", "hardware", &t.Computers, Computers.Schema).Label("Computers")
	kind.Links(f, "other-assets", "other-asset", &t.OtherAssets, OtherAssets.Schema)
	f.Stamps(&t.Record).Filter()
	f.Link("comments-href", "/comments")
	f.Detail()
	kind.Many(f, "comments", "comment", &t.Comments, (*TicketComment).fields).Computed()
	f.Int("comments-count", &t.CommentsCount).Computed().Label("Number of comments")
}

func (c *TicketComment) fields(f *kind.Fields) {
	f.Int("id", &c.ID)
	f.LongText("body", &c.Body)
	f.Bool("is-private", &c.IsPrivate)
	f.Person("user", &c.User)
	f.Time("created-at", &c.CreatedAt)
}

// Done reports whether the ticket needs no more work.
func (t *Ticket) Done() bool { return slices.Contains(TicketStates[4:], t.State) }
