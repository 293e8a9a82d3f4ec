package mustertest

import (
	"context"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/store"
)

// Insert stores records as they are, settled, but without rules, rights and
// audit: a computer can have a time of its last report, a user need not be
// able to sign in.
func Insert[T any](s *Server, k kind.Kind[T], recs ...*T) {
	s.t.Helper()
	ctx := context.Background()
	err := s.Store().Update(ctx, func(tx *store.Tx) error {
		for _, rec := range recs {
			k.Settle(rec, nil)
			if err := tx.Insert(ctx, k.Schema, rec, s.Clock.Now()); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		s.t.Fatalf("insert %s: %v", k.Plural, err)
	}
}

// Audits returns the audit trail.
func (s *Server) Audits() (audits []*inventory.Audit) {
	s.t.Helper()
	ctx := context.Background()
	if err := s.Store().Chain(ctx, inventory.Audits.Schema); err != nil {
		s.t.Fatal(err)
	}
	err := s.Store().View(ctx, func(tx *store.Tx) error {
		ids, err := tx.IDs(ctx, inventory.Audits.Schema)
		for _, id := range ids {
			audit, err := store.Get(ctx, tx, inventory.Audits, id)
			if err != nil {
				return err
			}
			audits = append(audits, audit)
		}
		return err
	})
	if err != nil {
		s.t.Fatalf("read the audit trail: %v", err)
	}
	return audits
}
