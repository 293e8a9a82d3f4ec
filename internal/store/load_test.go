package store_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"muster/internal/archive"
	"muster/internal/mustertest"
	"muster/internal/store"
	"muster/internal/store/copy"
)

// smallHistory fills a database with one gadget of a name.
func smallHistory(t *testing.T, address, name string) {
	t.Helper()
	with(t, address, gadgets.Schema, func(s *store.Store) { insert(t, s, gadgets, &gadget{Name: name}) })
}

// gadgetNames returns the names of all gadgets.
func gadgetNames(t *testing.T, address string) (names []string) {
	t.Helper()
	with(t, address, gadgets.Schema, func(s *store.Store) {
		for _, rec := range all(t, s, gadgets.Schema) {
			names = append(names, rec.(*gadget).Name)
		}
	})
	return names
}

// untouched checks that a refused import leaves all as it was.
func untouched(t *testing.T, address string, refused func() error, texts ...string) {
	t.Helper()
	before := export(t, address)
	err := refused()
	if err == nil {
		t.Fatal("got no error")
	}
	for _, text := range texts {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("got %v, want an error with %q", err, text)
		}
	}
	wantSame(t, "the present database", export(t, address), before)
	equal(t, "left behind", rubbish(t, address), []string(nil))
}

// TestReplace keeps what it replaces, again and again.
func TestReplace(t *testing.T) {
	t.Parallel()
	eachPair(t, func(t *testing.T, from, to mustertest.Database) {
		origin, target := from.New(t), to.New(t)
		smallHistory(t, origin, "new")
		smallHistory(t, target, "old")
		replaced := mustReplace(t, target, export(t, origin))
		equal(t, "gadgets", gadgetNames(t, target), []string{"new"})
		for _, loaded := range replaced.Tables {
			if loaded.Table == gadgets.Path() {
				equal(t, "gadgets loaded", loaded.Rows, int64(1))
			}
		}
		kept := replaced.Kept
		if store.IsPostgres(target) {
			equal(t, "kept", kept, schemaOf(t, target)+"_before_"+stamp)
			t.Cleanup(func() { dropSchema(t, target, replaced.Kept) })
			kept = strings.ReplaceAll(target, schemaOf(t, target), kept)
		} else {
			equal(t, "kept", kept, target+".before-"+stamp)
		}
		equal(t, "gadgets that were kept", gadgetNames(t, kept), []string{"old"})
		_, err := load(ctx, target, export(t, origin), copy.Import{})
		if err == nil || !strings.Contains(err.Error(), "exists") {
			t.Errorf("under the same name again: got %v, want that it exists", err)
		}
		equal(t, "gadgets after it", gadgetNames(t, target), []string{"new"})
	})
}

// dropSchema removes what an import has kept.
func dropSchema(t *testing.T, address, schema string) {
	t.Helper()
	s := open(t, address)
	update(t, s, func(tx *store.Tx) error { return tx.Exec(ctx, "DROP SCHEMA "+schema+" CASCADE") })
}

// TestOlderCopy brings the database of an older version up to date after its
// copy was loaded.
func TestOlderCopy(t *testing.T) {
	t.Parallel()
	eachPair(t, func(t *testing.T, from, to mustertest.Database) {
		origin, target := from.New(t), to.New(t)
		with(t, origin, toolsV1.Schema, func(s *store.Store) {
			insert(t, s, toolsV1, &toolV1{Name: "Säge", Note: "Groß"}, &toolV1{Name: "Axt"})
		})
		mustReplace(t, target, export(t, origin))
		with(t, target, toolsV3.Schema, func(s *store.Store) {
			equal(t, "tools found", list(t, s, toolsV3.Schema, "note=GROSS&name=säge").Total, 1)
			insert(t, s, toolsV3, &toolV3{Name: "Bohrer", Bits: []bitV3{{Name: "b"}}})
		})
		mustReplace(t, to.New(t), export(t, target))
	})
}

// TestRefusedCopies leaves the present database as it was when a copy turns
// out to be of no use.
func TestRefusedCopies(t *testing.T) {
	t.Parallel()
	refused := errors.New("of no use")
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		origin, target := db.New(t), db.New(t)
		smallHistory(t, target, "old")
		fullHistory(t, origin)
		good := export(t, origin)
		untouched(t, target, func() error {
			_, err := load(ctx, target, good, copy.Import{Finish: func(ctx context.Context, tx *store.Tx) error {
				value, err := tx.Meta(ctx, "blob")
				equal(t, "what Check can read", value, []byte{0, 1, 255, 0})
				return errors.Join(err, refused)
			}})
			is(t, "a copy that Check refuses", err, refused)
			return err
		})
		with(t, origin, gadgets.Schema, func(s *store.Store) {
			update(t, s, func(tx *store.Tx) error {
				return tx.Exec(ctx, "INSERT INTO migrations (number) VALUES (99)")
			})
		})
		newer := export(t, origin)
		untouched(t, target, func() error {
			_, err := load(ctx, target, newer, copy.Import{})
			return err
		}, "written by a newer version of Muster", "step 99")
	})
}

