package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgconn"

	"muster/internal/archive"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/store"
	"muster/internal/store/copy"
)

// eachPair runs a test on every pair of databases.
func eachPair(t *testing.T, test func(t *testing.T, from, to mustertest.Database)) {
	for _, from := range mustertest.Databases() {
		for _, to := range mustertest.Databases() {
			t.Run(from.Name+" to "+to.Name, func(t *testing.T) { test(t, from, to) })
		}
	}
}

func silent(string, int64, int64) {}

// export returns a copy of a database.
func export(t testing.TB, address string) []byte {
	t.Helper()
	var out bytes.Buffer
	if _, err := (copy.Export{Progress: silent}).Run(ctx, address, &out); err != nil {
		t.Fatalf("export %s: %v", address, err)
	}
	return out.Bytes()
}

// stamp ends the names of what an import keeps.
const stamp = "20260131_093000"

// load replaces a database by a copy.
func load(ctx context.Context, address string, file []byte, m copy.Import) (copy.Replaced, error) {
	in, err := archive.NewReader(bytes.NewReader(file))
	if err != nil {
		return copy.Replaced{}, err
	}
	defer in.Close()
	m.Stamp = stamp
	if m.Progress == nil {
		m.Progress = silent
	}
	if m.Finish == nil {
		m.Finish = func(context.Context, *store.Tx) error { return nil }
	}
	return m.Run(ctx, address, in)
}

// mustReplace is load, which must succeed.
func mustReplace(t testing.TB, address string, file []byte) copy.Replaced {
	t.Helper()
	replaced, err := load(ctx, address, file, copy.Import{})
	if err != nil {
		t.Fatalf("replace %s: %v", address, err)
	}
	return replaced
}

// items returns the contents of a copy, as texts.
func items(t testing.TB, file []byte) (lines []string) {
	t.Helper()
	for _, item := range contentsOf(t, file) {
		lines = append(lines, fmt.Sprintf("%T %q", item, item))
	}
	return lines
}

// besidesIndexes is items without the indexes, of which the databases have
// their own, and without the notes of what made them.
func besidesIndexes(t testing.TB, file []byte) (lines []string) {
	t.Helper()
	table := ""
	for _, item := range contentsOf(t, file) {
		switch item := item.(type) {
		case archive.Statement:
			if strings.Contains(string(item), " INDEX ") {
				continue
			}
		case archive.Table:
			table = item.Name
		case archive.Row, archive.Extent:
			if table == "statements" {
				continue
			}
		}
		lines = append(lines, fmt.Sprintf("%T %q", item, item))
	}
	return lines
}

// contentsOf returns what a copy has.
func contentsOf(t testing.TB, file []byte) (all []any) {
	t.Helper()
	r, err := archive.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		item, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, item)
	}
}

// wantSame compares two copies item by item.
func wantSame(t testing.TB, what string, got, want []byte) {
	t.Helper()
	if diff := cmp.Diff(items(t, want), items(t, got)); diff != "" {
		t.Errorf("%s: got (+), want (-):\n%s", what, diff)
	}
}

// schemaOf returns the schema of a PostgreSQL address.
func schemaOf(t testing.TB, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u.Query().Get("search_path")
}

// structure returns a text for each column, index and constraint.
func structure(t testing.TB, s *store.Store, address string) (lines []string) {
	t.Helper()
	sql := "SELECT coalesce(sql, name) FROM sqlite_master"
	if s.Shared() {
		sql = `SELECT concat_ws(' ', table_name, ordinal_position, column_name, data_type, collation_name, is_nullable, column_default, is_identity, identity_generation)
			FROM information_schema.columns WHERE table_schema = current_schema()
			UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema()
			UNION ALL SELECT conrelid::regclass::text || ' ' || conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = current_schema()::regnamespace
			UNION ALL SELECT sequencename || data_type::text || start_value FROM pg_sequences WHERE schemaname = current_schema()`
	}
	view(t, s, func(tx *store.Tx) (err error) {
		lines, err = tx.Texts(ctx, sql)
		return err
	})
	for i, line := range lines {
		if s.Shared() {
			lines[i] = strings.ReplaceAll(line, schemaOf(t, address)+".", "")
		}
	}
	slices.Sort(lines)
	return lines
}

