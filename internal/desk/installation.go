package desk

import (
	"context"
	"errors"
	"strings"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
	"muster/internal/store/installs"
)

// A tie is how records come into the list of another record, their parent, and
// leave it, without being made or deleted.
type tie struct {
	// add puts the record that a document means into the list, and sets the
	// work's record to it.
	add func(ctx context.Context, w *Work, patch *kind.Patch) error
	// remove takes the work's old record out of the list.
	remove func(ctx context.Context, w *Work) error
	// show sets what records have in the list alone.
	show func(ctx context.Context, v *view, parent any, recs []any) error
}

// tie puts the record that the document means into the place.
func (w *Work) tie(ctx context.Context, patch *kind.Patch) error {
	return w.under.tie.add(ctx, w, patch)
}

// Untie takes a record out of a place and returns it as it was there.
func (d *Desk) Untie(ctx context.Context, who Caller, p Place, t Target) (rec any, err error) {
	find := func(tx *store.Tx) (*place, error) {
		v := &view{d, tx, who.User, true}
		at, err := p.find(ctx, v)
		if err == nil {
			rec, err = at.get(ctx, v, t.ID)
		}
		return at, err
	}
	err = d.store.View(ctx, func(tx *store.Tx) error {
		if _, err := find(tx); err != nil {
			return err
		}
		return May(who.User, Deleting, t.Kind)
	})
	if err := d.UnlessUsed(ctx, who, err); err != nil {
		return nil, err
	}
	err = d.Change(ctx, &who, Deleting, t.Kind, func(tx *store.Tx) error {
		at, err := find(tx)
		if err != nil {
			return err
		}
		if err := t.Check(rec); err != nil {
			return err
		}
		return at.tie.remove(ctx, &Work{Desk: d, Tx: tx, Who: who, Kind: t.Kind, Old: rec, under: at})
	})
	return rec, err
}

// install records that a computer has software, which is made if there is none
// of its name, version and manufacturer. The software comes first, and then the
// computer is locked: so those who make the same software wait for each other
// while nobody waits for them.
func install(ctx context.Context, w *Work, patch *kind.Patch) error {
	s, err := w.findSoftware(ctx, patch)
	if err != nil {
		return err
	}
	c, has, err := w.lockParent(ctx, s)
	switch {
	case err != nil:
		return err
	case has:
		return Refuse(Conflict, "%s is already installed on computer %d", s.Title(), c.ID)
	}
	if err := w.changeSoftware(ctx, c, Move{Added: []*inventory.Software{s}}); err != nil {
		return err
	}
	now, err := store.Get(ctx, w.Tx, inventory.Softwares, s.ID)
	if err == nil {
		*w.Rec.(*inventory.Software) = *now
	}
	return err
}

// uninstall records that a computer has software no longer.
func uninstall(ctx context.Context, w *Work) error {
	s := w.Old.(*inventory.Software)
	c, has, err := w.lockParent(ctx, s)
	switch {
	case err != nil:
		return err
	case !has:
		return w.under.noSuch(s.ID)
	}
	if err := w.Tx.ForgetSums(ctx, c.ID, 0); err != nil { // what an agent reports comes back with its next report
		return err
	}
	return w.changeSoftware(ctx, c, Move{removed: []*inventory.Software{s}})
}

// lockParent locks the computer that the change is below, and reports whether it
// has the software.
func (w *Work) lockParent(ctx context.Context, s *inventory.Software) (c *inventory.Computer, has bool, err error) {
	if c, err = w.lockComputer(ctx, inventory.Computers.Meta(w.under.parent).ID); err != nil {
		return nil, false, err
	}
	have, err := installs.Of(ctx, w.Tx, []int64{c.ID}, []int64{s.ID})
	return c, len(have) > 0, err
}

// lockComputer lets nobody else change what a computer has installed.
func (w *Work) lockComputer(ctx context.Context, id int64) (*inventory.Computer, error) {
	rec, err := w.lock(ctx, inventory.Computers.Schema, id)
	if err != nil {
		return nil, err
	}
	return rec.(*inventory.Computer), nil
}

// findSoftware returns the software that a document means: by its id, else by
// its name, version and manufacturer, with what the document says of its
// installation.
func (w *Work) findSoftware(ctx context.Context, patch *kind.Patch) (*inventory.Software, error) {
	asked := inventory.Softwares.New()
	patch.Apply(asked)
	id := patch.ID()
	if !id.Valid {
		var err error
		if id.V, err = w.Tx.TakenTogether(ctx, w.Kind, asked); err != nil {
			return nil, err
		}
	}
	if id == (kind.Int{}) {
		made := &Work{Desk: w.Desk, Tx: w.Tx, Who: w.Who, Kind: w.Kind, Rec: asked}
		var err error
		if id.V, err = w.orTaken(ctx, asked, made.CreateFrom(ctx, patch)); id.V == 0 || err != nil {
			return asked, err
		}
	}
	found, err := store.Get(ctx, w.Tx, inventory.Softwares, id.V)
	if errors.Is(err, store.ErrNotFound) {
		return nil, kind.NewInvalid(message.New("Id does not exist: no software has the id %d", id.V))
	}
	if err != nil {
		return nil, err
	}
	s := *found
	s.InstallDate, s.InstallPath = asked.InstallDate, asked.InstallPath
	if faults := patch.Check(&s, found); len(faults) > 0 {
		return nil, &kind.Invalid{Faults: faults}
	}
	return &s, nil
}

