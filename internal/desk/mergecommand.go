package desk

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"muster/internal/inventory"
	"muster/internal/store"
)

// MergeComputers makes two computers one for a command, each given by its id or
// asset id. It returns the one that stays, and the one that is gone as it was
// last.
func (d *Desk) MergeComputers(ctx context.Context, who Caller, a, b string) (kept, gone *inventory.Computer, err error) {
	err = d.store.Update(ctx, func(tx *store.Tx) error {
		one, err := d.findComputer(ctx, tx, strings.TrimSpace(a))
		if err != nil {
			return err
		}
		other, err := d.findComputer(ctx, tx, strings.TrimSpace(b))
		if err != nil {
			return err
		}
		if one == other {
			return refuse(Conflict, "%s and %s are one computer already", a, b)
		}
		m := &merger{work: &work{Desk: d, tx: tx, who: who, kind: inventory.Computers.Schema}}
		err = m.holdBoth(ctx, one, other)
		if _, ok := errors.AsType[missing](err); ok {
			return store.ErrAgain // it was there a moment ago
		}
		if err != nil {
			return err
		}
		if err := m.merge(ctx); err != nil {
			return err
		}
		kept, gone = m.rec.(*inventory.Computer), m.newer
		return nil
	})
	return kept, gone, err
}

// findComputer returns the computer that has an id or an asset id. A number that
// is the id of one and the asset id of another is refused.
func (d *Desk) findComputer(ctx context.Context, tx *store.Tx, which string) (int64, error) {
	none := refuse(NotFound, "there is no computer with the id or asset id %q", which)
	if !isLine(which) {
		return 0, none
	}
	k := inventory.Computers.Schema
	named, err := tx.Taken(ctx, k, k.Field("asset-id"), which, 0)
	if err != nil {
		return 0, err
	}
	id, err := strconv.ParseInt(which, 10, 64)
	if err != nil && named == 0 {
		return 0, none
	}
	rows, err := tx.Rows(ctx, k, []int64{id})
	switch {
	case err != nil:
		return 0, err
	case len(rows) == 0 && named == 0:
		return 0, d.noSuch(ctx, tx, nil, k, id)
	case len(rows) == 0:
		return named, nil
	case named != 0 && named != id:
		return 0, refuse(Conflict, "%s is the id of one computer, which has the asset id %s, and the asset id of another, which has the id %d: give that of the one that you mean",
			which, rows[0].(*inventory.Computer).AssetID, named)
	}
	return id, nil
}
