package witness

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"muster/internal/store"
)

// aKey returns the key of an installation.
func aKey(t *testing.T, n byte) File {
	t.Helper()
	key, err := NewKey(bytes.Repeat([]byte{n}, 32))
	if err != nil {
		t.Fatal(err)
	}
	return File{Key: key}
}

// aMark returns what is seen of a trail of so many records.
func aMark(n int64) Mark {
	at := time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC).Add(time.Duration(n) * time.Second)
	return Mark{store.Mark{Head: store.Head{Count: n, Hash: sha256.Sum256([]byte(fmt.Sprint(n)))}, ID: n + 7}, at}
}

// TestStatement reads what was written, and believes nothing else: no byte of it
// may change, and no other key may sign it.
func TestStatement(t *testing.T) {
	key, other := aKey(t, 1).Key, aKey(t, 2).Key
	for _, s := range []*Statement{
		{Database: "muster.db", Marks: []Mark{aMark(0)}},
		{Database: "postgres://db.example.com/a \"b\"\nseen", Note: "line\nsignature x", Marks: []Mark{
			aMark(1), aMark(5),
		}},
	} {
		data := s.encode(key)
		got, err := parse(data, key)
		if diff := cmp.Diff(s, got); diff != "" || err != nil {
			t.Errorf("got %v and (+), want (-):\n%s", err, diff)
		}
		if _, err := parse(data, other); !errors.Is(err, errForeign) {
			t.Errorf("with another key: got %v, want %v", err, errForeign)
		}
		for i := range data {
			for _, changed := range [][]byte{flipped(data, i), data[:i]} {
				if got, err := parse(changed, key); err == nil {
					t.Fatalf("byte %d of %q: got %+v, want an error", i, changed, got)
				}
			}
		}
		if got, err := parse(append(bytes.Clone(data), ' '), key); err == nil {
			t.Errorf("with one byte more: got %+v, want an error", got)
		}
	}
	empty := (&Statement{}).encode(key)
	if got, err := parse(empty, key); err == nil {
		t.Errorf("without marks: got %+v, want an error", got)
	}
}

// flipped returns data with a bit of one byte changed.
func flipped(data []byte, at int) []byte {
	data = bytes.Clone(data)
	data[at] ^= 1
	return data
}

// TestKeyPinned holds the key to what it is derived as: files of before must be
// believed for ever.
func TestKeyPinned(t *testing.T) {
	const want = "e8b35e1820fa607ed000c98451f2f6fdcf84ce8b69adc8d26a081b4d1637c0a7"
	if got := fmt.Sprintf("%x", aKey(t, 1).Key.Public()); got != want {
		t.Errorf("got the public key %s, want %s", got, want)
	}
}

// TestSee keeps few marks of many, the first and the newest among them, and of
// the others at least one in each doubling of their age.
func TestSee(t *testing.T) {
	const most = 20_000
	for _, step := range []int64{1, 3, 1000} {
		s := &Statement{Marks: []Mark{aMark(2)}}
		last := int64(2)
		for n := int64(5); n < most; n += step {
			s.see(aMark(n))
			last = n
		}
		if n := len(s.Marks); n > 20 || s.Marks[0] != aMark(2) || s.newest() != aMark(last) {
			t.Errorf("every %d: got %d marks from %+v to %+v", step, n, s.Marks[0], s.newest())
		}
		for i := 2; i < len(s.Marks)-1; i++ {
			older, newer := last-s.Marks[i-1].Count, last-s.Marks[i].Count
			if older > 4*max(newer, step) {
				t.Errorf("every %d: got marks %d and %d records old, and none between", step, older, newer)
			}
		}
	}
}