// TestInterruptedImport leaves nothing behind, whenever it ends.
func TestInterruptedImport(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		origin, target := db.New(t), db.New(t)
		smallHistory(t, target, "old")
		with(t, origin, gadgets.Schema, func(s *store.Store) {
			many := make([]*gadget, archive.ProgressEvery+1)
			for i := range many {
				many[i] = &gadget{Name: "new"}
			}
			insert(t, s, gadgets, many...)
		})
		file := export(t, origin)
		for _, when := range []string{"test_gadgets", "proof of test_gadgets"} {
			ctx, cancel := context.WithCancel(ctx)
			defer cancel()
			untouched(t, target, func() error {
				_, err := load(ctx, target, file, copy.Import{Progress: func(table string, _, _ int64) {
					if table == when {
						cancel()
					}
				}})
				if ctx.Err() == nil {
					t.Errorf("nobody was told of %s", when)
				}
				return err
			})
		}
		ctx, cancel := context.WithCancel(ctx)
		_, err := (copy.Export{Progress: func(string, int64, int64) { cancel() }}).Run(ctx, origin, new(bytes.Buffer))
		if err == nil {
			t.Error("got no error of an export that was interrupted")
		}
	})
}

// table is a table of a made-up copy.
func table(name string, columns ...archive.Column) archive.Table {
	return archive.Table{Name: name, Columns: columns, Key: []string{columns[0].Name}}
}

// TestMadeUpCopies carries out nothing but statements that make tables.
func TestMadeUpCopies(t *testing.T) {
	t.Parallel()
	id := archive.Column{Name: "id", Type: archive.Int}
	const good = "CREATE TABLE things (id {id})"
	files, wants := map[string][]byte{}, map[string]string{}
	for _, c := range []struct {
		name, want string
		statements []string
		tables     []archive.Table
	}{
		{"another statement", "makes no table", []string{good, "DROP TABLE things"}, nil},
		{"two statements", "makes no table", []string{
			"CREATE TABLE things (id BIGINT PRIMARY KEY); DROP TABLE test_gadgets",
		}, nil},
		{"two tables", "makes no table", []string{
			"CREATE TABLE things (id BIGINT PRIMARY KEY); CREATE TABLE more (id BIGINT PRIMARY KEY)",
		}, nil},
		{"a query", "makes no table", []string{"CREATE TABLE things (id) AS SELECT number FROM migrations"}, nil},
		{"a function", "makes no table", []string{
			"CREATE TABLE things (id BIGINT PRIMARY KEY DEFAULT pg_backend_pid())",
		}, nil},
		{"a check", "makes no table", []string{"CREATE TABLE things (id BIGINT PRIMARY KEY CHECK (id > 0))"}, nil},
		{"a comment", "makes no table", []string{good + " -- more"}, nil},
		{"another schema", "makes no table", []string{"CREATE TABLE public.things (id BIGINT PRIMARY KEY)"}, nil},
		{"another table's owner", "makes no table", []string{good, "ALTER TABLE things OWNER TO postgres"}, nil},
		{"an index of a function", "makes no table", []string{good, "CREATE INDEX i ON things (abs(id))"}, nil},
		{"a trigger", "makes no table", []string{good, "CREATE TRIGGER t BEFORE DELETE ON things BEGIN SELECT 1; END"},
			nil},
		{"a table of PostgreSQL", "makes no table", []string{"CREATE TABLE pg_class (id BIGINT PRIMARY KEY)"}, nil},
		{"a table of SQLite", "makes no table", []string{"CREATE TABLE sqlite_sequence (id BIGINT PRIMARY KEY)"}, nil},
		{"no rows", "lacks the table things", []string{good}, nil},
		{"a table that nobody made", "no statement has made it", []string{good}, []archive.Table{
			table("test_gadgets", id),
		}},
		{"a table twice", "no statement has made it", []string{good}, []archive.Table{
			table("things", id), table("things", id),
		}},
		{"another column", "other columns", []string{good}, []archive.Table{
			table("things", archive.Column{Name: "id) VALUES (1) --", Type: archive.Int}),
		}},
		{"another type", "other columns", []string{good}, []archive.Table{
			table("things", archive.Column{Name: "id", Type: archive.Text}),
		}},
		{"a column more", "other columns", []string{good}, []archive.Table{table("things", id, id)}},
		{"another key", "other columns", []string{good}, []archive.Table{
			{Name: "things", Columns: []archive.Column{id}, Key: []string{"1; DROP TABLE test_gadgets"}},
		}},
		{"no tables of Muster", "migrations", []string{good}, []archive.Table{table("things", id)}},
	} {
		var out bytes.Buffer
		w, err := archive.NewWriter(&out, archive.Head{})
		for _, sql := range c.statements {
			err = errors.Join(err, w.Statement(sql))
		}
		for _, t := range c.tables {
			err = errors.Join(err, w.Table(t), w.EndTable(0))
		}
		if err = errors.Join(err, w.Close()); err != nil {
			t.Fatal(err)
		}
		files[c.name] = out.Bytes()
		wants[c.name] = c.want
	}
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		target := db.New(t)
		smallHistory(t, target, "old")
		untouched(t, target, func() (last error) {
			for name, file := range files {
				_, err := load(ctx, target, file, copy.Import{})
				if last = err; err == nil || !strings.Contains(err.Error(), wants[name]) {
					t.Errorf("%s: got %v, want an error with %q", name, err, wants[name])
				}
			}
			return last
		})
	})
}

