package desk

import (
	"context"
	"slices"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/store"
)

// A Saying is a part of what was said in a ticket: its newest comments, or those before one of them.
type Saying struct {
	Ticket int64
	Before int64 // the id of a comment, 0 for the end
	Public bool  // only what its requester may read
}

// Said is what was said in a part of a ticket, the oldest first.
type Said struct {
	Comments []inventory.TicketComment
	Earlier  int       // comments before these
	Until    time.Time // when the comment after these was written, zero if there is none
}

// Said returns at most inventory.NewestComments comments of a ticket that the caller may see.
func (d *Desk) Said(ctx context.Context, who Caller, part Saying) (said Said, err error) {
	err = d.store.View(ctx, func(tx *store.Tx) error {
		if _, err := d.Load(ctx, tx, who.User, inventory.Tickets.Schema, part.Ticket); err != nil {
			return err
		}
		said, err = saidIn(ctx, tx, who.User, part)
		return err
	})
	return said, err
}

func saidIn(ctx context.Context, tx *store.Tx, user *inventory.User, part Saying) (said Said, err error) {
	k := inventory.Comments.Schema
	q, err := part.query(user)
	if err != nil {
		return said, err
	}
	total, ids, err := tx.Find(ctx, k, q)
	if err != nil {
		return said, err
	}
	recs, err := tx.Rows(ctx, k, ids)
	said.Earlier = total - len(recs)
	for _, rec := range slices.Backward(recs) {
		c := rec.(*inventory.Comment)
		if c.ID == part.Before {
			said.Until = c.CreatedAt
			continue
		}
		said.Comments = append(said.Comments, inventory.TicketComment{
			ID: kind.Some(c.ID), Body: c.Body, IsPrivate: c.IsPrivate, User: c.User, CreatedAt: c.CreatedAt,
		})
	}
	return said, err
}

// query finds the comments, the newest first, and the one that they are before.
func (s *Saying) query(user *inventory.User) (*kind.Query, error) {
	k := inventory.Comments.Schema
	scope, err := Visible(user, k)
	q := &kind.Query{Either: scope, Conds: []kind.Cond{NamesID(k.Field("ticket"), s.Ticket)},
		Sort: k.Field("id"), Desc: true, Page: 1, PerPage: inventory.NewestComments}
	if s.Before != 0 {
		q.PerPage++
		q.Conds = append(q.Conds, kind.Cond{Field: k.Field("id"), Any: []kind.Test{{Range: true, Min: 1, Max: s.Before}}})
	}
	if s.Public {
		q.Conds = append(q.Conds, kind.Cond{Field: k.Field("is-private"), Any: []kind.Test{{Range: true}}})
	}
	return q, err
}
