package desk

import (
	"context"
	"net/url"
	"slices"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/store"
)

// Told reports whether agents tell a field of computers, or the BIOS that they
// report, unless a person sets it.
func Told(f *kind.Field) bool { return f.Reported || slices.Contains(settled, f.Name) }

// Releasable reports whether a person has set a field of a computer that an agent
// can tell again. Of a computer that no agent has ever reported, what was typed is
// all that there is.
func Releasable(c *inventory.Computer, f *kind.Field) bool { return reports(c) && c.Holds(f) }

// reports reports whether an agent has ever reported a computer.
func reports(c *inventory.Computer) bool { return !c.DetectedAt.IsZero() }

// Release lets the agent of a computer tell a field again that a person has set:
// what it told last shows at once, whatever else was changed meanwhile. It is
// refused of a computer that no agent has ever reported, since nothing would take
// the place of what was typed.
func (d *Desk) Release(ctx context.Context, who Caller, id int64, f *kind.Field) (rec any, err error) {
	k := inventory.Computers.Schema
	return d.Update(ctx, who, Target{Kind: k, ID: id}, func() (*kind.Patch, error) {
		now, err := d.Get(ctx, who, k, id)
		if err != nil {
			return nil, err
		}
		if c := now.(*inventory.Computer); !reports(c) {
			return nil, refuse(Conflict, "%s stays as it is: no agent has reported %s, so that nothing would take its place", f.Label, c.Name)
		}
		return k.ReadForm(url.Values{f.Name: {""}}), nil
	})
}

// releaseSet empties in a form, by which a change of a computer is taken back,
// what a person has set by that change and nobody before: so it is released, where
// to set what the agent told would keep it from reports. It refuses a field of
// reports that had something else before: a person had set it, or the agent has told
// another value since.
func (d *Desk) releaseSet(ctx context.Context, who Caller, a *inventory.Audit, form url.Values) error {
	k := inventory.Computers.Schema
	return d.store.View(ctx, func(tx *store.Tx) error {
		rec, err := d.get(ctx, tx, who.User, k, a.RecordID.V)
		if err != nil {
			return err
		}
		is := rec.(*inventory.Computer)
		kept, err := (&work{Desk: d, tx: tx, kind: k}).reported(ctx, a.RecordID.V)
		if err != nil {
			return err
		}
		for _, change := range a.Changes {
			f := k.Field(change.Field)
			told, ofBIOS := is.FromBIOS(f)
			if !ofBIOS {
				told = k.Values(kept).Format(f)
			}
			switch {
			case !Releasable(is, f): // it was released, or is none of theirs
			case change.From == told:
				form.Set(f.Name, "")
			case !ofBIOS:
				return notUndone(f.Name)
			}
		}
		return nil
	})
}
