package web_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/web"
	"muster/internal/web/records"
)

// TestServedKindsHaveSections: a kind that is served has pages, or a reason for none.
func TestServedKindsHaveSections(t *testing.T) {
	served := inventory.Served()
	all := web.Sections(served)
	for _, k := range served {
		reason, section := web.WithoutSection[k.Stored()], all.Of(k)
		if section == nil && reason == "" || section != nil && reason != "" {
			t.Errorf("%s: got the section %v and the reason %q for none, want one of the two", k.Plural, section,
				reason)
		}
	}
	for k := range web.WithoutSection {
		if !slices.Contains(served, k) {
			t.Errorf("%s are not served, and need no reason for having no section", k.Plural)
		}
	}
}

// TestSectionsNameFields: what sections say of their kinds is there.
func TestSectionsNameFields(t *testing.T) {
	icons, err := os.ReadFile("static/icons.svg")
	if err != nil {
		t.Fatal(err)
	}
	paths := map[string]bool{}
	for _, s := range web.Sections(inventory.Served()) {
		if paths[s.Path] {
			t.Errorf("%s: another section has this path", s.Path)
		}
		paths[s.Path] = true
		if !strings.Contains(string(icons), `<symbol id="`+s.Icon+`"`) {
			t.Errorf("%s: there is no icon %q", s.Path, s.Icon)
		}
		for _, name := range fieldNames(s) {
			if s.Kind.Field(name) == nil {
				t.Errorf("%s: there is no field %q", s.Path, name)
			}
		}
	}
}

// fieldNames returns the fields that a section names.
func fieldNames(s *records.Section) []string {
	names := append(slices.Concat(s.Bulk, s.Buttons), s.Lead)
	if s.State != "" {
		names = append(names, s.State)
	}
	for _, col := range s.Columns {
		names = append(names, col.Field)
	}
	for _, g := range s.Facts {
		names = append(names, g.Fields...)
	}
	for name := range s.Headings {
		names = append(names, name)
	}
	return names
}
