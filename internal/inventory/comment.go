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

// incidentComments are comments with addresses below incidents.
var incidentComments = Comments.AliasBelow(Incidents.Schema)

// Below returns how the records of a kind are shown below a parent, which may be
// an alias.
func Below(parent, k *kind.Schema) *kind.Schema {
	if parent == Incidents.Schema && k == Comments.Schema {
		return incidentComments.Schema
	}
	return k
}

func (c *Comment) settle(*Comment) { c.IsPrivate.Valid = true }
