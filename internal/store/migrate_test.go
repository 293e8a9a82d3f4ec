package store_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/store"
)

// A tool is a record of a kind that changes from version to version.
type (
	toolV1 struct {
		kind.Record
		Name, Note string
		Size       kind.Int
	}
	toolV2 struct {
		kind.Record
		Name, Note, Site string
		Size             kind.Int
		Owner            kind.Person
		Bits             []bitV2
	}
	toolV3 struct {
		kind.Record
		Name, Note, Site string
		Size             kind.Int
		Owner            kind.Person
		Cases            []caseV3
		Bits             []bitV3
	}
	bitV2 struct {
		Name string
		Size kind.Int
		Old  kind.Bool
	}
	bitV3 struct {
		Colour string
		Size   kind.Int
		Name   string
	}
	caseV3 struct{ Name string }
)

var (
	toolsV1 = kind.Define("tool", "tools", "Tools", func(r *toolV1, f *kind.Fields) {
		f.Record(&r.Record)
		f.Text("name", &r.Name)
		f.Int("size", &r.Size)
		f.Stamps(&r.Record)
		f.Detail()
		f.Text("note", &r.Note)
	})
	// toolsV2 has a new field, its first nested collection, and filters that
	// look at old fields.
	toolsV2 = kind.Define("tool", "tools", "Tools", func(r *toolV2, f *kind.Fields) {
		f.Record(&r.Record)
		f.Text("name", &r.Name).Unique().Filter()
		f.Text("site", &r.Site).Filter()
		f.Int("size", &r.Size).Filter()
		f.Stamps(&r.Record)
		f.Detail()
		f.Text("note", &r.Note).Filter()
		f.Person("owner", &r.Owner).Filter()
		kind.Many(f, "bits", "bit", &r.Bits, func(b *bitV2, f *kind.Fields) {
			f.Text("name", &b.Name)
			f.Int("size", &b.Size)
			f.Bool("old", &b.Old)
		})
	})
	// toolsV3 has nested fields added, moved and removed, a collection before
	// the old one, and a filter that looks at an old nested field.
	toolsV3 = kind.Define("tool", "tools", "Tools", func(r *toolV3, f *kind.Fields) {
		f.Record(&r.Record)
		f.Text("name", &r.Name).Unique().Filter()
		f.Text("site", &r.Site).Filter()
		f.Int("size", &r.Size).Filter()
		f.Stamps(&r.Record)
		f.Detail()
		f.Text("note", &r.Note).Filter()
		f.Person("owner", &r.Owner).Filter()
		kind.Many(f, "cases", "case", &r.Cases, func(c *caseV3, f *kind.Fields) { f.Text("name", &c.Name) })
		kind.Many(f, "bits", "bit", &r.Bits, func(b *bitV3, f *kind.Fields) {
			f.Text("colour", &b.Colour)
			f.Int("size", &b.Size)
			f.Text("name", &b.Name).FilterAs("bit")
			f.Former("old")
		})
	})
)

// with opens a database for as long as f runs.
func with(t *testing.T, address string, k *kind.Schema, f func(*store.Store)) {
	t.Helper()
	withAll(t, address, besides(k), f)
}

// withAll is with for some kinds and no others.
func withAll(t *testing.T, address string, kinds []*kind.Schema, f func(*store.Store)) {
	t.Helper()
	s, err := store.Open(ctx, store.Config{Database: address, Kinds: kinds})
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	f(s)
	if err := s.Close(); err != nil {
		t.Fatalf("close: %v", err)
	}
}

