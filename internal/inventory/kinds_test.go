package inventory_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
)

// unreadable are names of fields that stock Ruby clients cannot read.
var unreadable = strings.Fields(`display method class hash errors attributes send object-id load reload destroy save delete get put
	post patch schema freeze`)

// kinds returns every kind that is declared.
func kinds() []*kind.Schema { return append(inventory.All(), inventory.Incidents.Schema) }

// TestKindsAreInOrder checks the rules that concern every kind.
func TestKindsAreInOrder(t *testing.T) {
	for _, s := range kinds() {
		reference := s.Stored().Reference()
		for _, f := range withItems(s.Fields) {
			if slices.Contains(unreadable, f.Name) {
				t.Errorf("%s: a stock client cannot read a field %s", s.Plural, f.Name)
			}
			if strings.ToLower(f.Name) != f.Name || strings.ContainsAny(f.Name, "_ ") {
				t.Errorf("%s: field name %s is not lower-case words joined by hyphens", s.Plural, f.Name)
			}
			if !f.Hidden && !strings.Contains(reference, "| `"+f.Name+"` |") {
				t.Errorf("%s: field %s is not in the reference", s.Plural, f.Name)
			}
			if f.Default != "" && f.OneOf != nil && !slices.Contains(f.OneOf, f.Default) {
				t.Errorf("%s: the default of %s is not allowed", s.Plural, f.Name)
			}
		}
		for _, name := range []string{"id", "href", "created-at", "updated-at"} {
			if s.Field(name) == nil {
				t.Errorf("%s: there is no field %s", s.Plural, name)
			}
		}
		for _, f := range s.Filters {
			if !strings.Contains(reference, "| `"+f.Param+"` |") {
				t.Errorf("%s: filter %s is not in the reference", s.Plural, f.Param)
			}
		}
	}
}

// withItems returns fields and those of their items.
func withItems(fields []*kind.Field) (all []*kind.Field) {
	for _, f := range fields {
		all = append(all, f)
		if f.Items != nil {
			all = append(all, f.Items.Fields...)
		}
	}
	return all
}

func TestServedKindsAreStored(t *testing.T) {
	for _, s := range inventory.Served() {
		if !slices.Contains(inventory.All(), s.Stored()) {
			t.Errorf("%s are served and not stored", s.Plural)
		}
	}
	if inventory.All()[0] != inventory.Users.Schema {
		t.Error("users must come first: other kinds refer to them")
	}
}

// TestAnotherField shows what a field costs, two lines, and what it brings.
func TestAnotherField(t *testing.T) {
	type desk struct {
		kind.Record
		Name   string
		Colour string // the first line
	}
	desks := kind.Define("desk", "desks", "Desks List", func(d *desk, f *kind.Fields) {
		f.Record(&d.Record)
		f.Text("name", &d.Name)
		f.Text("colour", &d.Colour).Filter() // the second
		f.Stamps(&d.Record)
	})
	rec := &desk{Name: "a", Colour: "red"}
	if doc := string(desks.AppendRecord(nil, kind.XML, base, rec)); !strings.Contains(doc, "<colour>red</colour>") {
		t.Errorf("got document %s", doc)
	}
	if doc := string(desks.AppendList(nil, kind.XML, base, kind.Page{Records: []any{rec}})); !strings.Contains(doc,
		"<colour>red</colour>") {
		t.Errorf("got list %s", doc)
	}
	patch, err := desks.Decode([]byte("<desk><colour>blue</colour></desk>"))
	if err != nil {
		t.Fatal(err)
	}
	changed := desks.Copy(rec)
	patch.Apply(changed)
	diff := desks.Diff(rec, changed)
	equal(t, "audit", diff.Message(), "Colour changed from red to blue")
	query, err := desks.ParseQuery("colour=red&sort_by=colour", time.Now())
	if err != nil || query.Conds[0].Field != desks.Field("colour") || query.Sort != desks.Field("colour") {
		t.Errorf("got query %+v and error %v", query, err)
	}
	var columns []string
	for _, f := range desks.Fields {
		if f.Stored() {
			columns = append(columns, f.Column())
		}
	}
	equal(t, "columns", columns, []string{"name", "colour", "created_at", "updated_at"})
	if !strings.Contains(desks.Reference(), "| `colour` | string |") {
		t.Errorf("got reference %s", desks.Reference())
	}
}
