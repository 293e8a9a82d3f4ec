package store_test

import (
	"flag"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/store"
	"muster/internal/store/plan"
)

var updateGolden = flag.Bool("update", false, "write the golden files anew")

// TestWays compares the plan of every filter and every order of every kind, and its reason, with a table for
// each database.
func TestWays(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := open(t, db.New(t), inventory.All()...)
		if err := s.Warm(ctx); err != nil || !s.HasIndexes() {
			t.Fatalf("there are no indexes after the wait for them: %v", err)
		}
		var table strings.Builder
		for _, k := range inventory.All() {
			fmt.Fprintf(&table, "%s\n", k.Path())
			before := map[string]string{}
			for _, in := range situations {
				before[in.name] = waysOf(t, s, k, in)
				writeWays(&table, in.name, before[in.name])
			}
			s.Crowd(k, 10_001)
			for _, in := range situations {
				if after := waysOf(t, s, k, in); after != before[in.name] {
					writeWays(&table, in.name+", many values", after)
				}
			}
		}
		compareGolden(t, filepath.Join("testdata", "ways-"+strings.ToLower(db.Name)+".txt"), table.String())
	})
}

// A situation is a sort of queries, one for each filter or order of a kind.
type situation struct {
	name   string
	values []string   // of filters, the first one that they take; nil for orders
	more   string     // of the query
	ties   []kind.Tie // that the query has besides
}

var (
	wholes     = []string{"a", "1", "true", "2026-01-02"}
	aTie       = []kind.Tie{{Table: "pairs", Own: "id", Other: "other", ID: 1}}
	situations = []situation{
		{name: "filter", values: wholes},
		{name: "wildcard", values: []string{"a*"}},
		{name: "no value", values: []string{""}},
		{name: "order"},
		{name: "search, filter", values: wholes, more: "&q=word"},
		{name: "search, order", more: "&q=word"},
		{name: "tie, filter", values: wholes, ties: aTie},
		{name: "tie, order", ties: aTie},
	}
)

// waysOf returns, for each reason, a line with its filters or orders.
func waysOf(t *testing.T, s *store.Store, k *kind.Schema, in situation) (lines string) {
	t.Helper()
	var found [plan.Reasons][]string
	decide := func(name, text string) bool {
		q, err := k.ParseQuery(text+in.more, now)
		if err != nil {
			return false
		}
		q.Ties = in.ties
		why := s.Plan(k, q, 0)
		found[why] = append(found[why], name)
		return true
	}
	for _, f := range k.Fields {
		if in.values == nil && f.Sortable() && !decide(f.Name, "sort_by="+f.Name) {
			t.Errorf("%s: %s cannot be an order", k.Path(), f.Name)
		}
	}
	for _, f := range k.Filters {
		for _, value := range in.values {
			if decide(f.Param, f.Param+"="+url.QueryEscape(value)) {
				break
			}
		}
	}
	for why, names := range found {
		if len(names) > 0 {
			slices.Sort(names)
			why := plan.Reason(why)
			lines += fmt.Sprintf("%v: %v: %s\n", why.Way(), why, strings.Join(slices.Compact(names), " "))
		}
	}
	return lines
}

// writeWays adds the lines of a situation to the table.
func writeWays(table *strings.Builder, name, lines string) {
	for line := range strings.Lines(lines) {
		fmt.Fprintf(table, "  %-28s%s", name, line)
	}
}

// compareGolden fails unless a golden file has a text.
func compareGolden(t *testing.T, file, got string) {
	t.Helper()
	if *updateGolden {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	wantLines := strings.Split(string(want), "\n")
	for i, line := range strings.Split(got, "\n") {
		if i >= len(wantLines) || line != wantLines[i] {
			t.Fatalf("line %d of %s is %q, which is not so in the file; go test -update writes it anew", i+1,
				file, line)
		}
	}
	t.Fatalf("%s has further lines", file)
}
