package tally

import (
	"context"
	"errors"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
	"muster/internal/store/installs"
)

// Mend finds what differs and sets it to what is counted, each count in a transaction of its own that counts again. It
// returns what it has mended, each of which has an audit record.
func Mend(ctx context.Context, d *desk.Desk, who desk.Caller) (mended []Difference, err error) {
	found, err := Find(ctx, d.Store())
	if err != nil {
		return nil, err
	}
	for _, f := range found {
		was, err := mend(ctx, d, who, f)
		if err != nil {
			return mended, err
		}
		mended = append(mended, was...)
	}
	return mended, nil
}

// mend mends a count that differed a moment ago, and returns how it still did.
func mend(ctx context.Context, d *desk.Desk, who desk.Caller, f Difference) (was []Difference, err error) {
	err = d.Store().Update(ctx, func(tx *store.Tx) (err error) {
		switch f.Of {
		case Installs:
			was, err = mendInstalls(ctx, d, tx, who, f.ID)
		case Tickets:
			was, err = mendTickets(ctx, d, tx, who)
		default:
			was, err = mendLicence(ctx, d, tx, who, f)
		}
		if errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrAgain) && f.Of == Installs {
			was, err = nil, nil // it was deleted meanwhile
		}
		return err
	})
	return was, err
}

// mendInstalls counts the computers of a software, while nobody installs it.
func mendInstalls(ctx context.Context, d *desk.Desk, tx *store.Tx, who desk.Caller, id int64) ([]Difference, error) {
	if err := tx.LockRows(ctx, "softwares", []int64{id}); err != nil {
		return nil, err
	}
	was, err := differing(ctx, tx, Installs, `SELECT s.id, s.name, coalesce(s.installs, 0),
		(SELECT count(*) FROM installations i WHERE i.software_id = s.id) FROM softwares s WHERE s.id = $1`, []any{id}, nil)
	if err != nil || len(was) == 0 {
		return nil, err
	}
	tx.TouchCounted("softwares", id)
	if err := tx.Exec(ctx, "UPDATE softwares SET installs = $1 WHERE id = $2", was[0].Counted, id); err != nil {
		return nil, err
	}
	return was, record(ctx, d, tx, who, inventory.Softwares.Schema, was[0].ID, corrected(was[0]))
}

// mendLicence finds again what a licence covers and counts its computers, while nobody installs software. A job does so
// of a licence that covers much, since nobody could install for long.
func mendLicence(ctx context.Context, d *desk.Desk, tx *store.Tx, who desk.Caller, f Difference) ([]Difference, error) {
	if err := installs.LockLicences(ctx, tx); err != nil {
		return nil, err
	}
	c, err := store.Get(ctx, tx, inventory.Contracts, f.ID)
	if err != nil || c.Type != inventory.SoftwareLicense || c.Counting.V {
		return nil, err
	}
	few, err := installs.CountsAtOnce(ctx, tx, c.ID, len(c.Items))
	was := []Difference{f}
	if err == nil && few {
		was, err = ofLicence(ctx, tx, c.ID)
	}
	if err != nil || len(was) == 0 {
		return nil, err
	}
	if err := d.RecountLicence(ctx, tx, c); err != nil {
		return nil, err
	}
	text := corrected(was[0])
	if !few {
		text = message.New("Counted again by a job, since %d was kept and %d counted", f.Kept, f.Counted)
	}
	return was, record(ctx, d, tx, who, inventory.Contracts.Schema, c.ID, text)
}

// mendTickets lets the next ticket have the number after the highest.
func mendTickets(ctx context.Context, d *desk.Desk, tx *store.Tx, who desk.Caller) ([]Difference, error) {
	// nobody else gets a number meanwhile
	if err := tx.Exec(ctx, "UPDATE counters SET value = value WHERE name = $1", desk.TicketCounter); err != nil {
		return nil, err
	}
	was, err := ofTickets(ctx, tx)
	if err != nil || len(was) == 0 {
		return nil, err
	}
	if err := tx.SetCounter(ctx, desk.TicketCounter, was[0].Counted); err != nil {
		return nil, err
	}
	text := message.New("Last ticket number corrected from %d to %d", was[0].Kept, was[0].Counted)
	return was, d.AppendAudits(ctx, tx, who, desk.NewAudit(inventory.Updated, text))
}

// corrected says what was mended.
func corrected(was Difference) message.Text {
	if was.Of == Covered {
		return message.New("Covered software corrected from %d to %d, and its computers counted again", was.Kept, was.Counted)
	}
	return message.New("Number of computers corrected from %d to %d", was.Kept, was.Counted)
}

// record writes the audit record of a count that was mended.
func record(ctx context.Context, d *desk.Desk, tx *store.Tx, who desk.Caller, k *kind.Schema, id int64,
	text message.Text) error {
	rec, err := tx.Get(ctx, k, id)
	if err != nil {
		return err
	}
	return d.WriteAudit(ctx, tx, who, k, rec, desk.NewAudit(inventory.Updated, text))
}
