package index_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"muster/internal/index"
)

// everyLamp returns one of many queries for the lamps of a color.
func everyLamp(color, n int) string {
	return fmt.Sprintf("color=%d&updated_since=2025-01-01T00:00:%02dZ&per_page=500", color, n)
}

// TestTogether changes lamps while views of them are made: afterwards each view is that of the lamps as they are.
func TestTogether(t *testing.T) {
	const last = 50_000
	x, now := index.New(lamps.Schema, strings.ToLower), map[int64]*lamp{}
	r := rand.New(rand.NewPCG(6, 2))
	set := func(id int64) {
		now[id] = &lamp{Record: record(id), Color: fmt.Sprint(r.IntN(3))}
		x.Set(1, row(x, now[id]))
	}
	for id := range int64(last) {
		set(id)
	}
	var readers sync.WaitGroup
	done := make(chan struct{})
	for reader := range 3 {
		readers.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-done:
					return
				default:
					ask(t, x, everyLamp(reader, n%60))
				}
			}
		})
	}
	for range 2_000 {
		if id := r.Int64N(last); id%10 == 0 {
			delete(now, id)
			x.Remove(1, id)
		} else {
			set(id)
		}
	}
	close(done)
	readers.Wait()
	fresh := index.New(lamps.Schema, strings.ToLower)
	for id := range int64(last) {
		if now[id] != nil {
			fresh.Set(1, row(fresh, now[id]))
		}
	}
	for n := range 180 {
		query := everyLamp(n/60, n%60)
		total, ids, _ := ask(t, x, query)
		if wantTotal, want, ok := ask(t, fresh, query); !ok || total != wantTotal || !slices.Equal(ids, want) {
			t.Errorf("%s: got %d %v, want %d %v", query, total, ids, wantTotal, want)
		}
	}
}

// TestPanic: whoever panics while a view is made leaves an index that others can change.
func TestPanic(t *testing.T) {
	x := index.New(lamps.Schema, func(text string) string {
		if text == "mistake" {
			panic(text)
		}
		return text
	})
	func() {
		defer func() {
			if recover() == nil {
				t.Error("got no panic, so nothing is tested")
			}
		}()
		ask(t, x, "color=mistake")
	}()
	set := make(chan struct{})
	go func() {
		x.Set(1, row(x, &lamp{Record: record(1), Color: "red"}))
		close(set)
	}()
	select {
	case <-set:
	case <-time.After(time.Minute):
		t.Fatal("nobody can change the index any more")
	}
	if total, _, ok := ask(t, x, "color=red"); !ok || total != 1 {
		t.Errorf("got %d, %v, want 1", total, ok)
	}
}
