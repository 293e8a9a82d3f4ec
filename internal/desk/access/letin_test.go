package access_test

import (
	"fmt"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/store"
)

// TestLetIn: from where a person was let in is stored, so that it counts on other nodes
// and after a restart: the newest 50 addresses, each at most once a day, for 30 days.
func TestLetIn(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		ann := o.user(t, "ann@example.com", inventory.Technician)
		address := func(i int) string { return fmt.Sprintf("192.0.2.%d", i) }
		begun := o.clock.Now()
		for i := range 60 {
			o.clock.Set(begun.Add(time.Duration(i) * time.Second))
			o.access.Addresses().Note(ctx, ann.User.ID, address(i))
		}
		another := openAccess(t, o.desk(t))
		for i, want := range map[int]bool{0: false, 9: false, 10: true, 59: true, 60: false} {
			if got := another.Addresses().Knows(ctx, "ann@example.com", address(i)); got != want {
				t.Errorf("address %d on another node: got %v, want %v", i, got, want)
			}
		}
		stored := func() (at time.Time) {
			t.Helper()
			err := o.store.View(ctx, func(tx *store.Tx) (err error) {
				at, err = tx.KnownAddress(ctx, ann.User.ID, address(59))
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			return at
		}
		first := stored()
		o.clock.Set(first.Add(23 * time.Hour))
		another.Addresses().Note(ctx, ann.User.ID, address(59))
		if got := stored(); !got.Equal(first) {
			t.Errorf("on the same day: got it written again at %v, want %v", got, first)
		}
		o.clock.Set(first.Add(25 * time.Hour))
		another.Addresses().Note(ctx, ann.User.ID, address(59))
		if got := stored(); !got.Equal(o.clock.Now()) {
			t.Errorf("on the next day: got %v, want %v", got, o.clock.Now())
		}
		o.clock.Advance(31 * 24 * time.Hour)
		if another.Addresses().Knows(ctx, "ann@example.com", address(59)) {
			t.Error("after a month it still counts")
		}
	})
}
