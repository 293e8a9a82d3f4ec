package archive_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"muster/internal/archive"
)

// part returns a part of a file as the format has it.
func part(letter byte, payload string) string {
	return string(binary.AppendUvarint([]byte{letter}, uint64(len(payload)))) + payload
}

// file returns a made-up file of some parts.
func file(t testing.TB, parts ...string) []byte {
	t.Helper()
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return sealed(encoder.EncodeAll([]byte(strings.Join(parts, "")), nil))
}

// sealed returns a made-up file with its right seal.
func sealed(stream []byte) []byte {
	sum := sha256.Sum256(stream)
	return slices.Concat(stream, []byte{0x50, 0x2a, 0x4d, 0x18, 32, 0, 0, 0}, sum[:])
}

// Parts of made-up files.
var (
	head  = part('H', `{"Format":1,"Rows":0}`)
	end   = part('Z', "")
	begin = part('T', `{"Name":"t","Columns":[{"Name":"c","Type":"text"}],"Key":["c"]}`)
	empty = part('E', fmt.Sprintf(`{"Rows":0,"Sum":%q}`, "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="))
)

// TestMadeUp refuses files that no writer writes.
func TestMadeUp(t *testing.T) {
	if _, err := verify(file(t, head, begin, empty, end)); err != nil {
		t.Fatalf("an empty table: %v", err)
	}
	for _, c := range []struct {
		name, want string
		parts      []string
	}{
		{"no head", "does not begin as a backup", []string{end}},
		{"a head that is no JSON", "does not begin as a backup", []string{part('H', "{"), end}},
		{"a version that moves the cursor", "does not begin as a backup", []string{
			part('H', `{"Format":1,"Version":"\u001b[2J"}`), end,
		}},
		{"a database that moves the cursor", "does not begin as a backup", []string{
			part('H', `{"Format":1,"Database":"a\rb"}`), end,
		}},
		{"a file that moves the cursor", "has no name", []string{head, part('F', `{"Name":"\u001b[2J"}`), end}},
		{"a table that moves the cursor", "has no name", []string{head, part('T', `{"Name":"\u009b2J"}`), empty, end}},
		{"a newer format", "of the format 2, which this version of Muster does not know", []string{
			part('H', `{"Format":2}`), end,
		}},
		{"no end", "its end is missing", []string{head, begin, empty}},
		{"an end in a table", "it ends too early", []string{head, begin, end}},
		{"fewer rows than the head says", "it ends too early", []string{
			part('H', `{"Format":1,"Rows":1}`), begin, empty, end,
		}},
		{"something behind the end", "something behind its end", []string{head, end, end}},
		{"an unknown part", "unknown sort 'X'", []string{head, part('X', ""), end}},
		{"a second head", "unknown sort 'H'", []string{head, head, end}},
		{"a table in a table", "the table t has no end", []string{head, begin, begin, empty, end}},
		{"a table's end alone", "a table ends that did not begin", []string{head, empty, end}},
		{"a row alone", "a row belongs to no table", []string{head, part('R', "n"), end}},
		{"a statement after a table", "a file or statement comes after a table", []string{
			head, begin, empty, part('S', "CREATE TABLE t"), end,
		}},
		{"a statement in a table", "a file or statement comes after a table", []string{
			head, begin, part('S', "CREATE TABLE t"), empty, end,
		}},
		{"a file after a table", "a file or statement comes after a table", []string{
			head, begin, empty, part('F', "{}"), end,
		}},
		{"a row without values", "a row is too short", []string{head, begin, part('R', ""), empty, end}},
		{"a row with more values", "a row is too long", []string{head, begin, part('R', "nn"), empty, end}},
		{"an unknown value", "unknown type 'x'", []string{head, begin, part('R', "x"), empty, end}},
		{"a number without an end", "a number does not end", []string{head, begin, part('R', "i\xff"), empty, end}},
		{"a value longer than its row", "longer than its row", []string{
			head, begin, part('R', "t\x05abc"), empty, end,
		}},
		{"a value longer than can be", "longer than its row", []string{
			head, begin, part('R', "t\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01abc"), empty, end,
		}},
		{"a row more than the table's end says", "not those that were written", []string{
			head, begin, part('R', "n"), empty, end,
		}},
		{"a file that is no JSON", "invalid character", []string{head, part('F', "x"), end}},
		{"a part that claims to be endless", "too long for a backup", []string{
			head, begin, "R\xff\xff\xff\xff\xff\xff\xff\xff\x7f",
		}},
		{"a length that is none", "damaged", []string{
			head, begin, "R\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
		}},
	} {
		_, err := verify(file(t, c.parts...))
		if !errors.Is(err, archive.ErrDamaged) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want ErrDamaged with %q", c.name, err, c.want)
		}
	}
}

// A run is a text and how many zeros follow it.
type run struct {
	text  string
	zeros int
}

// bomb returns a small file that expands to runs. A window is a power of 2.
func bomb(window int, runs ...run) []byte {
	const most = 128 << 10 // in a block
	stream := []byte{0x28, 0xb5, 0x2f, 0xfd, 0, byte(window-10) << 3}
	block := func(sort, size int, data string) {
		head := size<<3 | sort<<1
		stream = append(append(stream, byte(head), byte(head>>8), byte(head>>16)), data...)
	}
	for _, r := range runs {
		block(0, len(r.text), r.text)
		for left := r.zeros; left > 0; left -= most {
			block(1, min(left, most), "\x00")
		}
	}
	block(0, 0, "")
	stream[len(stream)-3] |= 1 // the last block
	return sealed(stream)
}

