package store_test

import (
	"fmt"
	"testing"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/store"
	"muster/internal/store/installs"
)

// A half is a licence that is being counted, on some computers. Licences cover p1 and p2.
type half struct {
	store     *store.Store
	programs  []installs.Installation // p1, p2 and p3
	computers []*inventory.Computer   // each but the last has p1, the first p2 too
	licence   int64
	other     int64 // another licence
	done      bool
}

// openHalf lets a licence be counted in steps, of which none is done yet.
func openHalf(t *testing.T, s *store.Store) *half {
	t.Helper()
	h := &half{store: s, programs: programs(t, s, 3), computers: computers(t, s, 4)}
	for _, c := range h.computers[:3] {
		h.install(t, c, 0)
	}
	h.install(t, h.computers[0], 1)
	h.licence, h.other = license(t, s, installs.Item{Name: "nothing"}).ID, license(t, s).ID
	h.cover(t, "p1", "p2")
	return h
}

// install installs one of the programs on a computer.
func (h *half) install(t *testing.T, c *inventory.Computer, program int) {
	t.Helper()
	update(t, h.store, func(tx *store.Tx) error {
		return installs.Add(ctx, tx, c.ID, !c.Gone(), h.programs[program:program+1], now)
	})
}

// remove removes one of the programs from a computer.
func (h *half) remove(t *testing.T, c *inventory.Computer, program int) {
	t.Helper()
	update(t, h.store, func(tx *store.Tx) error {
		return installs.Remove(ctx, tx, c.ID, !c.Gone(), []int64{h.programs[program].SoftwareID})
	})
}

// cover sets the items of the licence, which is counted in steps: so many in one transaction are not counted at once.
func (h *half) cover(t *testing.T, names ...string) {
	t.Helper()
	var items []installs.Item
	for _, name := range names {
		items = append(items, installs.Item{Name: name})
	}
	update(t, h.store, func(tx *store.Tx) (err error) {
		for counting := false; err == nil && !counting; {
			_, counting, err = installs.SetLicence(ctx, tx, h.other, items, inventory.Gone)
		}
		if err == nil {
			_, _, err = installs.SetLicence(ctx, tx, h.licence, items, inventory.Gone)
		}
		return err
	})
}

// rename gives the first program another name.
func (h *half) rename(t *testing.T, name string) {
	t.Helper()
	update(t, h.store, func(tx *store.Tx) error {
		old, err := store.Get(ctx, tx, inventory.Softwares, h.programs[0].SoftwareID)
		if err != nil {
			return err
		}
		is := *old
		is.Name = name
		if err := tx.Update(ctx, inventory.Softwares.Schema, &is, old, now); err != nil {
			return err
		}
		_, err = installs.MatchAgain(ctx, tx, is.ID, inventory.Gone)
		return err
	})
}

// step does a step of the count, with one program or computer.
func (h *half) step(t *testing.T) {
	t.Helper()
	var step installs.Step
	update(t, h.store, func(tx *store.Tx) (err error) {
		step, err = installs.StepLicence(ctx, tx, h.licence, 1, inventory.Gone)
		return err
	})
	h.done = step.Done
}

// changes are what others do while a licence is counted, one after the other.
var changes = []struct {
	name string
	do   func(t *testing.T, h *half)
}{
	{"nothing", func(*testing.T, *half) {}},
	{"more on the second computer", func(t *testing.T, h *half) { h.install(t, h.computers[1], 1) }},
	{"a first program on the fourth", func(t *testing.T, h *half) { h.install(t, h.computers[3], 1) }},
	{"one of two removed from the first", func(t *testing.T, h *half) { h.remove(t, h.computers[0], 0) }},
	{"both removed from it", func(t *testing.T, h *half) { h.remove(t, h.computers[0], 1) }},
	{"one removed from the third", func(t *testing.T, h *half) { h.remove(t, h.computers[2], 0) }},
	{"a program that is not covered", func(t *testing.T, h *half) { h.install(t, h.computers[0], 2) }},
	{"the second computer is disposed of", func(t *testing.T, h *half) {
		was := get(t, h.store, inventory.Computers, h.computers[1].ID)
		c := *was
		c.Status = inventory.Gone[0]
		update(t, h.store, func(tx *store.Tx) error {
			if err := tx.Update(ctx, inventory.Computers.Schema, &c, was, now); err != nil {
				return err
			}
			return installs.CountComputer(ctx, tx, c.ID, false)
		})
	}},
	{"a computer is new", func(t *testing.T, h *half) {
		c := inventory.Computers.New()
		c.Name, c.AssetID = "new", "new"
		insert(t, h.store, inventory.Computers, c)
		h.install(t, c, 0)
	}},
	{"a program is new", func(t *testing.T, h *half) {
		s := &inventory.Software{Name: "P2", Version: "2", Installs: kind.Some[int64](0)}
		insert(t, h.store, inventory.Softwares, s)
		update(t, h.store, func(tx *store.Tx) error { return installs.MatchNew(ctx, tx, s.ID) })
		h.programs = append(h.programs, installs.Installation{SoftwareID: s.ID})
		h.install(t, h.computers[2], 3)
	}},
	{"a program is renamed", func(t *testing.T, h *half) { h.rename(t, "q") }},
	{"it is renamed back", func(t *testing.T, h *half) { h.rename(t, "P1") }},
	{"the licence covers other programs", func(t *testing.T, h *half) { h.cover(t, "p2") }},
	{"the licence is counted at once", func(t *testing.T, h *half) {
		update(t, h.store, func(tx *store.Tx) error {
			_, _, err := installs.SetLicence(ctx, tx, h.licence, []installs.Item{{Name: "p1"}}, inventory.Gone)
			return err
		})
	}},
}

// usingNow counts the computers by the names of what they have, and by nothing that is kept for it.
const usingNow = `SELECT count(DISTINCT i.hardware_id) FROM installations i JOIN softwares s ON s.id = i.software_id
	JOIN hardwares h ON h.id = i.hardware_id JOIN licence_items l ON l.pattern = s.name_folded
	WHERE l.contract_id = 1 AND h.status NOT IN ('Disposed', 'Lost')`

// TestLicenceSteps lets others change something before each step of a licence's count: the first ones compare programs,
// the last ones count computers.
func TestLicenceSteps(t *testing.T) {
	t.Parallel()
	eachWhole(t, func(t *testing.T, s *store.Store) {
		h := openHalf(t, s)
		for !h.done {
			h.step(t)
		}
		equal(t, "installed", get(t, s, inventory.Contracts, h.licence).Installed, kind.Some[int64](3))
	})
	const most = 13 // all programs, the wait for others, all computers and the end
	for before := range most {
		eachWhole(t, func(t *testing.T, s *store.Store) {
			h := openHalf(t, s)
			for _, change := range changes {
				last := get(t, s, inventory.Contracts, h.licence).Installed
				h.cover(t, "p1", "p2")
				for range before {
					h.step(t)
				}
				if c := get(t, s, inventory.Contracts, h.licence); c.Counting.V && c.Installed != last {
					t.Errorf("%s: got %v while it is counted, want %v as before", change.name, c.Installed, last)
				}
				change.do(t, h)
				for h.done = false; !h.done; {
					h.step(t)
				}
				c := get(t, s, inventory.Contracts, h.licence)
				equal(t, change.name+": counting", c.Counting, kind.Bool{Valid: true})
				view(t, s, func(tx *store.Tx) error {
					n, err := tx.Int(ctx, usingNow)
					equal(t, fmt.Sprintf("%s before step %d: installed", change.name, before), c.Installed, kind.Some(n))
					return err
				})
			}
		})
	}
}
