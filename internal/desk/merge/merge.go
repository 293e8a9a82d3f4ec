package merge

import (
	"context"
	"errors"

	"muster/internal/desk"
	"muster/internal/desk/agents"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
	"muster/internal/store/installs"
)

// A Merging is two computers to be made one: the target, and the one that a
// document names by its id.
type Merging struct {
	desk.Target
	Document desk.Document
	Once     *desk.Once // nil for a merge that is not recognised when it is repeated
}

// Merge makes two computers one: the one with the lower id, which it returns.
// That has the tickets, agents, software and history of both afterwards, and the
// other is gone. A repeated one does nothing, and replayed is true.
func (s *Service) Merge(ctx context.Context, who desk.Caller, both Merging) (rec any, replayed bool, err error) {
	if err := s.desk.CheckMayChange(ctx, who, desk.Deleting, both.Target); err != nil {
		return nil, false, err
	}
	other, err := both.other()
	if err != nil {
		return nil, false, err
	}
	c := &desk.Creation{Desk: s.desk, Kind: both.Kind}
	if err := c.Begin(who, both.Once); err != nil {
		return nil, false, err
	}
	defer c.End()
	err = s.desk.Change(ctx, &who, desk.Deleting, both.Kind, func(tx *store.Tx) error {
		c.Who = who
		rec, replayed, err = c.OnlyOnce(ctx, tx, func() (any, error) {
			m := &merger{agents: s.agents, Work: &desk.Work{Desk: s.desk, Tx: tx, Who: who, Kind: both.Kind}}
			err := m.mergeGiven(ctx, both.Target, other)
			return m.Rec, err
		})
		if err != nil {
			return err
		}
		return s.desk.Show(ctx, tx, who.User, both.Kind, rec)
	})
	if err != nil {
		return nil, false, err
	}
	return rec, replayed, desk.Learn(ctx, s.agents.CatchUpTokens)
}

// other returns the id of the computer that the document names.
func (both *Merging) other() (int64, error) {
	patch, err := both.Document()
	if err != nil {
		return 0, err
	}
	faults := patch.Faults()
	switch id := patch.ID(); {
	case len(faults) > 0:
	case !id.Valid:
		faults = []message.Text{message.New("Id can't be blank: it names the computer that is merged with this one")}
	case id.V == both.ID:
		faults = []message.Text{message.New("Id must be that of another computer")}
	}
	if len(faults) > 0 {
		return 0, &kind.Invalid{Faults: faults}
	}
	return patch.ID().V, nil
}

// A merger is the merge of two computers under way. Its work is on the older
// one, which stays.
type merger struct {
	*desk.Work
	agents       *agents.Service
	older, newer *inventory.Computer
	last         *inventory.Computer // which of them has reported last
}

// mergeGiven merges a target, in the version that the client expects, with
// another computer.
func (m *merger) mergeGiven(ctx context.Context, t desk.Target, other int64) error {
	err := m.lockBoth(ctx, t.ID, other)
	if id, ok := errors.AsType[missing](err); ok && int64(id) == t.ID {
		return m.NoSuch(ctx, m.Tx, m.Who.User, m.Kind, t.ID)
	} else if ok {
		return kind.NewInvalid(message.New("Id does not exist: %s", message.Of(err)))
	}
	if err != nil {
		return err
	}
	given := m.older
	if m.newer.ID == t.ID {
		given = m.newer
	}
	if err := t.Check(given); err != nil {
		return err
	}
	return m.merge(ctx)
}

// A missing computer is one of two that cannot be merged.
type missing int64

// Error returns the text for the client.
func (m missing) Error() string { return m.Message().String() }

// Message returns the text for people.
func (m missing) Message() message.Text { return message.New("no computer has the id %d", int64(m)) }

