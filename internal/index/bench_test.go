package index_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"muster/internal/index"
	"muster/internal/inventory"
	"muster/internal/kind"
)

// many is how many lamps the benchmarks ask.
const many = 1_000_000

// manyLamps returns an index of many lamps.
func manyLamps() *index.Index {
	x := index.New(lamps.Schema, strings.ToLower)
	x.Reserve(many, many)
	for id := int64(1); id <= many; id++ {
		l := &lamp{Record: record(id), Color: fmt.Sprint(id * 7 % 11), Room: fmt.Sprint(id * 31 % 3001),
			On: kind.Some(id%3 == 0)}
		l.UpdatedAt = epoch.Add(time.Duration(id*7919%many) * time.Second)
		x.Set(1, row(x, l))
	}
	return x
}

// BenchmarkFind runs new queries on a million lamps. Beside the time of a query it reports the ratio to a plain
// pass over a million numbers, which is measured right after it, since the machine may be busy.
func BenchmarkFind(b *testing.B) {
	x := manyLamps()
	numbers := make([]uint32, many)
	for _, c := range []struct{ name, query string }{
		{"kept, last page", "color=3&per_page=250&page=363"},
		{"new, one text", "room=%d&per_page=250"},
		{"new, three filters", "color=3&on=true&room=%d&per_page=250"},
		{"new, wildcard", "room=*%d&per_page=250"},
		{"new, time", "updated_since=2026-01-01T00:00:00Z&watts=&unused=%d&per_page=250"},
		{"new, time alone", "updated_since=2026-01-05T00:%02d:00Z&per_page=250"},
		{"sorted by text", "sort_by=room&per_page=250&page=2000"},
		{"sorted by time", "sort_by=updated_at&sort_order=DESC&per_page=250&page=2000"},
	} {
		b.Run(c.name, func(b *testing.B) {
			n := 0
			var found, plain time.Duration
			for b.Loop() {
				text := c.query
				if strings.Contains(text, "%") {
					text = fmt.Sprintf(text, n%60)
				}
				n++
				from := time.Now()
				ask(b, x, text)
				middle := time.Now()
				pass(numbers)
				found, plain = found+middle.Sub(from), plain+time.Since(middle)
				forget(b, x)
			}
			b.ReportMetric(float64(found.Microseconds())/float64(b.N), "µs/question")
			b.ReportMetric(float64(found)/float64(plain), "passes")
		})
	}
}

// forget makes the index forget the views that it keeps, but the one that is asked for all the time.
func forget(b *testing.B, x *index.Index) {
	for n := range 60 {
		if _, _, ok := ask(b, x, fmt.Sprintf("watts=%d", n)); !ok {
			b.Fatal("the index cannot tell")
		}
	}
}

// pass looks at each number.
//
//go:noinline
func pass(numbers []uint32) (n int) {
	for _, number := range numbers {
		if number-5 <= 10 {
			n++
		}
	}
	return n
}

// BenchmarkCounts counts a million lamps by a text.
func BenchmarkCounts(b *testing.B) {
	x := manyLamps()
	q, err := lamps.ParseQuery("color=3&per_page=50", epoch)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if counts, ok := x.Counts(q, lamps.Field("room"), 50); !ok || len(counts) != 50 {
			b.Fatal("the index cannot count")
		}
	}
}

// BenchmarkSize reports the bytes per record of each kind. Its texts have few values, and its numbers are
// typical.
func BenchmarkSize(b *testing.B) {
	const records = 100_000
	for _, k := range inventory.All() {
		b.Run(k.Path(), func(b *testing.B) {
			for b.Loop() {
				x := index.New(k, strings.ToLower)
				x.Reserve(records, records)
				for id := int64(1); id <= records; id++ {
					x.Set(1, anyRow(x, id))
				}
				b.ReportMetric(float64(x.Bytes())/records, "bytes/record")
			}
		})
	}
}

// anyRow returns a row with something in each field.
func anyRow(x *index.Index, id int64) index.Row {
	r := index.Row{ID: id, Version: 1 + id%9}
	for i, f := range x.Texts() {
		value := id * 7919 % (7 + int64(i)*50)
		if f.Rare {
			value = id
		}
		r.Texts = append(r.Texts, fmt.Append(nil, f.Name, value))
	}
	for _, f := range x.Numbers() {
		n := id
		switch f.Type {
		case kind.Boolean:
			n = id % 2
		case kind.PersonRef, kind.RecordRef:
			n = id % 1000
		case kind.Time, kind.Date:
			n = epoch.Unix() + id
		}
		r.Numbers = append(r.Numbers, n)
	}
	return r
}

// BenchmarkByName asks for pages of a million lamps by a text that is another for each: the first, for which the names
// are divided, and others.
func BenchmarkByName(b *testing.B) {
	x := index.New(lamps.Schema, strings.ToLower)
	x.Reserve(many, many)
	for id := int64(1); id <= many; id++ {
		x.Set(1, row(x, &lamp{Record: record(id), Color: fmt.Sprint("color-", id*7919%many), On: kind.Some(id%3 == 0)}))
	}
	begun := time.Now()
	ask(b, x, "sort_by=color&per_page=250")
	divided := time.Since(begun)
	for _, query := range []string{"per_page=250&page=2000", "on=true&per_page=250&page=600", "on=true&per_page=250"} {
		b.Run(query, func(b *testing.B) {
			for b.Loop() {
				ask(b, x, "sort_by=color&"+query)
			}
			b.ReportMetric(float64(divided.Microseconds()), "µs/first")
		})
	}
}
