package desk

import (
	"context"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
	"muster/internal/store/installs"
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
	First []any // of these records, with the fields that lists show; none of what has no name
}

// maxFirst is how many records a Consequence has at most.
const maxFirst = 5

// Consequences returns what refers to a record that the caller may see, and what
// becomes of it when the record is deleted.
func (d *Desk) Consequences(ctx context.Context, who Caller, k *kind.Schema, id int64) (all []Consequence, err error) {
	err = d.store.View(ctx, func(tx *store.Tx) error {
		rec, err := d.Load(ctx, tx, who.User, k, id)
		if err != nil {
			return err
		}
		if Limited(who.User) {
			return Refuse(Forbidden, "a %s may not ask what refers to a %s", message.Word(who.User.Role),
				message.Word(k.Noun))
		}
		all, err = consequences(ctx, tx, k, rec)
		return err
	})
	return all, err
}

// Used refuses a record that others refer to or are linked with.
func Used(ctx context.Context, tx *store.Tx, k *kind.Schema, rec any) error {
	all, err := consequences(ctx, tx, k, rec)
	if err != nil || len(all) == 0 {
		return err
	}
	return Refuse(Conflict, "it is used by %s", message.Count{N: all[0].Count, Noun: all[0].Kind.Noun})
}

func consequences(ctx context.Context, tx *store.Tx, k *kind.Schema, rec any) (all []Consequence, err error) {
	id := k.Meta(rec).ID
	referrers, err := tx.Referrers(ctx, k, id)
	if err != nil {
		return nil, err
	}
	linkers, err := tx.Linkers(ctx, k, id)
	if err != nil {
		return nil, err
	}
	add := func(one Consequence, tie kind.Tie) (err error) {
		if one.Count == 0 {
			return nil
		}
		if one.Kind != inventory.Comments.Schema {
			one.First, err = tx.FirstTied(ctx, one.Kind.Stored(), tie, maxFirst)
		}
		all = append(all, one)
		return err
	}
	for _, r := range referrers {
		fate := Keeps
		if r.Kind == inventory.Comments.Schema && k == inventory.Tickets.Schema {
			fate = Leaves // a ticket takes what was said along
		}
		if err := add(Consequence{Fate: fate, Kind: r.Kind, Field: r.Field, Count: r.Count}, r.Tie); err != nil {
			return nil, err
		}
	}
	for _, r := range linkers {
		if err := add(Consequence{Fate: Loses, Kind: r.Kind, Field: r.Field, Count: r.Count}, r.Tie); err != nil {
			return nil, err
		}
	}
	switch rec := rec.(type) {
	case *inventory.Software:
		err = add(Consequence{Fate: Keeps, Kind: inventory.Computers.Schema, Count: rec.Installs.V},
			installs.ComputersWith(id))
	case *inventory.Solution:
		err = add(Consequence{Fate: Loses, Kind: inventory.Tickets.Schema, Count: int64(len(rec.Tickets))},
			store.LinkedBy(k, inventory.Tickets.Schema, id))
	case *inventory.Computer:
		have, failed := installs.Of(ctx, tx, []int64{id}, nil)
		if failed != nil {
			return nil, failed
		}
		err = add(Consequence{Fate: Leaves, Kind: inventory.Installations.Schema, Count: int64(len(have))},
			installs.SoftwareOf(id))
	}
	return all, err
}
