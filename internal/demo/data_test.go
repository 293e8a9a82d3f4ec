package demo

import (
	"slices"
	"testing"

	"muster/internal/kind"
)

// TestTables reads cells of all types.
func TestTables(t *testing.T) {
	type record struct {
		share
		Text   string
		List   []string
		Is     bool
		N      int
		Long   int64
		Sizes  []int64
		Maybe  kind.Int
		Range  span
		On     family
		OnBoth []family
	}
	file := tables{"a": {
		{"Text", "List", "Is", "N", "Long", "Sizes", "Maybe", "Range", "On", "OnBoth", "Share"},
		{"x", "a|b", "yes", "-3", "4", "1|2", "0", "2-5", "unix", "windows|macOS", "7"},
		{"", "", "", "", "", "3", "", "", "windows", "unix", ""},
	}}
	all := rows[record](file, "a")
	got := all[0]
	if got.Text != "x" || !slices.Equal(got.List, []string{"a", "b"}) || !got.Is || got.N != -3 || got.Long != 4 ||
		!slices.Equal(got.Sizes, []int64{1, 2}) || got.Maybe != kind.Some[int64](0) || got.Range != (span{2, 5}) ||
		got.On != unix || !slices.Equal(got.OnBoth, []family{windows, macOS}) || got.weight() != 7 {
		t.Errorf("got %+v, want the cells", got)
	}
	if got := all[1]; got.Text != "" || got.Is || got.N != 0 || got.Maybe.Valid || got.Range != (span{}) {
		t.Errorf("got %+v, want nothing of empty cells", got)
	}
	if got := groups[struct{ List []string }](tables{"b": {{"Group", "List"}, {"x", "1"}, {"y", "2"}, {"x", "3"}}},
		"b"); len(got["x"]) != 2 || len(got["y"]) != 1 {
		t.Errorf("got groups %v, want two rows of x and one of y", got)
	}
}

// TestDataIsComplete checks that what data files name is there.
func TestDataIsComplete(t *testing.T) {
	o := data()
	vendor := func(domain string) bool {
		return slices.ContainsFunc(o.firms, func(f firm) bool { return f.Domain == domain })
	}
	department := func(name string) bool {
		return slices.ContainsFunc(o.departments, func(d *department) bool { return d.Name == name })
	}
	check := func(what string, ok bool) {
		if !ok {
			t.Errorf("%s: it names what is not there", what)
		}
	}
	for _, c := range o.classes {
		check(c.Name, len(o.models[c.Name]) > 0 && len(o.descriptions[c.Name]) > 0 && len(o.systems[c.Systems]) > 0 &&
			len(o.disks[c.Disks]) > 0)
		check(c.Name+"'s parts", (c.Videos.max < 2 || len(o.cards[c.Cards]) > 0) &&
			(c.Ports.max == 0 || len(o.connectors[c.Connectors]) > 0))
		check(c.Name+"'s adapters", len(c.Adapters) >= c.Nets.max)
		for _, a := range c.Adapters {
			check(c.Name+"'s "+a, len(o.adapters[a]) > 0)
		}
		for _, m := range o.models[c.Name] {
			check(m.Name, m.maker != nil && len(m.cpus) > 0 && !slices.Contains(m.cpus, nil))
		}
	}
	for _, p := range o.products {
		check(p.Name, (p.Seller == "" || vendor(p.Seller)) && (p.Department == "" || department(p.Department)))
	}
	for _, m := range o.staff {
		check(m.Mailbox, department(m.Department) &&
			slices.Contains([]string{"", "technician", "administrator", "read-only", "disabled"}, m.Account))
	}
	for _, d := range o.deals {
		check(d.Name, vendor(d.Vendor) && (d.Department == "" || department(d.Department)) &&
			(d.Site == "" || o.siteNamed(d.Site) != nil))
	}
	names := map[string]bool{}
	for _, c := range o.cases {
		names[c.Name] = true
		for _, l := range c.Talk {
			check(c.Name, slices.Contains([]speaker{asker, helper, colleague}, l.By))
		}
	}
	for _, a := range o.articles {
		check(a.Name, len(a.Tickets) > 0 &&
			!slices.ContainsFunc(a.Tickets, func(name string) bool { return !names[name] }))
	}
}
