package desk

import (
	"context"
	"net/url"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
)

// IsReported reports whether agents report a field of computers, or the BIOS that they
// report, unless a person sets it.
func IsReported(f *kind.Field) bool {
	_, ofBIOS := new(inventory.Computer).FromBIOS(f)
	return f.Reported || ofBIOS
}

// Releasable reports whether a person has set a field of a computer that an agent
// can report again. Of a computer that no agent has ever reported, what was typed is
// all that there is.
func Releasable(c *inventory.Computer, f *kind.Field) bool { return Reports(c) && c.SetByPerson(f) }

// Reports reports whether an agent has ever reported a computer.
func Reports(c *inventory.Computer) bool { return !c.DetectedAt.IsZero() }

// Release lets the agent of a computer report a field again that a person has set:
// what it reported last shows at once, whatever else was changed meanwhile. It is
// refused where an agent reports nothing of it, since nothing would take the place of
// what was typed; to clear the field is another change.
func (d *Desk) Release(ctx context.Context, who Caller, id int64, f *kind.Field) (rec any, err error) {
	k := inventory.Computers.Schema
	return d.Update(ctx, who, Target{Kind: k, ID: id}, func() (*kind.Patch, error) {
		now, err := d.Get(ctx, who, k, id)
		if err != nil {
			return nil, err
		}
		c := now.(*inventory.Computer)
		if !Reports(c) {
			return nil, Refuse(Conflict,
				"%s stays as it is: no agent has reported %s, so that nothing would take its place",
				message.Word(f.Label), c.Name)
		}
		reported, err := d.isReported(ctx, c, f)
		if err != nil {
			return nil, err
		}
		if c.SetByPerson(f) && !reported {
			return nil, Refuse(Conflict,
				"%s stays as it is: the agent tells nothing of it, so that nothing would take its place",
				message.Word(f.Label))
		}
		return k.ReadForm(url.Values{f.Name: {""}}), nil
	})
}

// isReported reports whether the agent of a computer has reported anything of a field that a
// person has set.
func (d *Desk) isReported(ctx context.Context, c *inventory.Computer, f *kind.Field) (is bool, err error) {
	if reported, ofBIOS := c.FromBIOS(f); ofBIOS {
		return reported != "", nil
	}
	k := inventory.Computers.Schema
	err = d.store.View(ctx, func(tx *store.Tx) error {
		kept, err := (&Work{Desk: d, Tx: tx, Kind: k}).Reported(ctx, c.ID)
		is = err == nil && !k.Values(kept).Equal(f, k.Values(&inventory.Computer{}))
		return err
	})
	return is, err
}
