package desk

import (
	"context"
	"errors"
	"slices"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
	"muster/internal/store/installs"
	"muster/internal/store/queue"
)

// The counts of software and licences are kept by every change that makes a
// difference to them, in its transaction. What is locked comes in this order:
// licences, shared or alone; the computer; software by id; licences' records by
// id. So complete and leaving, which come before anything is written, take the
// first of these.

// lock shares the licences, and lets nobody else change a record.
func (w *Work) lock(ctx context.Context, k *kind.Schema, id int64) (any, error) {
	if err := installs.ShareLicences(ctx, w.Tx); err != nil {
		return nil, err
	}
	rec, err := w.Tx.GetLocked(ctx, k, id)
	if errors.Is(err, store.ErrNotFound) {
		return nil, NoSuch(k, id)
	}
	return rec, err
}

// completeSoftware keeps others from changing what licences are about while that
// of the software changes.
func completeSoftware(ctx context.Context, w *Work) ([]message.Text, error) {
	if w.Dry {
		return nil, nil
	}
	if w.Old == nil {
		return nil, installs.ShareLicences(ctx, w.Tx)
	}
	if renamed(w) {
		return nil, installs.LockLicences(ctx, w.Tx)
	}
	return nil, nil
}

// renamed reports whether licences may be about the software that were not
// before, or the other way round.
func renamed(w *Work) bool {
	is, was := w.Rec.(*inventory.Software), w.Old.(*inventory.Software)
	return is.Name != was.Name || is.Version != was.Version
}

// matchSoftware finds the licences that are about software.
func matchSoftware(ctx context.Context, w *Work) error {
	switch {
	case w.Rec == nil:
		return installs.ForgetSoftware(ctx, w.Tx, w.Kind.Meta(w.Old).ID)
	case w.Old == nil:
		return installs.MatchNew(ctx, w.Tx, w.Kind.Meta(w.Rec).ID)
	case renamed(w):
		counting, err := installs.MatchAgain(ctx, w.Tx, w.Kind.Meta(w.Rec).ID, inventory.Gone)
		if err == nil && counting {
			err = w.countLater(ctx)
		}
		return err
	}
	return nil
}

// leaveSoftware refuses to delete what is installed.
func leaveSoftware(ctx context.Context, w *Work) error {
	id := w.Kind.Meta(w.Old).ID
	rec, err := w.lock(ctx, w.Kind, id)
	if err != nil {
		return err
	}
	if n := rec.(*inventory.Software).Installs.V; n > 0 {
		return Refuse(Conflict, "the software %d is still installed on %s", id, message.Count{N: n, Noun: "computer"})
	}
	return nil
}

// completeComputer notes what a person sets, and keeps others from changing what
// licences are about while the computer comes to count there or ceases to.
func completeComputer(ctx context.Context, w *Work) ([]message.Text, error) {
	if w.Who.User != nil || w.Imported {
		if err := w.setByPerson(ctx); err != nil {
			return nil, err
		}
	}
	if !left(w) || w.Dry {
		return nil, nil
	}
	return nil, installs.ShareLicences(ctx, w.Tx)
}

// left reports whether the computer has come to count in licences, or has ceased
// to.
func left(w *Work) bool {
	is, _ := w.Rec.(*inventory.Computer)
	was, _ := w.Old.(*inventory.Computer)
	return is != nil && was != nil && is.Gone() != was.Gone()
}

// recountComputer makes licences count a computer, or not any more.
func recountComputer(ctx context.Context, w *Work) error {
	if !left(w) {
		return nil
	}
	c := w.Rec.(*inventory.Computer)
	return installs.CountComputer(ctx, w.Tx, c.ID, !c.Gone())
}

// leaveComputer removes what a computer has installed with it, and its agents.
func leaveComputer(ctx context.Context, w *Work) error {
	id := w.Kind.Meta(w.Old).ID
	rec, err := w.lock(ctx, w.Kind, id)
	if err != nil {
		return err
	}
	if err := w.Tx.ForgetAgents(ctx, id); err != nil {
		return err
	}
	if err := DropClaimsWith(ctx, w.Tx, "hardware-id", id); err != nil {
		return err
	}
	have, err := installs.Of(ctx, w.Tx, []int64{id}, nil)
	if err != nil {
		return err
	}
	var softwares []int64
	for _, i := range have {
		softwares = append(softwares, i.SoftwareID)
	}
	return installs.Remove(ctx, w.Tx, id, !rec.(*inventory.Computer).Gone(), softwares)
}

// completeContract keeps others from changing what is installed while what a
// licence is about changes.
func completeContract(ctx context.Context, w *Work) ([]message.Text, error) {
	if !relicensed(w) || w.Dry {
		return nil, nil
	}
	return nil, installs.LockLicences(ctx, w.Tx)
}

// relicensed reports whether a licence is about other software than before.
func relicensed(w *Work) bool {
	is, was := licenceItems(w.Rec), licenceItems(w.Old)
	return !slices.Equal(is, was) || (is == nil) != (was == nil)
}

// licenceItems returns which software a contract is about, nil if it is no
// licence.
func licenceItems(rec any) []installs.Item {
	c, _ := rec.(*inventory.Contract)
	if c == nil || c.Type != inventory.SoftwareLicense {
		return nil
	}
	items := make([]installs.Item, len(c.Items))
	for i, item := range c.Items {
		items[i] = installs.Item{Name: item.Name, Version: item.Version}
	}
	return items
}

// countLicence counts the computers that have what a licence is about.
func countLicence(ctx context.Context, w *Work) error {
	c, _ := w.Rec.(*inventory.Contract)
	if c == nil || !relicensed(w) {
		return nil
	}
	items := licenceItems(c)
	if items == nil {
		c.Installed, c.Counting = kind.Int{}, kind.Bool{}
		return installs.EndLicence(ctx, w.Tx, c.ID)
	}
	n, counting, err := installs.SetLicence(ctx, w.Tx, c.ID, items, inventory.Gone)
	c.Counting = kind.Bool{V: counting, Valid: true}
	if err == nil && counting {
		return w.countLater(ctx) // what was known of it last stays
	}
	c.Installed = kind.Some(n)
	return err
}

// RecountLicence finds again what a licence covers and counts its computers, as a change of it does. The caller has called
// installs.LockLicences.
func (d *Desk) RecountLicence(ctx context.Context, tx *store.Tx, c *inventory.Contract) error {
	_, counting, err := installs.SetLicence(ctx, tx, c.ID, licenceItems(c), inventory.Gone)
	if err == nil && counting {
		err = (&Work{Desk: d, Tx: tx}).countLater(ctx)
	}
	return err
}

// CountLicences is the handler of the jobs that count licences in steps, see package licences.
const CountLicences = "count-licences"

// countLater lets a job count the licences whose count has begun in the transaction. It is nobody's: what is counted is
// true whoever has asked for it.
func (w *Work) countLater(ctx context.Context) error {
	if w.Tx.Nth(CountLicences) > 1 {
		return nil
	}
	now := w.now()
	_, err := queue.Add(ctx, w.Tx, &queue.Job{
		Handler: CountLicences, Origin: "rule", Payload: []byte("null"), Created: now, DueAt: now,
	})
	return err
}

// leaveContract forgets what a licence is about.
func leaveContract(ctx context.Context, w *Work) error {
	if licenceItems(w.Old) == nil {
		return nil
	}
	if err := installs.LockLicences(ctx, w.Tx); err != nil {
		return err
	}
	return installs.ForgetLicence(ctx, w.Tx, w.Kind.Meta(w.Old).ID)
}
