package inventory_test

import (
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/kind"
)

// TestFreeSpaces shows what was reported last of each drive that is still there.
func TestFreeSpaces(t *testing.T) {
	drives := func(free ...kind.Int) (all []inventory.Drive) {
		for i, name := range []string{"C:", "D:", "tmpfs", "tmpfs", "a\nb", ""} {
			all = append(all, inventory.Drive{Name: name, FreeSpace: free[i]})
		}
		return all
	}
	some, none := kind.Some[int64], kind.Int{}
	c := &inventory.Computer{Drives: drives(some(1), some(2), some(3), none, some(5), none)}
	c.SetFreeSpaces([]inventory.FreeSpace{{"C:", 10}, {"tmpfs", 30}, {"tmpfs", 40}, {"tmpfs", 1}, {"gone", 9}, {
		"a\nb", 0,
	}, {"", 1<<63 - 1}})
	inventory.Computers.Loaded(c)
	equal(t, "drives", c.Drives, drives(some(10), some(2), some(30), some(40), some(0), some(1<<63-1)))

	told := inventory.FreeSpaces(c.Drives)
	c.SetFreeSpaces(told)
	inventory.Computers.Loaded(c)
	equal(t, "told again", inventory.FreeSpaces(c.Drives), told)
	equal(t, "of a drive that does not tell", inventory.FreeSpaces([]inventory.Drive{{Name: "x"}}),
		[]inventory.FreeSpace(nil))

	c.Drives = drives(none, none, none, none, none, none)
	c.Set(inventory.Computers.Field("drives"), true)
	inventory.Computers.Loaded(c)
	equal(t, "set by a person", c.Drives, drives(none, none, none, none, none, none))
}

// TestFreeSpacesAreBounded: an agent with very many drives fills no database.
func TestFreeSpacesAreBounded(t *testing.T) {
	c := new(inventory.Computer)
	name := strings.Repeat("x", 255)
	c.SetFreeSpaces(make([]inventory.FreeSpace, 1000))
	equal(t, "lines of short names", strings.Count(c.FreeSpaces, "\n"), 1000)
	all := make([]inventory.FreeSpace, 1000)
	for i := range all {
		all[i] = inventory.FreeSpace{Name: name, Free: 7}
	}
	c.SetFreeSpaces(all)
	c.Drives = []inventory.Drive{{Name: name}}
	inventory.Computers.Loaded(c)
	equal(t, "the first drive", c.Drives[0].FreeSpace, kind.Some[int64](7))
	if max := inventory.Computers.Field("free-spaces").Max; len(c.FreeSpaces) > max {
		t.Errorf("got %d bytes, want at most %d", len(c.FreeSpaces), max)
	}
}