// TestBrokenRows refuses rows that refer to none, and values that are there
// twice.
func TestBrokenRows(t *testing.T) {
	t.Parallel()
	id, name := archive.Column{Name: "id", Type: archive.Int}, archive.Column{Name: "name", Type: archive.Text}
	const more = "CREATE TABLE more (id BIGINT PRIMARY KEY, name {text})"
	for _, statements := range [][]string{
		{"CREATE TABLE more (id BIGINT PRIMARY KEY REFERENCES things (id), name {text})"},
		{more, "CREATE UNIQUE INDEX more_name ON more (name)"},
		{"CREATE TABLE more (id BIGINT PRIMARY KEY, name {text} UNIQUE)"},
	} {
		var out bytes.Buffer
		w, err := archive.NewWriter(&out, archive.Head{Rows: 3})
		for _, sql := range append([]string{
			"CREATE TABLE migrations (number BIGINT PRIMARY KEY)", "CREATE TABLE things (id {id}, name {text})",
		}, statements...) {
			err = errors.Join(err, w.Statement(sql))
		}
		end := w.EndTable
		err = errors.Join(err, w.Table(table("migrations", archive.Column{Name: "number", Type: archive.Int})), end(0),
			w.Table(table("things", id, name)), w.Row([]any{int64(1), "a"}), end(1),
			w.Table(table("more", id, name)), w.Row([]any{int64(1), "b"}), w.Row([]any{int64(2), "b"}), end(0),
			w.Close())
		if err != nil {
			t.Fatal(err)
		}
		mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
			target := db.New(t)
			smallHistory(t, target, "old")
			untouched(t, target, func() error {
				_, err := load(ctx, target, out.Bytes(), copy.Import{})
				return err
			}, "more")
		})
	}
}

// killed copies an SQLite database whose server was killed: with the changes
// that are not in its file yet.
func killed(t *testing.T, address string) string {
	t.Helper()
	s := open(t, address, allKinds()...)
	insert(t, s, gadgets, &gadget{Name: "late"})
	dir := t.TempDir()
	for _, suffix := range []string{"", "-wal", "-shm"} {
		data, err := os.ReadFile(address + suffix)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, "muster.db"+suffix), data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "muster.db")
}

// TestReplaceKilled keeps all that a killed server has acknowledged.
func TestReplaceKilled(t *testing.T) {
	t.Parallel()
	origin, crashed := mustertest.SQLite.New(t), mustertest.SQLite.New(t)
	smallHistory(t, origin, "new")
	smallHistory(t, crashed, "old")
	crashed = killed(t, crashed)
	if info, err := os.Stat(crashed + "-wal"); err != nil || info.Size() == 0 {
		t.Fatalf("there are no unfinished changes: %v, %v", info, err)
	}
	kept := mustReplace(t, crashed, export(t, origin)).Kept
	equal(t, "left behind", rubbish(t, crashed), []string{filepath.Base(kept)})
	equal(t, "gadgets", gadgetNames(t, crashed), []string{"new"})
	equal(t, "gadgets that were kept", gadgetNames(t, kept), []string{"old", "late"})
}