// rubbish returns what an import that failed has left behind.
func rubbish(t testing.TB, address string) (left []string) {
	t.Helper()
	if !store.IsPostgres(address) {
		entries, err := os.ReadDir(filepath.Dir(address))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if !slices.Contains([]string{"muster.db", "muster.db-wal", "muster.db-shm"}, e.Name()) {
				left = append(left, e.Name())
			}
		}
		return left
	}
	s := open(t, address)
	view(t, s, func(tx *store.Tx) (err error) {
		left, err = tx.Texts(ctx,
			"SELECT nspname::text FROM pg_namespace WHERE nspname LIKE current_schema() || '\\_%'")
		return err
	})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return left
}

// fullHistory fills a database with all sorts of values, by two versions.
func fullHistory(t *testing.T, address string) {
	t.Helper()
	with(t, address, toolsV2.Schema, func(s *store.Store) {
		u := addUser(t, s, "anna@example.com", "Änna", "Berg")
		insert(t, s, toolsV2, &toolV2{Name: "Säge", Owner: u.Person(), Bits: []bitV2{
			{"Neun", kind.Some[int64](9), kind.Some(true)}, {Name: "Ü"},
		}})
	})
	with(t, address, toolsV3.Schema, func(s *store.Store) {
		insert(t, s, toolsV3, &toolV3{
			Name: "Bohrer", Cases: []caseV3{{"c"}}, Bits: []bitV3{{Name: "neu", Colour: "rot"}},
		}, &toolV3{Name: "last"})
		remove(t, s, toolsV3, 3)
	})
	moveMeters(t, address)
	s, err := store.Open(ctx,
		store.Config{Database: address, Kinds: append(wholeKinds(), toolsV3.Schema, metersV2.Schema)})
	if err != nil {
		t.Fatal(err)
	}
	anna := kind.Person{ID: 1}
	full := fullGadget(anna, anna)
	full.Code = "Straße"
	maker, room, road, lane := add(t, s, makers, "Märker"), add(t, s, rooms, "Flur"), add(t, s, roads, "Weg"),
		add(t, s, lanes, "Gasse")
	full.Maker, full.Rooms, full.Places = ref(maker), []kind.Linked{link(rooms, room)},
		[]kind.Linked{link(roads, road), link(lanes, lane)}
	insert(t, s, gadgets, full, &gadget{Name: "null"},
		&gadget{Name: "least", Count: kind.Some[int64](math.MinInt64), Live: kind.Some(false),
			SeenAt: at("0001-01-01T00:00:01Z")},
		&gadget{Name: "most", Code: "z", Count: kind.Some[int64](math.MaxInt64), Note: strings.Repeat("lang — ",
			20000), Secret: "\t\r\n\u2028'\"\\;--", BoughtOn: at("9999-12-31T00:00:00Z")},
		&gadget{Name: "many", Cards: make([]card, 300), Lights: []light{{"", ""}, {"Straße", "\U0001F6A6"}}},
		&gadget{Name: "last"})
	update(t, s, func(tx *store.Tx) error {
		creation := store.Creation{UserID: 1, Path: "/hardwares", Key: "k", Body: []byte("body"), RecordID: 1}
		return errors.Join(tx.AddCreation(ctx, creation, now, start), tx.SetMeta(ctx, "blob", []byte{0, 1, 255, 0}),
			tx.SetMeta(ctx, "empty", []byte{}), tx.SetCounter(ctx, "users", -5),
			tx.Exec(ctx, "INSERT INTO credentials (user_id, digest, sign_in) VALUES (1, $1, NULL)", []byte("\x00\xff")))
	})
	remove(t, s, gadgets, 6)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestMove moves a database to every other and finds all of it there, as one
// that was made there.
func TestMove(t *testing.T) {
	t.Parallel()
	eachPair(t, func(t *testing.T, from, to mustertest.Database) {
		origin, target, control := from.New(t), to.New(t), to.New(t)
		fullHistory(t, origin)
		fullHistory(t, control)
		copied := export(t, origin)
		replaced := mustReplace(t, target, copied)
		equal(t, "kept", replaced.Kept, "")
		wantSame(t, "the copy of the copy", export(t, target), copied)
		equal(t, "a copy of what was made there", besidesIndexes(t, export(t, control)), besidesIndexes(t, copied))
		kinds := append(wholeKinds(), toolsV3.Schema, metersV2.Schema)
		s, made := open(t, target, kinds...), open(t, control, kinds...)
		equal(t, "tables and indexes", structure(t, s, target), structure(t, made, control))
		for _, k := range kinds {
			equal(t, k.Plural, all(t, s, k), all(t, made, k))
		}
		checkMoved(t, s)
	})
}

// failing writes nothing the first time, for a reason for which PostgreSQL's
// transactions are run again, as reading from a standby is now and then.
type failing struct {
	bytes.Buffer
	failed bool
}

func (f *failing) Write(piece []byte) (int, error) {
	if !f.failed {
		f.failed = true
		return 0, &pgconn.PgError{Code: "40001"}
	}
	return f.Buffer.Write(piece)
}

// TestExportOnce fails rather than to write one copy behind a part of another.
func TestExportOnce(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		address := db.New(t)
		fullHistory(t, address)
		if _, err := (copy.Export{Progress: silent}).Run(ctx, address, &failing{}); err == nil {
			t.Error("got no error of a copy whose writing failed")
		}
	})
}

