package store_test

import (
	"fmt"
	"testing"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/store"
	"muster/internal/store/copy"
	"muster/internal/store/installs"
)

// programs stores so much software, named p1 and so on, and returns what of it
// is to be installed on a computer.
func programs(t testing.TB, s *store.Store, n int) (all []installs.Installation) {
	t.Helper()
	recs := make([]*inventory.Software, n)
	for i := range recs {
		recs[i] = &inventory.Software{Name: fmt.Sprint("p", i+1), Installs: kind.Some[int64](0)}
	}
	insert(t, s, inventory.Softwares, recs...)
	for _, rec := range recs {
		all = append(all, installs.Installation{SoftwareID: rec.ID})
	}
	return all
}

// computers stores so many computers.
func computers(t testing.TB, s *store.Store, n int) (all []*inventory.Computer) {
	t.Helper()
	for i := range n {
		c := inventory.Computers.New()
		c.Name, c.AssetID = "c", fmt.Sprint("c", i)
		all = append(all, c)
	}
	insert(t, s, inventory.Computers, all...)
	return all
}

// license stores a software licence about some software.
func license(t testing.TB, s *store.Store, items ...installs.Item) *inventory.Contract {
	t.Helper()
	c := &inventory.Contract{Name: "l", Type: inventory.SoftwareLicense, Installed: kind.Some[int64](0)}
	for _, item := range items {
		c.Items = append(c.Items, inventory.ContractItem{Name: item.Name, Version: item.Version})
	}
	insert(t, s, inventory.Contracts, c)
	update(t, s, func(tx *store.Tx) error {
		_, _, err := installs.SetLicence(ctx, tx, c.ID, items, inventory.Gone)
		return err
	})
	return c
}

// TestInstallations installs thousands of programs at once.
func TestInstallations(t *testing.T) {
	t.Parallel()
	eachWhole(t, func(t *testing.T, s *store.Store) {
		const n = 1_100 // more than one statement takes
		all, c := programs(t, s, n), computers(t, s, 2)[0]
		all[7].Path, all[7].Date = "/opt", at("2026-01-02")
		licence, none := license(t, s, installs.Item{Name: "P*1"}, installs.Item{Name: "p2"}),
			license(t, s, installs.Item{Name: "q"})
		update(t, s, func(tx *store.Tx) error { return installs.Add(ctx, tx, c.ID, true, all, now) })
		count := func(want int64, first, last int64) {
			t.Helper()
			equal(t, "installed", []any{
				get(t, s, inventory.Contracts, licence.ID).Installed.V,
				get(t, s, inventory.Contracts, none.ID).Installed.V,
			}, []any{want, int64(0)})
			equal(t, "installs", []any{
				get(t, s, inventory.Softwares, all[0].SoftwareID).Installs.V,
				get(t, s, inventory.Softwares, all[n-1].SoftwareID).Installs.V,
			}, []any{first, last})
		}
		count(1, 1, 1)
		view(t, s, func(tx *store.Tx) error {
			have, err := installs.Of(ctx, tx, []int64{c.ID}, nil)
			equal(t, "installations", len(have), n)
			equal(t, "one of them", have[7], installs.Installation{
				ComputerID: c.ID, SoftwareID: all[7].SoftwareID, Date: at("2026-01-02"), Path: "/opt",
			})
			return err
		})
		var ids []int64
		for _, a := range all[1:] {
			ids = append(ids, a.SoftwareID)
		}
		update(t, s, func(tx *store.Tx) error { return installs.Remove(ctx, tx, c.ID, true, ids) })
		count(1, 1, 0)
		update(t, s, func(tx *store.Tx) error { return installs.CountComputer(ctx, tx, c.ID, false) })
		count(0, 1, 0)
		update(t, s, func(tx *store.Tx) error { return installs.CountComputer(ctx, tx, c.ID, true) })
		update(t, s, func(tx *store.Tx) error { return installs.Remove(ctx, tx, c.ID, true, []int64{all[0].SoftwareID}) })
		count(0, 0, 0)
		equal(t, "first detected", get(t, s, inventory.Softwares, all[0].SoftwareID).FirstDetectedAt, start)
	})
}

