package desk

import (
	"context"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/store"
)

// A Fate is what becomes of records that refer to one that is to be deleted.
type Fate uint8

// Fates of records.
const (
	Keeps  Fate = iota // they keep it from being deleted
	Loses              // they stay, and do not name it any more
	Leaves             // they are deleted with it
)

// A Consequence is what becomes of some records when another is deleted.
type Consequence struct {
	Fate  Fate
	Kind  *kind.Schema
	Field *kind.Field // by which they refer to it, nil for another way
	Count int64
}

// Consequences tells what refers to a record that the caller may see, and what
// becomes of it when the record is deleted.
func (d *Desk) Consequences(ctx context.Context, who Caller, k *kind.Schema, id int64) (all []Consequence, err error) {
	err = d.store.View(ctx, func(tx *store.Tx) error {
		rec, err := d.get(ctx, tx, who.User, k, id)
		if err != nil {
			return err
		}
		if limited(who.User) {
			return refuse(Forbidden, "a %s may not ask what refers to a %s", who.User.Role, k.Noun)
		}
		all, err = consequences(ctx, tx, k, rec)
		return err
	})
	return all, err
}

func consequences(ctx context.Context, tx *store.Tx, k *kind.Schema, rec any) (all []Consequence, err error) {
	id := k.Meta(rec).ID
	referrers, err := tx.Referrers(ctx, k, id)
	if err != nil {
		return nil, err
	}
	for _, r := range referrers {
		fate := Keeps
		if r.Kind == inventory.Comments.Schema && k == inventory.Tickets.Schema {
			fate = Leaves // a ticket takes what was said along
		}
		all = append(all, Consequence{fate, r.Kind, r.Field, r.Count})
	}
	linkers, err := tx.Linkers(ctx, k, id)
	if err != nil {
		return nil, err
	}
	for _, r := range linkers {
		all = append(all, Consequence{Loses, r.Kind, r.Field, r.Count})
	}
	switch rec := rec.(type) {
	case *inventory.Software:
		if rec.Installs.V > 0 {
			all = append(all, Consequence{Keeps, inventory.Computers.Schema, nil, rec.Installs.V})
		}
	case *inventory.Solution:
		if len(rec.Tickets) > 0 {
			all = append(all, Consequence{Loses, inventory.Tickets.Schema, nil, int64(len(rec.Tickets))})
		}
	case *inventory.Computer:
		have, err := tx.Installations(ctx, []int64{id}, nil)
		if err != nil {
			return nil, err
		}
		if len(have) > 0 {
			all = append(all, Consequence{Leaves, inventory.Installations.Schema, nil, int64(len(have))})
		}
	}
	return all, nil
}
