package store_test

import (
	"testing"

	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/store"
)

// A wideTool is a tool with fields that none had before.
type wideTool struct {
	kind.Record
	Name, Note, Site string
	Size, Weight     kind.Int
	Cases            []caseV3
}

var wideTools = kind.Define("tool", "tools", "Tools", func(r *wideTool, f *kind.Fields) {
	f.Record(&r.Record)
	f.Text("name", &r.Name)
	f.Int("size", &r.Size)
	f.Text("site", &r.Site).Filter()
	f.Stamps(&r.Record)
	f.Detail()
	f.Text("note", &r.Note)
	f.Int("weight", &r.Weight).Filter()
	kind.Many(f, "cases", "case", &r.Cases,
		func(c *caseV3, f *kind.Fields) { f.Text("name", &c.Name).FilterAs("case") })
})

// countWrites makes triggers that count the rows of tools that are written again.
var countWrites = map[bool][]string{
	false: {
		"CREATE TABLE written (id BIGINT)",
		"CREATE TRIGGER write_tools AFTER UPDATE ON tools BEGIN INSERT INTO written (id) VALUES (1); END",
	},
	true: {
		"CREATE TABLE written (id BIGINT)",
		"CREATE FUNCTION write_tools() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO written (id) VALUES (1); RETURN NULL; END'",
		"CREATE TRIGGER write_tools AFTER UPDATE ON tools FOR EACH ROW EXECUTE FUNCTION write_tools()",
	},
}

// TestUpgradeWritesNoRow: new fields that no record has a value of leave the records
// and their words as they are. A field that follows from others does not.
func TestUpgradeWritesNoRow(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		for _, upgrade := range []struct {
			what  string
			to    *kind.Schema
			wrote int64
			words int // times that the words of tools were made
		}{
			{"fields that none had", wideTools.Schema, 0, 0},
			{"a filter by an old field", toolsV2.Schema, 3, 0},
		} {
			address := db.New(t)
			with(t, address, toolsV1.Schema, func(s *store.Store) {
				insert(t, s, toolsV1, &toolV1{Name: "Säge", Note: "groß"}, &toolV1{Name: "Axt"}, &toolV1{Name: "Beil"})
				update(t, s, func(tx *store.Tx) error {
					for _, sql := range countWrites[store.IsPostgres(address)] {
						if err := tx.Exec(ctx, sql); err != nil {
							return err
						}
					}
					return nil
				})
			})
			words := 0
			progress := func(table string, _, _ int64) {
				if table == "tools" {
					words++
				}
			}
			s, err := store.Open(ctx, store.Config{Database: address, Kinds: besides(upgrade.to), Progress: progress})
			if err != nil {
				t.Fatal(err)
			}
			view(t, s, func(tx *store.Tx) error {
				n, err := tx.Int(ctx, "SELECT count(*) FROM written")
				equal(t, upgrade.what+": rows written again", n, upgrade.wrote)
				return err
			})
			equal(t, upgrade.what+": times that words were made", words, upgrade.words)
			equal(t, upgrade.what+": found by an old word", list(t, s, upgrade.to, "q=gross").Total, 1)
			if upgrade.to == wideTools.Schema {
				insert(t, s, wideTools, &wideTool{Name: "Bohrer", Site: "Halle", Cases: []caseV3{{"Kiste"}}})
				equal(t, "found by a new field", list(t, s, upgrade.to, "q=halle+kiste").Total, 1)
				equal(t, "filtered by new fields", list(t, s, upgrade.to, "site=HALLE&case=kiste").Total, 1)
				equal(t, "without them", list(t, s, upgrade.to, "site=&case=&weight=").Total, 3)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
	})
}
