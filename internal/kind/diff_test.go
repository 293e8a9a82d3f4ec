package kind_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"muster/internal/kind"
)

func TestDiff(t *testing.T) {
	disk := `name: "disk", part-state: "Up", size: "0", good: "false", at: "2026-01-01T00:00:00Z", on: "2026-01-01", cost: "0.05"`
	fan := `name: "fan"`
	acme := `maker: "Acme", serial: "S1"`
	for _, test := range []struct {
		name     string
		change   func(*device)
		changes  []kind.Change
		sentence string
	}{
		{"nothing", func(d *device) {}, nil, ""},
		{"what the store sets", func(d *device) {
			d.ID, d.Version, d.CreatedAt, d.UpdatedAt = 1, 9, time.Time{},
				time.Time{}
		}, nil, ""},
		{"changed", func(d *device) { d.Code = "D-2" }, []kind.Change{{Field: "code", From: "D-1", To: "D-2"}},
			"Code changed from D-1 to D-2"},
		{"cleared", func(d *device) { d.Code = "" }, []kind.Change{{Field: "code", From: "D-1"}},
			"Code cleared, was D-1"},
		{"label", func(d *device) { d.Chip = "M2" }, []kind.Change{{Field: "chip-set", From: "  M1 ", To: "M2"}},
			"Chip changed from M1 to M2"},
		{"unit", func(d *device) { d.Count = kind.Some[int64](0) }, []kind.Change{
			{Field: "item-count", From: "12", To: "0"},
		}, "Item count changed from 12 pieces to 0 pieces"},
		{"number cleared", func(d *device) { d.Count = kind.Int{} }, []kind.Change{{Field: "item-count", From: "12"}},
			"Item count cleared, was 12 pieces"},
		{"boolean", func(d *device) { d.Live = kind.Some(false) }, []kind.Change{
			{Field: "live", From: "true", To: "false"},
		}, "Live changed from true to false"},
		{"time", func(d *device) { d.SeenAt = d.SeenAt.Add(time.Minute) },
			[]kind.Change{{Field: "seen-at", From: "2026-01-31T09:30:00Z", To: "2026-01-31T09:31:00Z"}},
			"Seen at changed from 2026-01-31T09:30:00Z to 2026-01-31T09:31:00Z"},
		{"the same time elsewhere", func(d *device) { d.SeenAt = d.SeenAt.In(time.FixedZone("", 3600)) }, nil, ""},
		{"date", func(d *device) { d.BoughtOn = time.Time{} }, []kind.Change{{Field: "bought-on", From: "2025-12-24"}},
			"Bought on cleared, was 2025-12-24"},
		{"person", func(d *device) { d.Owner = anna },
			[]kind.Change{{Field: "owner", From: "bert@example.com", To: "Anna <A> Berg (anna@example.com)"}},
			"Owner changed from bert@example.com to Anna <A> Berg (anna@example.com)"},
		{"the same person", func(d *device) { d.Owner.Name = "Bert" }, nil, ""},
		{"amount", func(d *device) { d.Price = cents(99) }, []kind.Change{{Field: "price", From: "12.5", To: "0.99"}},
			"Price changed from 12.5 EUR to 0.99 EUR"},
		{"amount cleared", func(d *device) { d.Price = kind.Decimal{} }, []kind.Change{{Field: "price", From: "12.5"}},
			"Price cleared, was 12.5 EUR"},
		{"reference", func(d *device) { d.Maker = brand }, []kind.Change{
			{Field: "maker", From: "Acme <Ltd>", To: "brand"},
		}, "Maker changed from Acme <Ltd> to brand"},
		{"reference cleared", func(d *device) { d.Maker = kind.Ref{} }, []kind.Change{
			{Field: "maker", From: "Acme <Ltd>"},
		}, "Maker cleared, was Acme <Ltd>"},
		{"the same maker", func(d *device) { d.Maker.Name = "Acme" }, nil, ""},
		{"what is not part of the record", func(d *device) {
			d.Phase, d.Load, d.LastVisit, d.Visits = "Retired",
				kind.Int{}, "", nil
		}, nil, ""},
		{"link added", func(d *device) { d.Sockets = append(d.Sockets, link(sockets, 7, "top")) },
			[]kind.Change{{Field: "sockets", To: `id: "7", name: "top"`}}, "Wall socket added: top"},
		{"link removed", func(d *device) { d.Sockets = d.Sockets[:1] }, []kind.Change{
			{Field: "sockets", From: `id: "6", name: "right"`},
		}, "Wall socket removed: right"},
		{"link to another kind", func(d *device) { d.Places = []kind.Linked{d.Places[0], link(sockets, 4, "left")} },
			[]kind.Change{{Field: "places", From: `asset-type: "room", id: "4", name: "Attic & Co"`}, {
				Field: "places", To: `asset-type: "wall-socket", id: "4", name: "left"`,
			}},
			"Place removed: Attic & Co; Place added: left"},
		{"the same links", func(d *device) { d.Sockets[0].Name = "renamed" }, nil, ""},
		{"read-only", func(d *device) { d.Origin = "web" }, []kind.Change{
			{Field: "origin", From: "import", To: "web"},
		}, "Origin changed from import to web"},
		{"long text", func(d *device) { d.Note = strings.Repeat("ä", 81) },
			[]kind.Change{{Field: "note", From: "one\r\ntwo\tthree", To: strings.Repeat("ä", 81)}},
			"Note changed from one two three to " + strings.Repeat("ä", 80) + "…"},
		{"two fields, in document order", func(d *device) { d.Site, d.Code = "B", "C" },
			[]kind.Change{{Field: "code", From: "D-1", To: "C"}, {Field: "site", From: "HQ", To: "B"}},
			"Code changed from D-1 to C; Site changed from HQ to B"},

		{"item added", func(d *device) { d.Parts = append(d.Parts, part{Name: "lid", Size: kind.Some[int64](1)}) },
			[]kind.Change{{Field: "parts", To: `name: "lid", size: "1"`}}, "Part added: lid"},
		{"item removed", func(d *device) { d.Parts = d.Parts[:1] }, []kind.Change{{Field: "parts", From: fan}},
			"Part removed: fan"},
		{"all removed", func(d *device) { d.Parts = nil }, []kind.Change{
			{Field: "parts", From: disk}, {Field: "parts", From: fan},
		}, "Part removed: disk; Part removed: fan"},
		{"item changed", func(d *device) {
			d.Parts = []part{d.Parts[0], {Name: "fan", Size: kind.Some[int64](9), Good: kind.Some(true)}}
		},
			[]kind.Change{{Field: "parts", From: fan, To: `name: "fan", size: "9", good: "true"`}},
			"Part fan changed: size set to 9 MB, good set to true"},
		{"item with another key", func(d *device) { d.Parts = []part{d.Parts[0], {Name: "fin"}} },
			[]kind.Change{{Field: "parts", From: fan}, {Field: "parts", To: `name: "fin"`}},
			"Part removed: fan; Part added: fin"},
		{"item without a key", func(d *device) { d.Parts = []part{d.Parts[0], d.Parts[1], {State: "Up"}} },
			[]kind.Change{{Field: "parts", To: `part-state: "Up"`}}, "Part added: Up"},
		{"another item without a key", func(d *device) {
			d.Parts[0], d.Parts[1] = part{State: "Up"},
				part{State: "Down"}
		},
			[]kind.Change{{Field: "parts", From: disk}, {Field: "parts", From: fan}, {
				Field: "parts", To: `part-state: "Up"`,
			}, {Field: "parts", To: `part-state: "Down"`}},
			"Part removed: disk; Part removed: fan; Part added: Up; Part added: Down"},
		{"item twice", func(d *device) { d.Parts = append(d.Parts, d.Parts[1]) }, []kind.Change{
			{Field: "parts", To: fan},
		}, "Part added: fan"},
		{"order", func(d *device) { d.Parts = []part{d.Parts[1], d.Parts[0]} },
			[]kind.Change{{Field: "parts", From: disk + "; " + fan, To: fan + "; " + disk}},
			"Parts put in another order"},
		{"noun and label of an item", func(d *device) { d.Tools = []tool{{Serial: "S1"}, {Serial: "S2"}} },
			[]kind.Change{{Field: "tools", From: acme, To: `serial: "S1"`}, {Field: "tools", To: `serial: "S2"`}},
			"Tool S1 changed: maker cleared, was Acme; Tool added: S2"},
	} {
		d := full()
		test.change(d)
		diff := devices.Diff(full(), d)
		equal(t, test.name, diff.Changes, test.changes)
		equal(t, test.name+": sentences", diff.Message(), test.sentence)
		equal(t, test.name+": same", devices.Same(full(), d), test.changes == nil)
		equal(t, test.name+": one sentence a change", len(diff.Sentences), len(diff.Changes))
	}
}

