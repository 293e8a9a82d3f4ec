package desk

import (
	"context"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/store"
)

// setByPerson notes which fields of a computer a person sets by a change, so
// that no report changes them, and which they release by clearing them: of these
// the agent's last value shows at once.
func (w *Work) setByPerson(ctx context.Context) error {
	is := w.Rec.(*inventory.Computer)
	was, _ := w.Old.(*inventory.Computer)
	if was == nil {
		was = &inventory.Computer{}
	}
	now, before, none := w.Kind.Values(is), w.Kind.Values(was), w.Kind.Values(&inventory.Computer{})
	var set, released []*kind.Field
	for _, f := range w.Kind.Fields {
		switch {
		case !f.Reported || now.Equal(f, before):
		case !now.Equal(f, none):
			if !is.KeptFromReports(f) {
				set = append(set, f)
			}
			is.Set(f, true)
		case was.KeptFromReports(f):
			is.Set(f, false)
			released = append(released, f)
		case Reports(was): // the agent reports it, and there is nothing to release
			now.Set(f, before)
		}
	}
	if w.Dry || !Reports(was) || len(set) == 0 && len(released) == 0 {
		return nil
	}
	if err := w.lockAsRead(ctx); err != nil {
		return err
	}
	if err := w.KeepReported(ctx, was.ID, set, was); err != nil {
		return err
	}
	return w.release(ctx, is, released)
}

// lockAsRead lets no report change what is kept of an agent's values before the
// change of the record is stored. A record that has changed since it was read is
// read anew.
func (w *Work) lockAsRead(ctx context.Context) error {
	was := w.Kind.Meta(w.Old)
	now, err := w.lock(ctx, w.Kind, was.ID)
	if err == nil && w.Kind.Meta(now).Version != was.Version {
		err = store.ErrAgain
	}
	return err
}

// SetAll notes that a person has set all that a computer has. What no agent has
// reported was typed, perhaps in a version that did not note it.
func SetAll(c *inventory.Computer) {
	k := inventory.Computers.Schema
	none := k.Values(&inventory.Computer{})
	for _, f := range k.Fields {
		if f.Reported && !k.Values(c).Equal(f, none) {
			c.Set(f, true)
		}
	}
}

// KeepReported keeps what an agent reports of fields that a person has set.
func (w *Work) KeepReported(ctx context.Context, computer int64, fields []*kind.Field, told *inventory.Computer) error {
	if len(fields) == 0 {
		return nil
	}
	kept, err := w.Reported(ctx, computer)
	if err != nil {
		return err
	}
	from, to := w.Kind.Values(told), w.Kind.Values(kept)
	for _, f := range fields {
		to.Set(f, from)
	}
	return w.Tx.SetReported(ctx, computer, w.Kind.AppendRecord(nil, kind.XML, "", kept))
}

// release shows what the agent reports of fields that a person has set no more.
func (w *Work) release(ctx context.Context, c *inventory.Computer, fields []*kind.Field) error {
	if len(fields) == 0 {
		return nil
	}
	kept, err := w.Reported(ctx, c.ID)
	if err != nil {
		return err
	}
	from, to := w.Kind.Values(kept), w.Kind.Values(c)
	for _, f := range fields {
		to.Set(f, from)
	}
	w.Kind.Loaded(c) // as it will be read
	if c.SetFields == "" {
		return w.Tx.SetReported(ctx, c.ID, nil)
	}
	return nil
}

// Reported returns what the agent of a computer reports of fields that a person
// has set.
func (w *Work) Reported(ctx context.Context, computer int64) (*inventory.Computer, error) {
	kept := &inventory.Computer{}
	document, err := w.Tx.Reported(ctx, computer)
	if document == nil || err != nil {
		return kept, err
	}
	patch, err := w.Kind.Decode(document)
	if err != nil {
		return nil, err
	}
	patch.Apply(kept)
	return kept, nil
}