// orTaken returns the id of software that somebody else has made a moment before
// this one was refused for it, 0 if that was not so.
func (w *Work) orTaken(ctx context.Context, s *inventory.Software, err error) (id int64, _ error) {
	if !isConflict(err) {
		return 0, err
	}
	return w.Tx.TakenTogether(ctx, w.Kind, s)
}

// changeSoftware changes what a computer that is locked has installed, and writes
// the audit record of it.
func (w *Work) changeSoftware(ctx context.Context, c *inventory.Computer, m Move) error {
	diff := m.Diff()
	if len(diff.Changes) == 0 {
		return nil
	}
	if err := w.Move(ctx, c, m); err != nil {
		return err
	}
	a := &inventory.Audit{Action: inventory.Updated, Message: diff.Message()}
	for _, change := range diff.Changes {
		a.Changes = append(a.Changes, inventory.AuditChange(change))
	}
	return w.WriteAudit(ctx, w.Tx, w.Who, inventory.Computers.Schema, c, a)
}

// A Move is how the software of a computer changes. Removed and renewed software
// is as the computer had it, by the id of the software.
type Move struct {
	removed, Added []*inventory.Software
	Renewed        []Renewal
	Reported       bool                    // an agent reports it
	Claimed        []installs.Installation // that the agent reports too, and a person entered before
}

// A Renewal is software that a computer has otherwise than before.
type Renewal struct{ Was, Is *inventory.Software }

// Move changes what a computer that is locked has installed.
func (w *Work) Move(ctx context.Context, c *inventory.Computer, m Move) error {
	removed, added := make([]int64, len(m.removed)), make([]installs.Installation, len(m.Added))
	for i, s := range m.removed {
		removed[i] = s.ID
	}
	for i, s := range m.Added {
		added[i] = m.installation(c, s)
	}
	if err := installs.Change(ctx, w.Tx, c.ID, !c.Gone(), removed, added, w.now()); err != nil {
		return err
	}
	renewed := m.Claimed
	for _, r := range m.Renewed {
		renewed = append(renewed, m.installation(c, r.Is))
	}
	return installs.Renew(ctx, w.Tx, renewed)
}

func (m *Move) installation(c *inventory.Computer, s *inventory.Software) installs.Installation {
	return installs.Installation{
		ComputerID: c.ID, SoftwareID: s.ID, Date: s.InstallDate, Path: s.InstallPath, Reported: m.Reported,
	}
}

// Diff describes a move. Software that comes in another version is one change.
func (m *Move) Diff() (diff kind.Diff) {
	most := len(m.removed) + len(m.Renewed) + len(m.Added)
	diff.Changes, diff.Sentences = make([]kind.Change, 0, most), make([]string, 0, most)
	note := func(was, is *inventory.Software, sentence string) {
		diff.Changes = append(diff.Changes,
			kind.Change{Field: inventory.Softwares.Plural, From: installed(was), To: installed(is)})
		diff.Sentences = append(diff.Sentences, sentence)
	}
	updates := map[string][]*inventory.Software{}
	if len(m.removed) > 0 {
		for _, s := range m.Added {
			key := ProgramKey(s)
			updates[key] = append(updates[key], s)
		}
	}
	updated := map[*inventory.Software]bool{}
	for _, was := range m.removed {
		if now := updates[ProgramKey(was)]; len(now) > 0 {
			updates[ProgramKey(was)], updated[now[0]] = now[1:], true
			note(was, now[0], changedSoftware(was, now[0]))
		} else {
			note(was, nil, "Software removed: "+was.Title())
		}
	}
	for _, r := range m.Renewed {
		note(r.Was, r.Is, changedSoftware(r.Was, r.Is))
	}
	for _, s := range m.Added {
		if !updated[s] {
			note(nil, s, "Software added: "+s.Title())
		}
	}
	return diff
}

// ProgramKey is the same for all versions of a program.
func ProgramKey(s *inventory.Software) string {
	return strings.ToLower(s.Name) + "\x00" + strings.ToLower(s.Manufacturer)
}

// changedSoftware returns how a computer has software otherwise than before.
func changedSoftware(was, is *inventory.Software) string {
	diff := inventory.Installations.Diff(installation(was), installation(is))
	return "Software " + was.Title() + " changed: " + diff.Inner()
}

// installation returns what belongs to the computer of software that it has.
func installation(s *inventory.Software) *inventory.Software {
	return &inventory.Software{
		Name: s.Name, Version: s.Version, Manufacturer: s.Manufacturer, InstallDate: s.InstallDate,
		InstallPath: s.InstallPath,
	}
}

// installed returns all that an installation is, as the audit trail shows items
// of a computer; nothing for nil.
func installed(s *inventory.Software) string {
	if s == nil {
		return ""
	}
	return inventory.Installations.Values(s).Describe(installedFields)
}

// installedFields are all that an installation is.
var installedFields = func() (fields []*kind.Field) {
	for _, name := range []string{"name", "version", "manufacturer", "install-date", "install-path"} {
		fields = append(fields, inventory.Installations.Field(name))
	}
	return fields
}()