// TestNewFields opens one database with three versions of a kind.
func TestNewFields(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		address := db.New(t)
		with(t, address, toolsV1.Schema, func(s *store.Store) {
			insert(t, s, toolsV1, &toolV1{Name: "Säge", Note: "Groß", Size: kind.Some[int64](0)}, &toolV1{Name: "Axt"})
		})
		with(t, address, toolsV2.Schema, func(s *store.Store) {
			equal(t, "notes found", list(t, s, toolsV2.Schema, "note=GROSS").Total, 1)
			equal(t, "sizes found", list(t, s, toolsV2.Schema, "size=0&site=&owner=").Total, 1)
			want := &toolV2{Record: kind.Record{ID: 1, Version: 1, CreatedAt: start, UpdatedAt: start}, Name: "Säge",
				Note: "Groß", Size: kind.Some[int64](0)}
			equal(t, "old tool", get(t, s, toolsV2, 1), want)
			insert(t, s, toolsV2, &toolV2{
				Name: "Bohrer", Site: "HQ", Bits: []bitV2{{"Neun", kind.Some[int64](9), kind.Some(true)}, {Name: "Ü"}},
			})
			err := s.Update(ctx, func(tx *store.Tx) error {
				return tx.Insert(ctx, toolsV2.Schema, &toolV2{Name: "SÄGE"}, now)
			})
			if err == nil {
				t.Error("got no error for a value of an old record that is unique now")
			}
		})
		with(t, address, toolsV3.Schema, func(s *store.Store) {
			equal(t, "bits found", list(t, s, toolsV3.Schema, "bit=ü").Total, 1)
			equal(t, "tools without bits", list(t, s, toolsV3.Schema, "bit=").Total, 2)
			bits := []bitV3{{Name: "Neun", Size: kind.Some[int64](9)}, {Name: "Ü"}}
			drill := list(t, s, toolsV3.Schema, "site=hq").Records[0].(*toolV3)
			equal(t, "old bits", get(t, s, toolsV3, drill.ID).Bits, bits)
			err := change(s, toolsV3, 1, now, func(r *toolV3) { r.Cases, r.Bits = []caseV3{{"c"}}, bits })
			equal(t, "change", err, error(nil))
		})
		with(t, address, toolsV3.Schema, func(s *store.Store) {
			equal(t, "cases", get(t, s, toolsV3, 1).Cases, []caseV3{{"c"}})
			equal(t, "bits found", list(t, s, toolsV3.Schema, "bit=neun").Total, 2)
		})
	})
}

// TestNewReferences opens one database with a kind that comes to refer to
// records of a kind that is newer than its own table.
func TestNewReferences(t *testing.T) {
	t.Parallel()
	type toolV4 struct {
		kind.Record
		Name, Note string
		Size       kind.Int
		Price      kind.Decimal
		Seller     kind.Ref
		Shops      []kind.Linked
	}
	sellers := kind.Define("seller", "sellers", "", (*thing).fields)
	toolsV4 := kind.Define("tool", "tools", "Tools", func(r *toolV4, f *kind.Fields) {
		f.Record(&r.Record)
		f.Text("name", &r.Name)
		f.Int("size", &r.Size)
		f.Decimal("price", &r.Price).Filter()
		f.Ref("seller", &r.Seller, sellers.Schema).Filter()
		kind.Links(f, "shops", "shop", &r.Shops, sellers.Schema, rooms.Schema)
		f.Stamps(&r.Record)
		f.Detail()
		f.Text("note", &r.Note)
	})
	kinds := besides(sellers.Schema, toolsV4.Schema)
	eachPair(t, func(t *testing.T, from, to mustertest.Database) {
		address, copied := from.New(t), to.New(t)
		with(t, address, toolsV1.Schema, func(s *store.Store) { insert(t, s, toolsV1, &toolV1{Name: "Axt"}) })
		s := open(t, address, kinds...)
		equal(t, "old tool", get(t, s, toolsV4, 1),
			&toolV4{Record: kind.Record{ID: 1, Version: 1, CreatedAt: start, UpdatedAt: start}, Name: "Axt"})
		acme, hall := add(t, s, sellers, "Acme"), add(t, s, rooms, "Hall")
		err := change(s, toolsV4, 1, now, func(r *toolV4) {
			r.Seller, r.Price = ref(acme), kind.Decimal{V: 15_000, Valid: true}
			r.Shops = []kind.Linked{link(sellers, acme), link(rooms, hall)}
		})
		equal(t, "change", err, error(nil))
		want := get(t, s, toolsV4, 1)
		mustReplace(t, copied, export(t, address))
		other := open(t, copied, kinds...)
		equal(t, "copied tool", get(t, other, toolsV4, 1), want)
		equal(t, "found", list(t, other, toolsV4.Schema, "seller=ACME&price=1.50&sort_by=seller").Total, 1)
		err = other.Update(ctx, func(tx *store.Tx) error { return tx.Delete(ctx, sellers.Schema, acme) })
		if err == nil {
			t.Error("got no error for the removal of a seller that is referred to")
		}
	})
}