// TestDiffOfItemsWithoutKey shows that items whose key is null are not taken
// for one that changed.
func TestDiffOfItemsWithoutKey(t *testing.T) {
	diff := devices.Diff(&device{Parts: []part{{State: "Up"}}}, &device{Parts: []part{{State: "Down"}}})
	equal(t, "message", diff.Message(), "Part removed: Up; Part added: Down")
}

// TestDiffOfAbbreviations shows that a label keeps its capitals inside a
// sentence.
func TestDiffOfAbbreviations(t *testing.T) {
	type named struct {
		kind.Record
		Items []tool
	}
	s := kind.Define("named", "nameds", "", func(n *named, f *kind.Fields) {
		f.Record(&n.Record)
		kind.Many(f, "items", "item", &n.Items, func(t *tool, f *kind.Fields) {
			f.Text("maker", &t.Maker)
			f.Text("serial", &t.Serial).Label("SN")
		}).Key("maker")
	})
	diff := s.Diff(&named{Items: []tool{{Maker: "Acme"}}}, &named{Items: []tool{{Maker: "Acme", Serial: "1"}}})
	equal(t, "sentence", diff.Message(), "Item Acme changed: SN set to 1")
}

func TestDiffOfHiddenFields(t *testing.T) {
	d := full()
	d.Secret = "x"
	diff := devices.Diff(full(), d)
	equal(t, "changes", diff.Changes, []kind.Change(nil))
	equal(t, "message", diff.Message(), "")
	equal(t, "same", devices.Same(full(), d), false)
}

