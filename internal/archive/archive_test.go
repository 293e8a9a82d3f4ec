package archive_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"muster/internal/archive"
	_ "muster/internal/draws" // sets how many cases are drawn
)

// A backup is the content of a file.
type backup struct {
	head       archive.Head
	files      []archive.File
	statements []string
	tables     []table
}

type table struct {
	archive.Table
	rows   [][]any
	lastID int64
}

// write returns the file of a backup.
func (b backup) write(t testing.TB) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := archive.NewWriter(&out, b.head)
	for _, f := range b.files {
		err = errors.Join(err, w.File(f))
	}
	for _, sql := range b.statements {
		err = errors.Join(err, w.Statement(sql))
	}
	for _, table := range b.tables {
		err = errors.Join(err, w.Table(table.Table))
		for _, row := range table.rows {
			err = errors.Join(err, w.Row(row))
		}
		err = errors.Join(err, w.EndTable(table.lastID))
	}
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatalf("write: %v", err)
	}
	return out.Bytes()
}

// read returns the content of a file.
func read(file []byte) (b backup, err error) {
	r, err := archive.NewReader(bytes.NewReader(file))
	if err != nil {
		return b, err
	}
	defer r.Close()
	b.head = r.Head
	for {
		item, err := r.Next()
		if errors.Is(err, io.EOF) {
			return b, nil
		}
		if err != nil {
			return b, err
		}
		switch item := item.(type) {
		case archive.File:
			b.files = append(b.files, item)
		case archive.Statement:
			b.statements = append(b.statements, string(item))
		case archive.Table:
			b.tables = append(b.tables, table{Table: item})
		case archive.Row:
			last := &b.tables[len(b.tables)-1]
			last.rows = append(last.rows, slices.Clone(item))
		case archive.Extent:
			b.tables[len(b.tables)-1].lastID = item.LastID
		default:
			return b, fmt.Errorf("an item of type %T", item)
		}
	}
}

// verify checks a file whole.
func verify(file []byte) (archive.Contents, error) {
	return archive.Verify(context.Background(), bytes.NewReader(file), func(string, int64, int64) {})
}

// text draws texts of all lengths.
func text() *rapid.Generator[string] {
	long := rapid.Custom(func(t *rapid.T) string {
		return strings.Repeat(rapid.String().Draw(t, "part"), rapid.IntRange(1, 1000).Draw(t, "times"))
	})
	return rapid.OneOf(rapid.String(), long)
}

// name returns names, which are shown to people.
func name() *rapid.Generator[string] { return rapid.StringMatching("[a-zäß€0-9_./ :-]*") }

// value draws a value of a column, or null.
func value(t *rapid.T, column archive.Type) any {
	if rapid.IntRange(0, 4).Draw(t, "null") == 0 {
		return nil
	}
	switch column {
	case archive.Int:
		return rapid.OneOf(rapid.Int64(), rapid.SampledFrom([]int64{0, -1, math.MinInt64, math.MaxInt64})).Draw(t,
			"number")
	case archive.Text:
		return text().Draw(t, "text")
	}
	blob := append([]byte{}, rapid.SliceOf(rapid.Byte()).Draw(t, "blob")...)
	return append(blob, make([]byte, rapid.IntRange(0, 3).Draw(t, "NULs"))...)
}

// anyTable draws a table with rows.
func anyTable(t *rapid.T) (tab table) {
	tab.Name = name().Draw(t, "table")
	types := rapid.SliceOfN(rapid.SampledFrom([]archive.Type{archive.Int, archive.Text, archive.Blob}), 1, 12).Draw(t,
		"types")
	for i, column := range types {
		tab.Columns = append(tab.Columns, archive.Column{Name: fmt.Sprint("c", i), Type: column})
	}
	tab.Key = tab.Names()[:1]
	tab.lastID = rapid.Int64().Draw(t, "last id")
	for range rapid.IntRange(0, 8).Draw(t, "rows") {
		var row []any
		for _, column := range types {
			row = append(row, value(t, column))
		}
		tab.rows = append(tab.rows, row)
	}
	return tab
}

// anyBackup draws a backup.
func anyBackup(t *rapid.T) (b backup) {
	b.head = archive.Head{
		Version: name().Draw(t, "version"), Made: time.Unix(rapid.Int64Range(0, 1<<33).Draw(t, "made"), 0).UTC(),
	}
	for range rapid.IntRange(0, 3).Draw(t, "files") {
		b.files = append(b.files,
			archive.File{Name: name().Draw(t, "name"), Data: rapid.SliceOfN(rapid.Byte(), 1, 100).Draw(t, "data")})
	}
	b.statements = rapid.SliceOf(rapid.String()).Draw(t, "statements")
	for range rapid.IntRange(0, 12).Draw(t, "tables") {
		tab := anyTable(t)
		b.tables = append(b.tables, tab)
		b.head.Rows += int64(len(tab.rows))
	}
	return b
}

