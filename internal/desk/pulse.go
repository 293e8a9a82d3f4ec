package desk

import (
	"context"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/store"
)

// A TicketVersion shows whether something was said or changed in a ticket: then it is
// another. A private comment leaves the ticket's version as it is, so that the
// comments count too.
type TicketVersion struct {
	Version  int64 `json:"version"`
	Comments int   `json:"comments"` // that the caller may see
	Last     int64 `json:"last"`     // the id of the newest of them
}

// TicketVersion returns that of a ticket. It is read from the database each time, so
// that what happens through other nodes is seen too.
func (d *Desk) TicketVersion(ctx context.Context, who Caller, ticket int64) (p TicketVersion, err error) {
	scope, err := Visible(who.User, inventory.Comments.Schema)
	if err != nil {
		return p, err
	}
	q := &kind.Query{
		Either: scope, Conds: []kind.Cond{NamesID(inventory.Comments.Field("ticket"), ticket)},
		Sort: inventory.Comments.Field("id"), Desc: true, Page: 1, PerPage: 1,
	}
	err = d.store.View(ctx, func(tx *store.Tx) error {
		rec, err := d.Load(ctx, tx, who.User, inventory.Tickets.Schema, ticket)
		if err != nil {
			return err
		}
		total, ids, err := tx.Find(ctx, inventory.Comments.Schema, q)
		p = TicketVersion{Version: rec.(*inventory.Ticket).Version, Comments: total}
		if len(ids) > 0 {
			p.Last = ids[0]
		}
		return err
	})
	return p, err
}
