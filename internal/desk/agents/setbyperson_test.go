package agents_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"muster/internal/inventory"
	"muster/internal/mustertest"
)

// TestSetMeanwhile lets a person set and release a field while an agent reports
// another one anew that they have set: what the agent reported last is not lost.
func TestSetMeanwhile(t *testing.T) {
	t.Parallel()
	const rounds = 40
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		who := o.Administrator(t)
		o.Deliver(t, laptop.XML())
		for n := range rounds {
			o.Set(t, who, 1, "<name>mine</name><domain>own</domain>")
			name := fmt.Sprint("lap", n)
			var group sync.WaitGroup
			group.Go(func() {
				o.Deliver(t, with(laptop, func(m *machine) { m.Name = name }).XML())
			})
			group.Go(func() {
				for range 6 {
					o.Set(t, who, 1, "<memory>5</memory>")
					o.Set(t, who, 1, `<memory nil="true"/>`)
				}
			})
			group.Wait()
			o.Set(t, who, 1, `<name/>`)
			if c := o.Computers(t)[0]; c.Name != name || c.Memory.Valid {
				t.Fatalf("round %d: got %s with %v MB, want %s without", n, c.Name, c.Memory, name)
			}
		}
	})
}

// TestFirstReportOfOlder: what a computer has that no agent has reported before
// was set by a person, also when an older version stored it, which did not note
// that.
func TestFirstReportOfOlder(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		c := inventory.Computers.New()
		c.Name, c.OperatingSystem, c.SerialNumber = "typed", "Windows", laptop.Serial
		if err := o.Add(context.Background(), program, inventory.Computers.Schema, []any{c}); err != nil {
			t.Fatal(err)
		}
		o.Deliver(t, with(laptop, func(m *machine) {
			m.More = slot1 + "<HARDWARE><OSNAME>Windows 11</OSNAME></HARDWARE>"
		}).XML())
		all := o.Computers(t)
		if len(all) != 1 || all[0].Name != "typed" || all[0].OperatingSystem != "Windows" || len(all[0].Memories) != 1 {
			t.Fatalf("got %+v", all)
		}
		o.Set(t, o.Administrator(t), 1, `<operating-system/>`)
		if c := o.Computers(t)[0]; c.Name != "typed" || c.OperatingSystem != "Windows 11" {
			t.Errorf("released: got %s with %s", c.Name, c.OperatingSystem)
		}
	})
}
