package desk

import (
	"context"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/store"
)

// An Answer is what somebody says in a ticket, and what they change of it with
// that.
type Answer struct {
	Ticket  int64
	Comment Document
	Change  Document // of the ticket, nil for none
	// If reports whether the ticket may be changed in its present version; nil
	// means in any. An answer that changes nothing fits all.
	If   func(version int64) bool
	Once *Once // nil for an answer that may be repeated
}

// Answer adds a comment to a ticket and changes the ticket, both or neither. One
// under a key that the user has used before does nothing.
func (d *Desk) Answer(ctx context.Context, who Caller, a Answer) error {
	k, n := inventory.Tickets.Schema, New{Kind: inventory.Comments.Schema, Under: commentsOf(a.Ticket)}
	if err := d.checkMayCreate(ctx, who, n); err != nil {
		return err
	}
	comment, err := a.Comment()
	if err != nil {
		return err
	}
	var change *kind.Patch
	if a.Change != nil {
		if change, err = a.Change(); err != nil {
			return err
		}
	}
	c := &Creation{Desk: d, Kind: n.Kind, patch: comment}
	if err := c.Begin(who, a.Once); err != nil {
		return err
	}
	defer c.End()
	return d.Change(ctx, &who, Creating, n.Kind, func(tx *store.Tx) error {
		c.Who = who
		_, _, err := c.OnlyOnce(ctx, tx, func() (_ any, err error) {
			if change != nil { // first, since a comment makes another version of its ticket
				if _, _, err := d.UpdateIn(ctx, tx, who, Target{Kind: k, ID: a.Ticket, If: a.If}, change); err != nil {
					return nil, err
				}
			}
			if c.under, err = n.Under.find(ctx, &view{d, tx, who.User, true}); err != nil {
				return nil, err
			}
			return c.make(ctx, tx)
		})
		return err
	})
}

// commentsOf returns the place of the comments of a ticket.
func commentsOf(ticket int64) *Place {
	return &Place{RelationOf(inventory.Tickets.Schema, inventory.Comments.Plural), ticket}
}