// TestOldLayout reads parts that were written in the layout of an older
// version, after a filter-less change that writes nothing again.
func TestOldLayout(t *testing.T) {
	t.Parallel()
	type toolV4 struct {
		kind.Record
		Name, Note, Site string
		Size             kind.Int
		Owner            kind.Person
		Bits             []caseV3
	}
	toolsV4 := kind.Define("tool", "tools", "Tools", func(r *toolV4, f *kind.Fields) {
		f.Record(&r.Record)
		f.Text("name", &r.Name).Unique().Filter()
		f.Text("site", &r.Site).Filter()
		f.Int("size", &r.Size).Filter()
		f.Stamps(&r.Record)
		f.Detail()
		f.Text("note", &r.Note).Filter()
		f.Person("owner", &r.Owner).Filter()
		kind.Many(f, "bits", "bit", &r.Bits, func(c *caseV3, f *kind.Fields) {
			f.Text("name", &c.Name)
			f.Former("size", "old")
		})
	})
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		address := db.New(t)
		with(t, address, toolsV2.Schema, func(s *store.Store) {
			insert(t, s, toolsV2, &toolV2{
				Name: "a", Bits: []bitV2{{"x", kind.Some[int64](9), kind.Some(true)}, {Name: "y"}},
			})
		})
		with(t, address, toolsV4.Schema, func(s *store.Store) {
			equal(t, "bits", get(t, s, toolsV4, 1).Bits, []caseV3{{"x"}, {"y"}})
			insert(t, s, toolsV4, &toolV4{Name: "b", Bits: []caseV3{{"z"}}})
		})
		with(t, address, toolsV2.Schema, func(s *store.Store) {
			equal(t, "bits of the first layout", get(t, s, toolsV2, 1).Bits,
				[]bitV2{{"x", kind.Some[int64](9), kind.Some(true)}, {Name: "y"}})
			equal(t, "bits of the second layout", get(t, s, toolsV2, 2).Bits, []bitV2{{Name: "z"}})
		})
	})
}

// TestReopen changes nothing in a database that is up to date.
func TestReopen(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		address := db.New(t)
		var before []string
		for range 3 {
			with(t, address, gadgets.Schema, func(s *store.Store) {
				now := dump(t, s, address)
				if before != nil {
					equal(t, "tables and indexes", now, before)
				}
				before = now
			})
		}
	})
}

// dump returns a text for each thing in the database that opening it may
// change.
func dump(t *testing.T, s *store.Store, address string) (lines []string) {
	t.Helper()
	sql := "SELECT coalesce(sql, name) FROM sqlite_master"
	if store.IsPostgres(address) {
		sql = `SELECT concat(table_name, column_name, data_type, collation_name) FROM information_schema.columns WHERE table_schema = current_schema()
			UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema()`
	}
	view(t, s, func(tx *store.Tx) (err error) {
		for _, query := range []string{
			sql, "SELECT kind || layout FROM layouts", "SELECT 'migration' FROM migrations",
		} {
			texts, err := tx.Texts(ctx, query)
			if err != nil {
				return err
			}
			lines = append(lines, texts...)
		}
		return nil
	})
	slices.Sort(lines)
	return lines
}

// TestOldest refuses what a version before the first release has written.
func TestOldest(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		address := db.New(t)
		with(t, address, gadgets.Schema, func(s *store.Store) {
			update(t, s, func(tx *store.Tx) error { return tx.Exec(ctx, "DROP TABLE statements") })
		})
		_, err := store.Open(ctx, store.Config{Database: address, Kinds: allKinds()})
		if err == nil || !strings.Contains(err.Error(), "made by a version before the first release") {
			t.Errorf("got error %v, want that the database is too old", err)
		}
	})
}