func TestDiffOfCreatedAndDeleted(t *testing.T) {
	d := &device{Name: "Saw", Count: kind.Some[int64](1), Tools: []tool{{Serial: "S1"}}}
	created := devices.Diff(nil, d)
	equal(t, "created", created.Message(), "Name set to Saw; Item count set to 1 pieces; Tool added: S1")
	deleted := devices.Diff(d, nil)
	equal(t, "deleted", deleted.Message(), "Name cleared, was Saw; Item count cleared, was 1 pieces; Tool removed: S1")
}

// TestDiffMessage checks that the message about very many changes does not list each.
func TestDiffMessage(t *testing.T) {
	var d kind.Diff
	for i := range 52 {
		d.Sentences = append(d.Sentences, fmt.Sprint("change ", i))
	}
	if got, want := d.Message(), "change 49; and 2 more changes"; !strings.HasSuffix(got, want) {
		t.Errorf("got a message that ends %q, want %q", got[len(got)-len(want):], want)
	}
}

// TestDescribe makes sure that values are quoted as Go quotes them, whatever is
// in them.
func TestDescribe(t *testing.T) {
	texts := []string{`a "b" c`, `C:\Program Files\Grüße`, "tab\tand\x00", "\x7f~ ", "\xff", "日本 \u2028\ufeff"}
	for c := range rune(300) {
		texts = append(texts, "x"+string(c)+"y")
	}
	for _, text := range texts {
		got := devices.Values(&device{Code: text}).Describe([]*kind.Field{devices.Field("code")})
		if want := "code: " + strconv.Quote(text); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