// TestBombs refuses small files that expand to much, without taking much
// memory.
func TestBombs(t *testing.T) {
	const huge, allowed = 1 << 30, 250 << 20
	claim := func(letter byte, length uint64) string { return string(binary.AppendUvarint([]byte{letter}, length)) }
	statements := []run{{head, 0}}
	for range 100 {
		statements = append(statements, run{claim('S', 1<<20), 1 << 20})
	}
	if _, err := verify(bomb(23, run{head + end, 0})); err != nil {
		t.Fatalf("no bomb: %v", err)
	}
	for _, c := range []struct {
		name, want string
		file       []byte
	}{
		{"zeros alone", "does not begin as a backup", bomb(23, run{"", huge})},
		{"a long head", "does not begin as a backup", bomb(23, run{claim('H', 60<<20), huge})},
		{"zeros as parts", "unknown sort", bomb(23, run{head, huge})},
		{"a long row", "unknown type", bomb(23, run{head + begin + claim('R', 64<<20), huge})},
		{"a longer row", "too long for a backup", bomb(23, run{head + begin + claim('R', 64<<20+1), huge})},
		{"a row that is not there", "its end is missing", bomb(23, run{head + begin + claim('R', 64<<20), 0})},
		{"a long statement", "too long for a backup", bomb(23, run{head + claim('S', 1<<20+1), huge})},
		{"many statements", "too much before its first table", bomb(23, statements...)},
		{"a wide window", "does not begin as a backup", bomb(28, run{head + end, 0})},
	} {
		t.Run(c.name, func(t *testing.T) {
			if len(c.file) > 64<<10 {
				t.Fatalf("the file has %d bytes, want a small one", len(c.file))
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := verify(c.file)
			runtime.ReadMemStats(&after)
			if !errors.Is(err, archive.ErrDamaged) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want ErrDamaged with %q", err, c.want)
			}
			if got := after.TotalAlloc - before.TotalAlloc; got > allowed {
				t.Errorf("got %d MB of memory, want at most %d", got>>20, allowed>>20)
			}
		})
	}
}

// TestTooLong writes nothing that could not be read again.
func TestTooLong(t *testing.T) {
	const long = 1 << 20
	for name, write := range map[string]func(*archive.Writer) error{
		"a statement": func(w *archive.Writer) error { return w.Statement(strings.Repeat("x", long+1)) },
		"a file":      func(w *archive.Writer) error { return w.File(archive.File{Data: make([]byte, long)}) },
		"many statements": func(w *archive.Writer) (err error) {
			for range 17 {
				err = errors.Join(err, w.Statement(strings.Repeat("x", long)))
			}
			return err
		},
		"a row": func(w *archive.Writer) error {
			return errors.Join(w.Table(archive.Table{}), w.Row([]any{make([]byte, 64<<20)}))
		},
	} {
		w, err := archive.NewWriter(io.Discard, archive.Head{})
		if err != nil {
			t.Fatal(err)
		}
		if err := write(w); err == nil || !strings.Contains(err.Error(), "too long for a backup") {
			t.Errorf("%s: got %v, want that it is too long", name, err)
		}
		if err := w.Close(); err == nil {
			t.Errorf("%s: got a whole file, want an error", name)
		}
	}
}

// TestInterrupted stops verifying when nobody waits for it any more.
func TestInterrupted(t *testing.T) {
	b := backup{head: archive.Head{Rows: 5000}, tables: []table{{Table: small().tables[1].Table}}}
	for i := range b.head.Rows {
		b.tables[0].rows = append(b.tables[0].rows, []any{i})
	}
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	_, err := archive.Verify(ctx, bytes.NewReader(b.write(t)), func(table string, done, total int64) {
		if calls++; table != "none" || done != 1000 || total != 5000 {
			t.Errorf("progress: got %s, %d of %d, want none, 1000 of 5000", table, done, total)
		}
		cancel()
	})
	if !errors.Is(err, context.Canceled) || calls != 1 {
		t.Errorf("got %v after %d calls, want that it was cancelled after one", err, calls)
	}
}

// FuzzReader: any file is read or refused as damaged, in whole as item by item,
// and one that is read is written again as the same.
func FuzzReader(f *testing.F) {
	whole := small().write(f)
	f.Add(whole)
	f.Add(whole[:len(whole)-1])
	f.Add([]byte{})
	for _, parts := range [][]string{
		{head, end}, {head, begin, empty, end}, {head, begin, part('R', "t\x05abc")},
		{head, begin, "R\xff\xff\xff\xff\x7f"}, {part('H', `{"Format":2}`)},
	} {
		f.Add(file(f, parts...))
	}
	f.Fuzz(func(t *testing.T, given []byte) {
		if len(given) > 1<<16 {
			return // what is larger expands to too much to be read often
		}
		for _, tried := range [][]byte{given, file(t, string(given)), file(t, head, string(given))} {
			b, err := read(tried)
			if _, whole := verify(tried); (err == nil) != (whole == nil) {
				t.Fatalf("read: %v, but verify: %v", err, whole)
			}
			if err != nil && !errors.Is(err, archive.ErrDamaged) {
				t.Fatalf("got %v, want ErrDamaged", err)
			}
			if err == nil {
				again, err := read(b.write(t))
				if got, want := fmt.Sprint(again), fmt.Sprint(b); err != nil || got != want {
					t.Fatalf("written again: got %s, %v, want %s", got, err, want)
				}
			}
		}
	})
}
