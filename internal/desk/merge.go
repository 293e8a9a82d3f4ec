package desk

import (
	"context"
	"errors"
	"fmt"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
)

// A Merging is two computers to be made one: the target, and the one that a
// document names by its id.
type Merging struct {
	Target
	Document Document
	Once     *Once // nil for a merge that is not recognised when it is repeated
}

// Merge makes two computers one: the one with the lower id, which it returns.
// That has the tickets, agents, software and history of both afterwards, and the
// other is gone. A repeated one does nothing, and replayed is true.
func (d *Desk) Merge(ctx context.Context, who Caller, both Merging) (rec any, replayed bool, err error) {
	if err := d.admit(ctx, who, deleting, both.Target); err != nil {
		return nil, false, err
	}
	other, err := both.other()
	if err != nil {
		return nil, false, err
	}
	c := &creation{desk: d, kind: both.Kind}
	if err := c.begin(who, both.Once); err != nil {
		return nil, false, err
	}
	defer c.end()
	err = d.change(ctx, &who, deleting, both.Kind, func(tx *store.Tx) error {
		c.who = who
		rec, replayed, err = c.onlyOnce(ctx, tx, func() (any, error) {
			m := &merger{work: &work{Desk: d, tx: tx, who: who, kind: both.Kind}}
			err := m.mergeGiven(ctx, both.Target, other)
			return m.rec, err
		})
		if err != nil {
			return err
		}
		return (&view{d, tx, who.User, true}).show(ctx, both.Kind, []any{rec})
	})
	if err != nil {
		return nil, false, err
	}
	return rec, replayed, d.learn(ctx, d.catchUpAgentTokens)
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
	*work
	older, newer *inventory.Computer
	last         *inventory.Computer // which of them has reported last
}

// mergeGiven merges a target, in the version that the client expects, with
// another computer.
func (m *merger) mergeGiven(ctx context.Context, t Target, other int64) error {
	err := m.holdBoth(ctx, t.ID, other)
	if id, ok := errors.AsType[missing](err); ok && int64(id) == t.ID {
		return m.noSuch(ctx, m.tx, m.who.User, m.kind, t.ID)
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
	if err := t.check(given); err != nil {
		return err
	}
	return m.merge(ctx)
}

// A missing computer is one of two that cannot be merged.
type missing int64

func (m missing) Error() string { return fmt.Sprintf("no computer has the id %d", int64(m)) }

// holdBoth lets nobody else change the two computers, the older one first, nor renew
// what is apart of them, and reads them.
func (m *merger) holdBoth(ctx context.Context, a, b int64) error {
	if err := m.tx.ShareLicences(ctx); err != nil {
		return err
	}
	ids := [2]int64{min(a, b), max(a, b)}
	for _, id := range ids {
		if _, err := m.tx.GetHeld(ctx, m.kind, id); errors.Is(err, store.ErrNotFound) {
			return missing(id)
		} else if err != nil {
			return err
		}
	}
	if err := m.tx.HoldApart(ctx, m.kind, ids[:]...); err != nil {
		return err
	}
	var err error
	if m.older, err = store.Get(ctx, m.tx, inventory.Computers, ids[0]); err != nil {
		return err
	}
	if m.newer, err = store.Get(ctx, m.tx, inventory.Computers, ids[1]); err != nil {
		return err
	}
	m.old = m.older
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
	if err := m.keepTold(ctx, c); err != nil {
		return err
	}
	m.rec = c
	software, err := m.mergeSoftware(ctx)
	if err != nil {
		return err
	}
	if err := m.tx.Merge(ctx, m.newer.ID, m.older.ID); err != nil {
		return err
	}
	if err := m.rebind(ctx); err != nil {
		return err
	}
	if err := m.bury(ctx); err != nil {
		return err
	}
	if !m.kind.Same(m.rec, m.old) {
		if err := m.put(ctx); err != nil {
			return err
		}
	}
	if err := m.tx.SetApart(ctx, m.kind, m.rec); err != nil {
		return err
	}
	return m.tell(ctx, software)
}

// rebind makes the agent tokens of the newer computer those of the older one, and
// removes the claims of the newer one: its agents come again.
func (m *merger) rebind(ctx context.Context) error {
	if m.agentTokens.boundTo(m.newer.ID) != nil {
		if _, err := m.tx.Count(ctx, agentTokensCounter); err != nil {
			return err
		}
		if err := m.tx.RebindAgentTokens(ctx, m.newer.ID, m.older.ID); err != nil {
			return err
		}
	}
	return dropClaimsWith(ctx, m.tx, "hardware-id", m.newer.ID)
}

// bury puts the older computer in the place of the newer one wherever that is
// linked, and deletes it.
func (m *merger) bury(ctx context.Context) error {
	w := &work{Desk: m.Desk, tx: m.tx, who: m.who, kind: m.kind, old: m.newer}
	if err := w.referred(ctx); err != nil {
		return err
	}
	if err := w.unlink(ctx, m.rec); err != nil {
		return err
	}
	if err := m.tx.Delete(ctx, m.kind, m.newer); err != nil {
		return err
	}
	into := message.New("Computer %s merged into computer %d (%s)",
		m.newer.Name, m.older.ID, m.rec.(*inventory.Computer).Name)
	return w.recordAs(ctx, inventory.Deleted, into, m.kind.Diff(m.newer, nil))
}

// tell writes the audit record of the older computer.
func (m *merger) tell(ctx context.Context, software kind.Diff) error {
	diff := m.kind.Diff(m.old, m.rec)
	diff.Changes = append(diff.Changes, software.Changes...)
	text := message.New("Computer %s (id %d) merged into this one", m.newer.Name, m.newer.ID)
	if m.newer.AssetID != "" {
		text = message.New("Computer %s (id %d, asset id %s) merged into this one",
			m.newer.Name, m.newer.ID, m.newer.AssetID)
	}
	return m.recordAs(ctx, inventory.Updated, text, diff)
}