// lockBoth lets nobody else change the two computers, the older one first, nor renew
// what is apart of them, and reads them.
func (m *merger) lockBoth(ctx context.Context, a, b int64) error {
	if err := installs.ShareLicences(ctx, m.Tx); err != nil {
		return err
	}
	ids := [2]int64{min(a, b), max(a, b)}
	for _, id := range ids {
		if _, err := m.Tx.GetLocked(ctx, m.Kind, id); errors.Is(err, store.ErrNotFound) {
			return missing(id)
		} else if err != nil {
			return err
		}
	}
	if err := m.Tx.LockApart(ctx, m.Kind, ids[:]...); err != nil {
		return err
	}
	var err error
	if m.older, err = store.Get(ctx, m.Tx, inventory.Computers, ids[0]); err != nil {
		return err
	}
	if m.newer, err = store.Get(ctx, m.Tx, inventory.Computers, ids[1]); err != nil {
		return err
	}
	m.Old = m.older
	m.findLast()
	return nil
}

// findLast finds out which of the two has reported last.
func (m *merger) findLast() {
	if m.last = m.older; m.newer.DetectedAt.After(m.older.DetectedAt) {
		m.last = m.newer
	}
}

// merge makes the older computer both. Software comes before other records, as
// with everybody who needs both, and the newer computer goes before the older
// one changes, which may get its asset id.
func (m *merger) merge(ctx context.Context) error {
	c := m.blend()
	if err := m.keepReported(ctx, c); err != nil {
		return err
	}
	m.Rec = c
	software, err := m.mergeSoftware(ctx)
	if err != nil {
		return err
	}
	if err := m.Tx.Merge(ctx, m.newer.ID, m.older.ID); err != nil {
		return err
	}
	if err := m.rebind(ctx); err != nil {
		return err
	}
	if err := m.replaceNewer(ctx); err != nil {
		return err
	}
	if !m.Kind.Same(m.Rec, m.Old) {
		if err := m.StoreChanged(ctx); err != nil {
			return err
		}
	}
	if err := m.Tx.SetApart(ctx, m.Kind, m.Rec); err != nil {
		return err
	}
	return m.audit(ctx, software)
}

// rebind makes the agent tokens of the newer computer those of the older one, and
// removes the claims of the newer one: its agents come again.
func (m *merger) rebind(ctx context.Context) error {
	if err := m.agents.RebindTokens(ctx, m.Tx, m.newer.ID, m.older.ID); err != nil {
		return err
	}
	return desk.DropClaimsWith(ctx, m.Tx, "hardware-id", m.newer.ID)
}

// replaceNewer puts the older computer in the place of the newer one wherever that is
// linked, and deletes it.
func (m *merger) replaceNewer(ctx context.Context) error {
	w := &desk.Work{Desk: m.Desk, Tx: m.Tx, Who: m.Who, Kind: m.Kind, Old: m.newer}
	if err := w.Referred(ctx); err != nil {
		return err
	}
	if err := w.Unlink(ctx, m.Rec); err != nil {
		return err
	}
	if err := m.Tx.Delete(ctx, m.Kind, m.newer); err != nil {
		return err
	}
	into := message.New("Computer %s merged into computer %d (%s)", m.newer.Name, m.older.ID,
		m.Rec.(*inventory.Computer).Name)
	return w.RecordAs(ctx, inventory.Deleted, into, m.Kind.Diff(m.newer, nil))
}

// audit writes the audit record of the older computer.
func (m *merger) audit(ctx context.Context, software kind.Diff) error {
	diff := m.Kind.Diff(m.Old, m.Rec)
	diff.Changes = append(diff.Changes, software.Changes...)
	text := message.New("Computer %s (id %d) merged into this one", m.newer.Name, m.newer.ID)
	if m.newer.AssetID != "" {
		text = message.New("Computer %s (id %d, asset id %s) merged into this one",
			m.newer.Name, m.newer.ID, m.newer.AssetID)
	}
	return m.RecordAs(ctx, inventory.Updated, text, diff)
}