// TestReplaceDamaged replaces a file that is no database any more, and keeps
// what there is of it.
func TestReplaceDamaged(t *testing.T) {
	t.Parallel()
	origin, target := mustertest.SQLite.New(t), mustertest.SQLite.New(t)
	smallHistory(t, origin, "new")
	rest := strings.Repeat("damaged", 5000)
	for _, suffix := range []string{"", "-wal"} {
		if err := os.WriteFile(target+suffix, []byte(rest), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	kept := mustReplace(t, target, export(t, origin)).Kept
	if got, err := os.ReadFile(kept); string(got) != rest {
		t.Errorf("the kept file: got %.20q, %v, want %.20q", got, err, rest)
	}
	if _, err := os.Stat(target + "-wal"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the old changes would meet the new file: %v", err)
	}
	equal(t, "gadgets", gadgetNames(t, target), []string{"new"})
}

// TestReplaceUnfinished keeps the changes that cannot be moved into their
// file, under the name that belongs to it.
func TestReplaceUnfinished(t *testing.T) {
	t.Parallel()
	origin, crashed := mustertest.SQLite.New(t), mustertest.SQLite.New(t)
	smallHistory(t, origin, "new")
	smallHistory(t, crashed, "old")
	crashed = killed(t, crashed)
	// which SQLite cannot work with
	if err := errors.Join(os.Remove(crashed+"-shm"), os.Mkdir(crashed+"-shm", 0o700)); err != nil {
		t.Fatal(err)
	}
	kept := mustReplace(t, crashed, export(t, origin)).Kept
	equal(t, "left behind", rubbish(t, crashed), []string{filepath.Base(kept), filepath.Base(kept) + "-wal"})
	equal(t, "gadgets", gadgetNames(t, crashed), []string{"new"})
	equal(t, "gadgets that were kept", gadgetNames(t, kept), []string{"old", "late"})
}

// TestReplaceOpen replaces no file that another process reads: what it keeps
// would not be whole.
func TestReplaceOpen(t *testing.T) {
	t.Parallel()
	origin, target := mustertest.SQLite.New(t), mustertest.SQLite.New(t)
	smallHistory(t, origin, "new")
	smallHistory(t, target, "old")
	file := export(t, origin)
	s := open(t, target, allKinds()...)
	insert(t, s, gadgets, &gadget{Name: "a"})
	err := s.View(ctx, func(tx *store.Tx) error { // which holds a state of the file
		if _, err := tx.IDs(ctx, gadgets.Schema); err != nil {
			return err
		}
		if err := s.Update(ctx,
			func(tx *store.Tx) error { return tx.Insert(ctx, gadgets.Schema, &gadget{Name: "b"}, now) }); err != nil {
			return err
		}
		_, err := load(ctx, target, file, copy.Import{})
		return err
	})
	if err == nil || !strings.Contains(err.Error(), "another process has the database open") {
		t.Errorf("got %v, want that it is open", err)
	}
	equal(t, "left behind", rubbish(t, target), []string(nil))
	insert(t, s, gadgets, &gadget{Name: "c"})
	if diff := cmp.Diff([]string{"old", "a", "b", "c"}, gadgetNames(t, target)); diff != "" {
		t.Errorf("gadgets: got (+), want (-):\n%s", diff)
	}
}

// TestPostgresInUse replaces nothing while another process of Muster is
// connected, but does not take itself for one.
func TestPostgresInUse(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		target := db.New(t)
		if !store.IsPostgres(target) {
			return // one process writes an SQLite file
		}
		smallHistory(t, target, "old")
		file := export(t, target)
		other, err := store.Open(ctx, store.Config{Database: target})
		if err != nil {
			t.Fatal(err)
		}
		untouched(t, target, func() error {
			_, err := load(ctx, target, file, copy.Import{})
			return err
		}, "the database is in use by Muster: stop all its servers first")
		if err := other.Close(); err != nil {
			t.Fatal(err)
		}
		replaced := mustReplace(t, target+"&pool_min_conns=4&pool_min_idle_conns=4", file)
		dropSchema(t, target, replaced.Kept)
	})
}

// TestPostgresRole checks the error for a role that may create no schemas: it says what the role needs.
func TestPostgresRole(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		target := db.New(t)
		if !store.IsPostgres(target) {
			return
		}
		schema := schemaOf(t, target)
		s := open(t, target)
		update(t, s, func(tx *store.Tx) error {
			return errors.Join(tx.Exec(ctx, "CREATE ROLE "+schema+" LOGIN"),
				tx.Exec(ctx, "GRANT ALL ON SCHEMA "+schema+" TO "+schema))
		})
		t.Cleanup(func() {
			s := open(t, target)
			update(t, s, func(tx *store.Tx) error {
				return errors.Join(tx.Exec(ctx, "DROP OWNED BY "+schema), tx.Exec(ctx, "DROP ROLE "+schema))
			})
		})
		file := export(t, target)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		u, err := url.Parse(target)
		if err != nil {
			t.Fatal(err)
		}
		u.User = url.User(schema)
		untouched(t, target, func() error {
			_, err := load(ctx, u.String(), file, copy.Import{})
			return err
		}, "the role must be allowed to make schemas, which GRANT CREATE ON DATABASE does", "permission denied")
	})
}
