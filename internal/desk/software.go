package desk

import (
	"context"
	"errors"
	"slices"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
)

// The counts of software and licences are kept by every change that makes a
// difference to them, in its transaction. What is locked comes in this order:
// licences, shared or alone; the computer; software by id; licences' records by
// id. So complete and leaving, which come before anything is written, take the
// first of these.

// hold shares the licences, and lets nobody else change a record.
func (w *work) hold(ctx context.Context, k *kind.Schema, id int64) (any, error) {
	if err := w.tx.ShareLicences(ctx); err != nil {
		return nil, err
	}
	rec, err := w.tx.GetHeld(ctx, k, id)
	if errors.Is(err, store.ErrNotFound) {
		return nil, noSuch(k, id)
	}
	return rec, err
}

// completeSoftware keeps others from changing what licences are about while that
// of the software changes.
func completeSoftware(ctx context.Context, w *work) ([]message.Text, error) {
	if w.dry {
		return nil, nil
	}
	if w.old == nil {
		return nil, w.tx.ShareLicences(ctx)
	}
	if renamed(w) {
		return nil, w.tx.HoldLicences(ctx)
	}
	return nil, nil
}

// renamed reports whether licences may be about the software that were not
// before, or the other way round.
func renamed(w *work) bool {
	is, was := w.rec.(*inventory.Software), w.old.(*inventory.Software)
	return is.Name != was.Name || is.Version != was.Version
}

// matchSoftware finds the licences that are about software.
func matchSoftware(ctx context.Context, w *work) error {
	switch {
	case w.rec == nil:
		return w.tx.ForgetSoftware(ctx, w.kind.Meta(w.old).ID)
	case w.old == nil:
		return w.tx.MatchNew(ctx, w.kind.Meta(w.rec).ID)
	case renamed(w):
		return w.tx.MatchAgain(ctx, w.kind.Meta(w.rec).ID, inventory.Gone)
	}
	return nil
}

// leaveSoftware refuses to delete what is installed.
func leaveSoftware(ctx context.Context, w *work) error {
	id := w.kind.Meta(w.old).ID
	rec, err := w.hold(ctx, w.kind, id)
	if err != nil {
		return err
	}
	if n := rec.(*inventory.Software).Installs.V; n > 0 {
		return refuse(Conflict, "the software %d is still installed on %s", id, message.Count{N: n, Noun: "computer"})
	}
	return nil
}

// completeComputer notes what a person sets, and keeps others from changing what
// licences are about while the computer comes to count there or ceases to.
func completeComputer(ctx context.Context, w *work) ([]message.Text, error) {
	if w.who.User != nil || w.imported {
		if err := w.setByPerson(ctx); err != nil {
			return nil, err
		}
	}
	if !left(w) || w.dry {
		return nil, nil
	}
	return nil, w.tx.ShareLicences(ctx)
}

// left reports whether the computer has come to count in licences, or has ceased
// to.
func left(w *work) bool {
	is, _ := w.rec.(*inventory.Computer)
	was, _ := w.old.(*inventory.Computer)
	return is != nil && was != nil && is.Gone() != was.Gone()
}

// recountComputer makes licences count a computer, or not any more.
func recountComputer(ctx context.Context, w *work) error {
	if !left(w) {
		return nil
	}
	c := w.rec.(*inventory.Computer)
	return w.tx.CountComputer(ctx, c.ID, !c.Gone())
}

// leaveComputer removes what a computer has installed with it, and its agents.
func leaveComputer(ctx context.Context, w *work) error {
	id := w.kind.Meta(w.old).ID
	rec, err := w.hold(ctx, w.kind, id)
	if err != nil {
		return err
	}
	if err := w.tx.ForgetAgents(ctx, id); err != nil {
		return err
	}
	if err := dropClaimsWith(ctx, w.tx, "hardware-id", id); err != nil {
		return err
	}
	have, err := w.tx.Installations(ctx, []int64{id}, nil)
	if err != nil {
		return err
	}
	var softwares []int64
	for _, i := range have {
		softwares = append(softwares, i.SoftwareID)
	}
	return w.tx.Uninstall(ctx, id, !rec.(*inventory.Computer).Gone(), softwares)
}

// completeContract keeps others from changing what is installed while what a
// licence is about changes.
func completeContract(ctx context.Context, w *work) ([]message.Text, error) {
	if !relicensed(w) || w.dry {
		return nil, nil
	}
	return nil, w.tx.HoldLicences(ctx)
}

// relicensed reports whether a licence is about other software than before.
func relicensed(w *work) bool {
	is, was := licenceItems(w.rec), licenceItems(w.old)
	return !slices.Equal(is, was) || (is == nil) != (was == nil)
}

// licenceItems returns which software a contract is about, nil if it is no
// licence.
func licenceItems(rec any) []store.LicenceItem {
	c, _ := rec.(*inventory.Contract)
	if c == nil || c.Type != inventory.SoftwareLicense {
		return nil
	}
	items := make([]store.LicenceItem, len(c.Items))
	for i, item := range c.Items {
		items[i] = store.LicenceItem{Name: item.Name, Version: item.Version}
	}
	return items
}

// countLicence counts the computers that have what a licence is about.
func countLicence(ctx context.Context, w *work) error {
	c, _ := w.rec.(*inventory.Contract)
	if c == nil || !relicensed(w) {
		return nil
	}
	items := licenceItems(c)
	if items == nil {
		c.Installed = kind.Int{}
		return w.tx.EndLicence(ctx, c.ID)
	}
	n, err := w.tx.SetLicence(ctx, c.ID, items, inventory.Gone)
	c.Installed = kind.Some(n)
	return err
}

// leaveContract forgets what a licence is about.
func leaveContract(ctx context.Context, w *work) error {
	if licenceItems(w.old) == nil {
		return nil
	}
	if err := w.tx.HoldLicences(ctx); err != nil {
		return err
	}
	return w.tx.ForgetLicence(ctx, w.kind.Meta(w.old).ID)
}
