package index_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"muster/internal/index"
	"muster/internal/kind"
)

// lampsOfMany is how many lamps there are where the index treats many in another way than few.
const lampsOfMany = 36_000

// fillHouse returns a house with very many lamps.
func fillHouse(make func(id int64) *lamp) *house {
	h := newHouse()
	for id := int64(1); id <= lampsOfMany; id++ {
		l := make(id)
		l.Record = record(id)
		h.all[id] = l
		h.x.Set(1, row(h.x, l))
	}
	return h
}

// TestManyCounted counts the values of very many lamps again and again, while some of them change, come and go.
func TestManyCounted(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 4))
	draw := func(id int64) *lamp {
		l := &lamp{Record: record(id), Room: fmt.Sprint("room ", r.IntN(9)), Watts: kind.Int{Valid: true, V: r.Int64N(40)}}
		if r.IntN(3) > 0 {
			l.On = kind.Bool{Valid: true, V: r.IntN(2) > 0}
		}
		return l
	}
	h := fillHouse(draw)
	for round := range 6 {
		for _, text := range []string{"on=true", "room=room+3&room=room+4", ""} {
			q, err := lamps.ParseQuery(text, epoch)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"room", "watts", "on"} {
				f := lamps.Field(name)
				if got, ok := h.x.Counts(q, f, lampsOfMany); !ok || !slices.Equal(got, h.counts(q, f)) {
					t.Fatalf("round %d, %q by %s: got %v, %v, want %v", round, text, name, got, ok, h.counts(q, f))
				}
			}
		}
		if round == 2 { // a number that changes the codes of all others
			h.all[5] = draw(5)
			h.all[5].Watts.V = -1
			h.x.Set(1, row(h.x, h.all[5]))
			continue
		}
		for range 1 + r.IntN(3) {
			id := r.Int64N(lampsOfMany+100) + 1
			if r.IntN(3) == 0 {
				delete(h.all, id)
				h.x.Remove(1, id)
				continue
			}
			h.all[id] = draw(id)
			h.x.Set(1, row(h.x, h.all[id]))
		}
	}
}

// TestManyByTime: pages of very many lamps by a time are those that sorting all of them gives, however the times are
// spread.
func TestManyByTime(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 4))
	for name, seconds := range map[string]func(id int64) int64{
		"rising":            func(id int64) int64 { return id },
		"falling":           func(id int64) int64 { return lampsOfMany - id },
		"at random":         func(int64) int64 { return r.Int64N(1 << 30) },
		"some the same":     func(int64) int64 { return r.Int64N(300) },
		"nearly all":        func(id int64) int64 { return max(1, id-lampsOfMany+9) },
		"most without one":  func(id int64) int64 { return max(0, r.Int64N(100)-60) },
		"a late part early": func(id int64) int64 { return (id + 9_000) % lampsOfMany },
	} {
		h := fillHouse(func(id int64) *lamp {
			l := &lamp{}
			if s := seconds(id); s > 0 {
				l.Bought = epoch.Add(time.Duration(s) * time.Second)
			}
			return l
		})
		for _, order := range []string{"ASC", "DESC"} {
			q, err := lamps.ParseQuery("sort_by=bought&sort_order="+order, epoch)
			if err != nil {
				t.Fatal(err)
			}
			q.Page, q.PerPage = 1, lampsOfMany
			_, want := h.find(q)
			q.PerPage = 50
			last := (lampsOfMany-1)/50 + 1
			for _, page := range []int{1, 2, 20, last / 2, last/2 + 1, last - 1, last, r.IntN(last) + 1} {
				q.Page = page
				total, hits, ok := h.x.Find(q)
				if got := idsOf(hits); !ok || total != lampsOfMany || !slices.Equal(got, want[(page-1)*50:][:len(got)]) ||
					len(got) == 0 {
					t.Errorf("%s, %s, page %d: got %v, %v, want %v", name, order, page, got, ok, want[(page-1)*50:][:50])
				}
			}
		}
	}
}

// TestManyAmong: pages of some of very many lamps are those that sorting these gives.
func TestManyAmong(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 4))
	h := fillHouse(func(id int64) *lamp {
		return &lamp{Color: fmt.Sprint("color ", id*7919%lampsOfMany), Room: fmt.Sprint("room ", id*7919%30),
			Watts: kind.Int{Valid: true, V: r.Int64N(400)}}
	})
	for _, few := range []int64{1, 2, 500} { // one of so many
		among := &house{all: map[int64]*lamp{}, makers: h.makers}
		var ids []int64
		for id := int64(1); id <= lampsOfMany; id++ {
			if r.Int64N(few) == 0 {
				among.all[id] = h.all[id]
				ids = append(ids, id)
			}
		}
		for _, sort := range []string{"color", "room", "watts"} {
			for _, order := range []string{"ASC", "DESC"} {
				q, err := lamps.ParseQuery("sort_by="+sort+"&sort_order="+order, epoch)
				if err != nil {
					t.Fatal(err)
				}
				q.Page, q.PerPage = 1, lampsOfMany
				total, want := among.find(q)
				q.PerPage = 50
				for _, page := range []int{1, 2, (total-1)/50 + 1} {
					q.Page = page
					got, hits, ok := h.x.FindAmong(q, ids)
					if !ok || got != total || !slices.Equal(idsOf(hits), want[(page-1)*50:min(page*50, total)]) {
						t.Errorf("one of %d by %s, %s, page %d: got %d %v, %v, want %d", few, sort, order, page, got,
							idsOf(hits), ok, total)
					}
				}
			}
		}
	}
}

// TestManyByID: conditions on the id find the lamps in their ranges, also around gaps.
func TestManyByID(t *testing.T) {
	h := fillHouse(func(int64) *lamp { return &lamp{} })
	h.x.Remove(1, 100, 101)
	for _, id := range []int64{lampsOfMany + 5, lampsOfMany + 500_000} {
		h.x.Set(1, row(h.x, &lamp{Record: record(id)}))
	}
	for _, test := range []struct{ least, greatest, want int64 }{
		{5, 5, 1}, {1, 64, 64}, {60, 200, 139}, {100, 101, 0}, {index.Null, 3, 3}, {-7, -1, 0}, {0, 1 << 60, lampsOfMany},
		{lampsOfMany, lampsOfMany + 4, 1}, {lampsOfMany + 1, lampsOfMany + 400_000, 1}, {lampsOfMany + 6, 1 << 60, 1},
	} {
		q := &kind.Query{Page: 1, PerPage: 1, Conds: []kind.Cond{{
			Field: lamps.Field("id"), Any: []kind.Test{{Range: true, Min: test.least, Max: test.greatest}},
		}}}
		if total, _, ok := h.x.Find(q); !ok || int64(total) != test.want {
			t.Errorf("from %d to %d: got %d, %v, want %d", test.least, test.greatest, total, ok, test.want)
		}
	}
}