// TestRoundTrip reads what was written.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		want := anyBackup(rt)
		file := want.write(t)
		want.head.Format = 1
		got, err := read(file)
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(backup{}, table{}), cmpopts.EquateEmpty(),
			cmp.Comparer(bytes.Equal)); err != nil || diff != "" {
			rt.Fatalf("got error %v, and what was read (+) differs from what was written (-):\n%s", err, diff)
		}
		contents, err := verify(file)
		if diff := cmp.Diff(archive.Contents{Head: want.head, Files: want.files}, contents,
			cmpopts.EquateEmpty(), cmpopts.IgnoreFields(archive.Contents{}, "Bytes")); err != nil || diff != "" {
			rt.Fatalf("Verify: got error %v and (+)\n%s", err, diff)
		}
	})
}

// TestSum checks that the sums of tables that differ in anything differ.
func TestSum(t *testing.T) {
	sum := func(rows ...[]any) string {
		s := archive.NewSum()
		for _, row := range rows {
			s.Add(row)
		}
		extent := s.Extent(0)
		return fmt.Sprintf("%d %x", extent.Rows, extent.Sum)
	}
	seen := map[string]string{}
	for name, rows := range map[string][][]any{
		"nothing": nil, "a null": {{nil}}, "zero": {{int64(0)}}, "an empty text": {{""}},
		"an empty blob": {{[]byte{}}}, "one": {{int64(1)}},
		"a text": {{"ab"}}, "two texts": {{"a", "b"}}, "two rows": {{"a"}, {"b"}}, "other order": {{"b"}, {"a"}},
		"a blob":            {{[]byte("ab")}},
		"a text with a NUL": {{"ab\x00"}}, "a text and an empty one": {{"ab", ""}},
		"an empty text and one": {{"", "ab"}},
	} {
		if former := seen[sum(rows...)]; former != "" {
			t.Errorf("the sums of %s and of %s are equal", name, former)
		}
		seen[sum(rows...)] = name
	}
}

// small is a backup with some of everything.
func small() backup {
	return backup{
		head:  archive.Head{Version: "v1", Made: time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC), Rows: 3},
		files: []archive.File{{Name: "server.key", Data: []byte("secret")}},
		statements: []string{
			"CREATE TABLE things (id {id}, name {text}, parts {blob})", "CREATE TABLE none (id BIGINT PRIMARY KEY)",
		},
		tables: []table{
			{
				archive.Table{
					Name: "things", Columns: []archive.Column{
						{Name: "id", Type: archive.Int}, {Name: "name", Type: archive.Text},
						{Name: "parts", Type: archive.Blob},
					}, Key: []string{"id"},
				},
				[][]any{{int64(1), "a", []byte{0, 1}}, {int64(2), nil, nil}, {int64(-7), "", []byte{}}}, 9,
			},
			{archive.Table{Name: "none", Columns: []archive.Column{{Name: "id", Type: archive.Int}}, Key: []string{
				"id",
			}}, nil, 0},
		},
	}
}

// damaged checks that a file is refused as damaged.
func damaged(t *testing.T, what string, file []byte) {
	t.Helper()
	if _, err := verify(file); !errors.Is(err, archive.ErrDamaged) {
		t.Errorf("%s: got %v, want ErrDamaged", what, err)
	}
}

// TestDamage notices each changed byte, each missing end and anything more.
func TestDamage(t *testing.T) {
	file := small().write(t)
	if _, err := verify(file); err != nil {
		t.Fatalf("the file itself: %v", err)
	}
	for i := range file {
		for _, bits := range []byte{0x01, 0x10, 0x40, 0xff} {
			flipped := bytes.Clone(file)
			flipped[i] ^= bits
			damaged(t, fmt.Sprintf("bits %x of byte %d of %d flipped", bits, i, len(file)), flipped)
		}
		damaged(t, fmt.Sprintf("cut to %d of %d bytes", i, len(file)), file[:i])
	}
	skippable := append([]byte{0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0}, "any"...)
	for what, more := range map[string][]byte{
		"a NUL": {0}, "a letter": []byte("a"), "many NULs": make([]byte, 1<<17), "itself": file,
		"a part of itself":        file[:30],
		"a frame that is skipped": skippable, "its own last bytes": file[len(file)-40:],
	} {
		damaged(t, what+" behind the end", slices.Concat(file, more))
		damaged(t, what+" before the beginning", slices.Concat(more, file))
	}
}

// TestStrangers refuses what is no backup, in words for people.
func TestStrangers(t *testing.T) {
	for name, file := range map[string][]byte{
		"nothing": nil, "a text": []byte("hello, I am a text, and long enough to be looked at in earnest\n"),
		"an SQLite file": []byte("SQLite format 3\x00" + strings.Repeat("\x00", 100)),
	} {
		_, err := verify(file)
		if !errors.Is(err, archive.ErrDamaged) ||
			!strings.Contains(err.Error(), "does not begin as a backup of Muster does") {
			t.Errorf("%s: got %v, want that it is no backup", name, err)
		}
	}
}
