package inventory

import "muster/internal/kind"

// A Comment is what somebody wrote under a ticket. Requesters do not see
// private ones.
type Comment struct {
	kind.Record
	Body      string
	IsPrivate kind.Bool
	User      kind.Person
	Ticket    kind.Ref
}

// Comments is the kind of comments. They are served below their ticket.
var Comments = kind.Define("comment", "comments", "Comments List", func(c *Comment, f *kind.Fields) {
	f.Record(&c.Record)
	f.LongText("body", &c.Body).Required()
	f.Bool("is-private", &c.IsPrivate).Filter()
	f.Person("user", &c.User).ReadOnly().Filter()
	f.Ref("ticket", &c.Ticket, Tickets.Schema).Hidden()
	f.Below("ticket")
	f.Stamps(&c.Record)
	kind.Settle(f, (*Comment).settle)
})

func (c *Comment) settle(*Comment) { c.IsPrivate.Valid = true }
