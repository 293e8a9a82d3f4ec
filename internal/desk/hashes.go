package desk

import (
	"context"
	"errors"

	"muster/internal/store"
)

// hashes are those of the sign-in passwords that a change of users sets. A hash takes
// long, and few are made at once: so a transaction that needs some that there are not
// yet is undone, they are made while nobody waits for it, and it is run again.
type hashes struct {
	made   map[string]string // by password
	wanted []string          // passwords
}

// errUnhashed undoes a transaction that wants hashes.
var errUnhashed = errors.New("passwords are to be hashed first")

// hash returns the hash of a password, "" when it is made before the transaction is
// run again.
func (h *hashes) hash(password string) string {
	hash, ok := h.made[password]
	if !ok {
		h.wanted = append(h.wanted, password)
	}
	return hash
}

// make makes the hashes that are wanted, each in its turn.
func (h *hashes) make(ctx context.Context, d *Desk) error {
	for _, password := range h.wanted {
		if err := d.inTurn(ctx, func() { h.made[password] = d.hashCost.hash(password) }); err != nil {
			return err
		}
	}
	return nil
}

// withHashes runs f in a transaction whose changes of users find the hashes of their
// passwords with hashesOf.
func (d *Desk) withHashes(ctx context.Context, f func(*store.Tx) error) error {
	h := &hashes{made: map[string]string{}}
	for {
		err := d.store.Update(ctx, func(tx *store.Tx) error {
			h.wanted = nil
			d.hashes.Store(tx, h)
			defer d.hashes.Delete(tx)
			if err := f(tx); err != nil {
				return err
			}
			if h.wanted != nil {
				return errUnhashed
			}
			return nil
		})
		if !errors.Is(err, errUnhashed) {
			return err
		}
		if err := h.make(ctx, d); err != nil {
			return err
		}
	}
}

// hashesOf returns the hashes of a transaction.
func (d *Desk) hashesOf(tx *store.Tx) (*hashes, error) {
	h, ok := d.hashes.Load(tx)
	if !ok {
		return nil, errors.New("a transaction that is none of users sets a password")
	}
	return h.(*hashes), nil
}
