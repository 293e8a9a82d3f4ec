package inventory_test

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/kind"
)

// TestStoredPartsAreReadForEver unpacks what each version of the product has
// written into databases. These files are never rewritten: a layout that
// changes gets files of its own beside the old ones.
func TestStoredPartsAreReadForEver(t *testing.T) {
	layouts, err := filepath.Glob("testdata/parts/*.layout")
	if err != nil || len(layouts) == 0 {
		t.Fatalf("got layouts %v and error %v", layouts, err)
	}
	for _, file := range layouts {
		c := fullComputer()
		c.Videos, c.Memories, c.Printers, c.USBs, c.Keyboards, c.Displays, c.Storages = nil, nil, nil,
			nil, nil, nil, nil
		c.BIOSes, c.Ports, c.Sounds, c.Mice, c.Networks, c.Drives = nil, nil, nil, nil, nil, nil
		u, err := inventory.Computers.Parts.Unpacker(read(t, file))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		packed, err := hex.DecodeString(strings.ReplaceAll(read(t, strings.TrimSuffix(file, ".layout")+".hex"),
			"\n", ""))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if err := u.Unpack(string(packed), c); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		equal(t, file, string(inventory.Computers.AppendRecord(nil, kind.XML, base, c)),
			read(t, "testdata/computer.xml")+"\n")
	}
}

// TestLayoutIsKept fails when a layout changes, as a reminder to keep what it
// writes.
func TestLayoutIsKept(t *testing.T) {
	layouts, _ := filepath.Glob("testdata/parts/*.layout")
	for _, file := range layouts {
		if read(t, file) == inventory.Computers.Parts.Layout() {
			return
		}
	}
	t.Errorf("the layout of computers is new: add testdata/parts/v%d.layout with\n%s\nand v%[1]d.hex with\n%[3]x",
		len(layouts)+1, inventory.Computers.Parts.Layout(), inventory.Computers.Parts.Pack(nil, fullComputer()))
}

// read returns a file without its last line end.
func read(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(string(b), "\n")
}
