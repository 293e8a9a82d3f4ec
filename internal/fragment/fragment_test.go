package fragment_test

import (
	"fmt"
	"sync"
	"testing"

	"muster/internal/fragment"
	"muster/internal/kind"
)

type lamp struct {
	kind.Record
	Color string
}

var lamps = kind.Define("lamp", "lamps", "Lamps", func(l *lamp, f *kind.Fields) {
	f.Record(&l.Record)
	f.Text("color", &l.Color)
	f.Stamps(&l.Record)
})

// kept returns what is kept of a lamp that has a text of so many bytes.
func kept(id int64, size int) *fragment.Kept {
	return &fragment.Kept{Fragment: &kind.Fragment{ID: id, Text: make([]byte, size)}}
}

// TestKeeps: what was put is there, by its form, and the last of it.
func TestKeeps(t *testing.T) {
	c := fragment.New(1 << 20)
	item, single := lamps.Listed(kind.XML), lamps.Single(kind.XML)
	first, second, other := kept(1, 10), kept(1, 20), kept(1, 30)
	c.Put(item, first)
	c.Put(single, other)
	c.Put(item, second)
	if got := c.Get(item, 1); got == nil || len(got.Text) != len(second.Text) {
		t.Errorf("got %v, want what was put last", got)
	}
	if got := c.Get(single, 1); got == nil || len(got.Text) != len(other.Text) {
		t.Errorf("another form: got %v, want its own", got)
	}
	if got := c.Get(lamps.Listed(kind.JSON), 1); got != nil {
		t.Errorf("a form of which nothing was put: got %v", got)
	}
	if s := c.Stats(); s.Fragments != 2 || s.Bytes < 50 || s.Bytes > 2000 {
		t.Errorf("got %+v, want 2 fragments", s)
	}
}

// TestBounds: the cache stays within its bytes, whatever is put, and keeps what is
// asked for again and again.
func TestBounds(t *testing.T) {
	const limit = 1 << 20
	c, form := fragment.New(limit), lamps.Listed(kind.XML)
	gone := 0
	for id := int64(100); id < 20_000; id++ {
		c.Put(form, kept(id, int(id%1000)))
		if c.Get(form, 7) == nil {
			gone++
			c.Put(form, kept(7, 500))
		}
		if c.Get(form, id) == nil {
			c.Put(form, kept(id, int(id%1000)))
		}
		if c.Get(form, id) == nil {
			t.Fatalf("%d is gone at once, though it was put twice", id)
		}
	}
	if gone > 5 {
		t.Errorf("what is asked for all the time was gone %d times", gone)
	}
	s := c.Stats()
	if s.Bytes > limit || s.Bytes < limit/2 {
		t.Errorf("got %d bytes, want nearly %d", s.Bytes, limit)
	}
	texts := 0
	for id := range int64(20_000) {
		if got := c.Get(form, id); got != nil {
			texts += cap(got.Text)
		}
	}
	if texts > limit {
		t.Errorf("the texts take %d bytes, want at most %d", texts, limit)
	}
	if c.Get(form, 100) != nil {
		t.Error("what was put first and never asked for again is still there")
	}
	c.Put(form, kept(3, limit/200))
	if c.Get(form, 3) != nil {
		t.Error("a huge fragment was kept")
	}
}

// TestWalk: who reads all records, each once, displaces nothing.
func TestWalk(t *testing.T) {
	c, form := fragment.New(1<<20), lamps.Listed(kind.XML)
	const first = 100
	for id := range int64(first) {
		c.Put(form, kept(id, 1000))
	}
	for range 2 {
		for id := int64(first); id < 20_000; id++ {
			c.Put(form, kept(id, 1000))
		}
	}
	for id := range int64(first) {
		if c.Get(form, id) == nil {
			t.Errorf("%d is gone", id)
		}
	}
}

// TestNothing: a cache of no bytes keeps nothing.
func TestNothing(t *testing.T) {
	c := fragment.New(0)
	c.Put(lamps.Listed(kind.XML), kept(1, 1))
	c.Count(1, 1)
	if got := c.Get(lamps.Listed(kind.XML), 1); got != nil || c.Stats() != (fragment.Stats{}) {
		t.Errorf("got %v and %+v, want nothing", got, c.Stats())
	}
}

// TestTogether: many may put and get at the same time.
func TestTogether(t *testing.T) {
	c, form := fragment.New(64<<10), lamps.Listed(kind.XML)
	var all sync.WaitGroup
	for w := range int64(4) {
		all.Go(func() {
			for i := range int64(5_000) {
				id := (i*7 + w) % 600
				if got := c.Get(form, id); got != nil && got.ID != id {
					t.Errorf("got %d, want %d", got.ID, id)
				}
				c.Put(form, kept(id, int(i%200)))
			}
		})
	}
	all.Wait()
}

// BenchmarkGet asks for what is there.
func BenchmarkGet(b *testing.B) {
	c, form := fragment.New(1<<20), lamps.Listed(kind.XML)
	for id := range int64(250) {
		c.Put(form, kept(id, 1000))
	}
	b.ReportAllocs()
	for b.Loop() {
		for id := range int64(250) {
			if c.Get(form, id) == nil {
				b.Fatal(fmt.Sprint(id, " is gone"))
			}
		}
	}
}
