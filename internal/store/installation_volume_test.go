//go:build volume

package store_test

import (
	"fmt"
	"testing"
	"time"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/store"
	"muster/internal/store/installs"
)

// TestVolumeInstallations counts 100,000 installations exactly, and a change of
// one takes about as long as among 1,000.
func TestVolumeInstallations(t *testing.T) {
	const perComputer, most = 100, 5
	eachWhole(t, func(t *testing.T, s *store.Store) {
		all := programs(t, s, 1_000)
		for _, item := range []string{"*", "p1*", "p*9", "p500", "p*2*", "nothing"} {
			license(t, s, installs.Item{Name: item}, installs.Item{Name: "p77"})
		}
		few := fill(t, s, all, 10, perComputer)
		small := quickest(t, s, few, all)
		many := fill(t, s, all, 990, perComputer)
		large := quickest(t, s, many, all)
		t.Logf("a change among 1,000 installations: %v, among 100,000: %v", small, large)
		if large > most*small {
			t.Errorf("a change among 100,000 installations: got %v, among 1,000 %v, want at most %d times as much",
				large, small, most)
		}
		view(t, s, func(tx *store.Tx) error {
			n, err := tx.Int(ctx, "SELECT count(*) FROM installations")
			equal(t, "installations", n, int64(100_000))
			if err != nil {
				return err
			}
			differences, err := desk.Recount(ctx, tx)
			equal(t, "a recount", differences, []string(nil))
			return err
		})
		equal(t, "installed", get(t, s, inventory.Contracts, 1).Installed.V, int64(1_000))
	})
}

// fill adds computers, each with so many of the programs.
func fill(t *testing.T, s *store.Store, all []installs.Installation, n, each int) (added []*inventory.Computer) {
	t.Helper()
	for i := range n {
		c := inventory.Computers.New()
		c.Name, c.AssetID = "c", fmt.Sprint(n, "-", i)
		added = append(added, c)
	}
	insert(t, s, inventory.Computers, added...)
	for _, c := range added {
		update(t, s, func(tx *store.Tx) error { return installs.Add(ctx, tx, c.ID, true, some(all, c, each), now) })
	}
	return added
}

// some returns those of the programs that a computer has.
func some(all []installs.Installation, c *inventory.Computer, n int) []installs.Installation {
	from := int(c.ID*37) % (len(all) - n)
	return all[from : from+n]
}

// quickest returns how long a change of one installation takes when nothing else
// is in its way.
func quickest(t *testing.T, s *store.Store, on []*inventory.Computer, all []installs.Installation) time.Duration {
	t.Helper()
	least := time.Hour
	for i := range 200 {
		c := on[i%len(on)]
		one := some(all, c, 100)[:1]
		start := time.Now()
		update(t, s, func(tx *store.Tx) error { return installs.Remove(ctx, tx, c.ID, true, []int64{one[0].SoftwareID}) })
		update(t, s, func(tx *store.Tx) error { return installs.Add(ctx, tx, c.ID, true, one, now) })
		least = min(least, time.Since(start)/2)
	}
	return least
}