// TestKept: a change of a record leaves what is kept as it is now.
func TestKept(t *testing.T) {
	t.Parallel()
	eachWhole(t, func(t *testing.T, s *store.Store) {
		all, c := programs(t, s, 1), computers(t, s, 1)[0]
		id := all[0].SoftwareID
		old := get(t, s, inventory.Softwares, id)
		update(t, s, func(tx *store.Tx) error { return installs.Add(ctx, tx, c.ID, true, all, now) })
		rec := *old
		rec.Tag = "x"
		update(t, s, func(tx *store.Tx) error { return tx.Update(ctx, inventory.Softwares.Schema, &rec, old, now) })
		equal(t, "the changed record", []any{rec.Installs.V, rec.FirstDetectedAt}, []any{int64(1), start})
		equal(t, "as it is read", *get(t, s, inventory.Softwares, id), rec)
	})
}

// TestLicenceItems: the database and the program agree on which software an item
// is about.
func TestLicenceItems(t *testing.T) {
	t.Parallel()
	names := []string{"", "*", "a", "A", "a*", "*a", "a*b", "a*b*", `a\*`, `a\*b`, "**", "a%", "a_c", `a\b`,
		"STRASSE*", "ß", "é", "é*", "*.*", "ab*ba"}
	versions := []string{"", "1", "1.", "10", "%", "_", "É"}
	eachWhole(t, func(t *testing.T, s *store.Store) {
		var all []*inventory.Software
		for _, name := range []string{"a", "ab", "a*", "a*b", "aXb", "aba", "abba", "a%", "abc", "a_c", `a\b`,
			"straße x", "SS", "E\u0301", "éa", "x.y", "b"} {
			for _, version := range []string{"", "1", "1.0", "10", "%", "_", "é"} {
				all = append(all, &inventory.Software{Name: name, Version: version})
			}
		}
		insert(t, s, inventory.Softwares, all...)
		c := license(t, s)
		for _, name := range names {
			for _, version := range versions {
				item := installs.Item{Name: name, Version: version}
				var want, got []string
				for _, rec := range all {
					if item.Matches(rec.Name, rec.Version) {
						want = append(want, rec.Name+"/"+rec.Version)
					}
				}
				update(t, s, func(tx *store.Tx) error {
					if _, _, err := installs.SetLicence(ctx, tx, c.ID, []installs.Item{item}, inventory.Gone); err != nil {
						return err
					}
					texts, err := tx.Texts(ctx,
						`SELECT s.name || '/' || coalesce(s.version, '') FROM licence_softwares l JOIN softwares s ON s.id = l.software_id ORDER BY s.id`)
					got = texts
					return err
				})
				equal(t, fmt.Sprintf("%q %q", name, version), got, want)
			}
		}
	})
}

// TestMoveInstallations takes installations and licences to another database.
func TestMoveInstallations(t *testing.T) {
	t.Parallel()
	eachPair(t, func(t *testing.T, from, to mustertest.Database) {
		origin, target := from.New(t), to.New(t)
		withAll(t, origin, inventory.All(), func(s *store.Store) {
			all, c := programs(t, s, 3), computers(t, s, 1)[0]
			all[0].Path = "/é"
			license(t, s, installs.Item{Name: "p*", Version: ""})
			update(t, s, func(tx *store.Tx) error { return installs.Add(ctx, tx, c.ID, true, all, now) })
		})
		if _, err := load(ctx, target, export(t, origin), copy.Import{}); err != nil {
			t.Fatal(err)
		}
		wantSame(t, "the copy", export(t, target), export(t, origin))
		withAll(t, target, inventory.All(), func(s *store.Store) {
			update(t, s, func(tx *store.Tx) error { return installs.Remove(ctx, tx, 1, true, []int64{1, 2, 3}) })
			equal(t, "installed", get(t, s, inventory.Contracts, 1).Installed.V, int64(0))
		})
	})
}
