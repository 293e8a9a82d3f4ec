package store_test

import (
	"strings"
	"testing"

	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/store"
	"muster/internal/store/mapping"
)

// A toolNext is a toolV2 of a newer version: its bits have one field more.
type toolNext struct {
	kind.Record
	Name, Site, Note string
	Size             kind.Int
	Owner            kind.Person
	Bits             []bitNext
}

type bitNext struct {
	Name  string
	Size  kind.Int
	Old   kind.Bool
	Maker string
}

var toolsNext = kind.Define("tool", "tools", "Tools", func(r *toolNext, f *kind.Fields) {
	f.Record(&r.Record)
	f.Text("name", &r.Name).Unique().Filter()
	f.Text("site", &r.Site).Filter()
	f.Int("size", &r.Size).Filter()
	f.Stamps(&r.Record)
	f.Detail()
	f.Text("note", &r.Note).Filter()
	f.Person("owner", &r.Owner).Filter()
	kind.Many(f, "bits", "bit", &r.Bits, func(b *bitNext, f *kind.Fields) {
		f.Text("name", &b.Name)
		f.Int("size", &b.Size)
		f.Bool("old", &b.Old)
		f.Text("maker", &b.Maker)
	})
})

// TestNewerNestedField: a program that does not know a nested field of a newer one erases no value of it. It does not
// start, and while it still runs beside the newer one it changes nothing.
func TestNewerNestedField(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		address := db.New(t)
		older := open(t, address, besides(toolsV2.Schema)...)
		insert(t, older, toolsV2, &toolV2{Name: "drill", Bits: []bitV2{{Name: "x"}}}, &toolV2{Name: "saw"})
		renamed := func(r *toolV2) { r.Note = "by the older one" }
		is(t, "a change of the older one alone", change(older, toolsV2, 1, now, renamed), nil)
		with(t, address, toolsNext.Schema, func(newer *store.Store) {
			is(t, "a change of the newer one", change(newer, toolsNext, 1, now, func(r *toolNext) {
				r.Bits[0].Maker = "Acme"
			}), nil)
			is(t, "a change of the older one", change(older, toolsV2, 2, now, renamed), store.ErrOvertaken)
			is(t, "a change of a record that the newer one stored", change(older, toolsV2, 1, now, renamed),
				mapping.ErrNewerLayout)
			is(t, "a change of no record", older.Update(ctx, func(tx *store.Tx) error {
				return tx.SetMeta(ctx, "a", []byte("b"))
			}), store.ErrOvertaken)
			equal(t, "bits", get(t, newer, toolsNext, 1).Bits, []bitNext{{Name: "x", Maker: "Acme"}})
			equal(t, "note", get(t, newer, toolsNext, 2).Note, "")
		})
		is(t, "the tables, for the older one", look(t, address, besides(toolsV2.Schema)...).Tables(ctx), store.ErrNewer)
		_, err := store.Open(ctx, store.Config{Database: address, Kinds: besides(toolsV2.Schema)})
		is(t, "the start of the older one", err, store.ErrNewer)
		if err != nil && !strings.Contains(err.Error(), "its tools have bits.maker, which this program does not know") {
			t.Errorf("the start of the older one: got %q, want what it does not know", err)
		}
		with(t, address, toolsNext.Schema, func(newer *store.Store) {
			is(t, "a change after the next start", change(newer, toolsNext, 2, now, func(r *toolNext) {
				r.Bits = []bitNext{{Maker: "Acme"}}
			}), nil)
		})
	})
}
