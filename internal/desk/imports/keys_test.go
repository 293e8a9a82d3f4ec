package imports_test

import (
	"slices"
	"testing"

	"muster/internal/desk/imports"
	"muster/internal/inventory"
	"muster/internal/kind"
)

// TestUsualKeys: records are recognised by what no two share, unless a table knows better.
func TestUsualKeys(t *testing.T) {
	type badge struct {
		kind.Record
		Name, Code string
	}
	badges := kind.Define("badge", "badges", "Badges List", func(b *badge, f *kind.Fields) {
		f.Record(&b.Record)
		f.Text("name", &b.Name).Filter()
		f.Text("code", &b.Code).Unique().Filter()
		f.Stamps(&b.Record)
	})
	for k, want := range map[*kind.Schema][]string{
		badges.Schema:              {"code"},
		inventory.Computers.Schema: {"asset-id", "serial-number", "name"},
		inventory.Users.Schema:     {"email"},
		inventory.Vendors.Schema:   {"name"},
		inventory.Tickets.Schema:   nil,
	} {
		if got := imports.UsualKeys(k); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", k.Plural, got, want)
		}
	}
}