// all returns all records of a kind.
func all(t testing.TB, s *store.Store, k *kind.Schema) (recs []any) {
	t.Helper()
	view(t, s, func(tx *store.Tx) error {
		ids, err := tx.IDs(ctx, k)
		for _, id := range ids {
			rec, err := tx.Get(ctx, k, id)
			if err != nil {
				return err
			}
			recs = append(recs, rec)
		}
		return err
	})
	return recs
}

// checkMoved works with the database of fullHistory.
func checkMoved(t *testing.T, s *store.Store) {
	t.Helper()
	for query, want := range map[string]int{
		"code=STRASSE": 1, "owner=änna+berg": 1, "card=fan": 1, "light=STRASSE": 1,
		"item_count=" + fmt.Sprint(math.MaxInt64): 2, "name=l*": 1, "live=false": 1, "code=": 3,
		"maker=MÄRKER": 1, "price=922337203685477.5807": 1,
	} {
		equal(t, "gadgets with "+query, list(t, s, gadgets.Schema, query).Total, want)
	}
	equal(t, "tools with bit=neu*", list(t, s, toolsV3.Schema, "bit=neu*").Total, 2)
	for what, g := range map[string]*gadget{"a code that is taken": {Name: "x", Code: "strasse"},
		"an owner that is not there": {Name: "x", Owner: kind.Person{ID: 99}},
		"a room that is not there": {
			Name: "x", Rooms: []kind.Linked{link(rooms, &thing{Record: kind.Record{ID: 99}})},
		}} {
		if err := s.Update(ctx,
			func(tx *store.Tx) error { return tx.Insert(ctx, gadgets.Schema, g, now) }); err == nil {
			t.Errorf("%s: got no error", what)
		}
	}
	next, tool := &gadget{Name: "next", Lights: []light{{"x", "y"}}}, &toolV3{Name: "next"}
	insert(t, s, gadgets, next)
	insert(t, s, toolsV3, tool)
	if next.ID < 7 || tool.ID != 4 { // on PostgreSQL a refused record takes its id along
		t.Errorf("ids of new records: got %d and %d, want those after the last that were ever given, 6 and 3",
			next.ID, tool.ID)
	}
}