// TestNewer refuses what a newer version has written, in plain words.
func TestNewer(t *testing.T) {
	for _, c := range []struct{ damage, want string }{
		{"INSERT INTO migrations (number) VALUES (99)", fmt.Sprintf("it is at step 99, this program knows %d",
			len(*store.Steps()))},
		{"ALTER TABLE test_gadgets ADD COLUMN colour TEXT",
			"test_gadgets has a column colour that this program does not know"},
	} {
		mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
			address := db.New(t)
			with(t, address, gadgets.Schema, func(s *store.Store) {
				update(t, s, func(tx *store.Tx) error { return tx.Exec(ctx, c.damage) })
			})
			_, err := store.Open(ctx, store.Config{Database: address, Kinds: allKinds()})
			if err == nil || !strings.Contains(err.Error(),
				"was written by a newer version of Muster ("+c.want+"): install that version") {
				t.Errorf("got error %v, want that the database is newer: %s", err, c.want)
			}
		})
	}
}

// TestFailedMigration leaves the database as it was.
func TestFailedMigration(t *testing.T) {
	steps := store.Steps()
	known := *steps
	defer func() { *steps = known }()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		address := db.New(t)
		*steps = append(slices.Clone(known), "CREATE TABLE extra (id {id});\nINSERT INTO extra (id) VALUES (1)",
			"CREATE TABLE extra (id {id})")
		_, err := store.Open(ctx, store.Config{Database: address, Kinds: allKinds()})
		if want := fmt.Sprintf("step %d", len(known)+2); err == nil || !strings.Contains(err.Error(), want) {
			t.Fatalf("got error %v, want one of %s", err, want)
		}
		*steps = known
		with(t, address, gadgets.Schema, func(s *store.Store) {
			if slices.ContainsFunc(dump(t, s, address),
				func(line string) bool { return strings.Contains(line, "extra") }) {
				t.Error("the table of the failed migration is there")
			}
			insert(t, s, gadgets, fullGadget(kind.Person{}, kind.Person{}))
		})
	})
}

// TestUndoneMigration forgets the layouts that an undone migration stored: the
// database may ask to run it again.
func TestUndoneMigration(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := open(t, db.New(t), allKinds()...)
		update(t, s, func(tx *store.Tx) error { return tx.Exec(ctx, "DELETE FROM layouts") })
		if err := s.Migrate(ctx); err != nil {
			t.Fatalf("migrate: %v", err)
		}
		g := fullGadget(kind.Person{}, kind.Person{})
		insert(t, s, gadgets, g)
		equal(t, "gadget", get(t, s, gadgets, g.ID), g)
	})
}

// TestOpenTogether opens one new database from several places at once, as
// nodes that start together do.
func TestOpenTogether(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		address := db.New(t)
		if !store.IsPostgres(address) {
			return // one process writes an SQLite file
		}
		var wg sync.WaitGroup
		for i := range 4 {
			wg.Go(func() {
				s, err := store.Open(ctx, store.Config{Database: address, Kinds: allKinds()})
				if err != nil {
					t.Errorf("open: %v", err)
					return
				}
				defer s.Close()
				g := &gadget{Name: "g", Lights: []light{{Name: string(rune('a' + i))}}}
				if err := s.Update(ctx,
					func(tx *store.Tx) error { return tx.Insert(ctx, gadgets.Schema, g, now) }); err != nil {
					t.Errorf("insert: %v", err)
				}
			})
		}
		wg.Wait()
		equal(t, "ids", ids(t, open(t, address, allKinds()...)), []int64{1, 2, 3, 4})
	})
}

// TestNestedNumber panics: filters look at nested texts alone.
func TestNestedNumber(t *testing.T) {
	t.Parallel()
	type bit struct{ Size kind.Int }
	type tool struct {
		kind.Record
		Bits []bit
	}
	tools := kind.Define("tool", "tools", "Tools", func(r *tool, f *kind.Fields) {
		f.Record(&r.Record)
		f.Stamps(&r.Record)
		kind.Many(f, "bits", "bit", &r.Bits, func(b *bit, f *kind.Fields) { f.Int("size", &b.Size).Filter() })
	})
	defer func() {
		if recover() == nil {
			t.Error("got no panic for a filter that looks at nested numbers")
		}
	}()
	_, _ = store.Open(ctx, store.Config{Database: mustertest.SQLite.New(t), Kinds: []*kind.Schema{tools.Schema}})
}
