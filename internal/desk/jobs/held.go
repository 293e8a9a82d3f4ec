package jobs

import (
	"context"
	"errors"

	"muster/internal/desk"
	"muster/internal/store"
)

// heldMeta says in the database why jobs that reach outside are held; nothing for those that are not.
const heldMeta = "jobs-held"

// Why jobs that reach outside are held.
const (
	restored = "restored" // until somebody lets them go on
	demo     = "demo"     // for good: nothing of an invented organisation reaches anybody
)

// Held reports whether jobs that reach outside wait for an administrator, since the database was restored.
func (s *Service) Held(ctx context.Context) (held bool, err error) {
	err = s.desk.Store().Read(ctx, func(tx *store.Tx) error {
		why, err := heldFor(ctx, tx)
		held = why == restored
		return err
	})
	return held, err
}

// heldFor returns why jobs that reach outside are held, "" for those that are not.
func heldFor(ctx context.Context, tx *store.Tx) (why string, err error) {
	value, err := tx.Meta(ctx, heldMeta)
	if errors.Is(err, store.ErrNotFound) {
		err = nil
	}
	return string(value), err
}

// Hold holds the jobs of a restored database that reach outside, until Resume.
func Hold(ctx context.Context, tx *store.Tx) error {
	if why, err := heldFor(ctx, tx); err != nil || why != "" {
		return err
	}
	return tx.SetMeta(ctx, heldMeta, []byte(restored))
}

// Enclose keeps for good that jobs reach outside.
func (s *Service) Enclose(ctx context.Context) error {
	return s.desk.Store().Update(ctx, func(tx *store.Tx) error { return tx.SetMeta(ctx, heldMeta, []byte(demo)) })
}

// Resume lets held jobs go on.
func (s *Service) Resume(ctx context.Context, who desk.Caller) error {
	err := s.desk.Store().Update(ctx, func(tx *store.Tx) error {
		if err := s.desk.Administers(ctx, tx, who, "a %s may not let held jobs go on"); err != nil {
			return err
		}
		switch why, err := heldFor(ctx, tx); {
		case err != nil || why == "":
			return err
		case why == demo:
			return desk.Refuse(desk.Conflict, "this is a demonstration, whose jobs never reach outside")
		}
		return tx.SetMeta(ctx, heldMeta, []byte{})
	})
	s.Wake()
	return err
}

// Settle lets held jobs go on where none reaches outside, so that nobody is asked about nothing. It is called before
// Start.
func (s *Service) Settle(ctx context.Context) error {
	for _, h := range s.handlers {
		if h.Outside {
			return nil
		}
	}
	if held, err := s.Held(ctx); err != nil || !held {
		return err
	}
	return s.Resume(ctx, desk.Caller{})
}
