//go:build full

package main

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"muster/bench/result"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/store"
	"muster/internal/store/installs"
)

// smallGrowth lets databases of few computers be copies of a smaller one.
func smallGrowth(t *testing.T) {
	was := grownFrom
	t.Cleanup(func() { grownFrom = was })
	grownFrom = 100
}

// TestGrownDatabase makes sure that the copies are records as all others are:
// they are found by their ids, words and filters, and are linked to each other.
func TestGrownDatabase(t *testing.T) {
	smallGrowth(t)
	ctx := context.Background()
	data, remove, err := sqliteData(ctx, t.TempDir(), 300, true)
	if err != nil {
		t.Fatal(err)
	}
	defer remove()
	s, err := store.Open(ctx, store.Config{Database: data + "/muster.db", Kinds: inventory.All()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	checkGrown(t, s)
	if faults, err := s.Faults(ctx); err != nil || len(faults) > 0 {
		t.Errorf("got faults %q and error %v, want none", faults, err)
	}
}

// checkGrown makes sure that a store has 100 computers and two copies of them.
func checkGrown(t *testing.T, s *store.Store) {
	t.Helper()
	ctx := context.Background()
	err := s.View(ctx, func(tx *store.Tx) error {
		for _, test := range []struct {
			kind *kind.Schema
			want int64
		}{{inventory.Computers.Schema, 300}, {inventory.Tickets.Schema, 300}, {inventory.Softwares.Schema, 300}, {
			inventory.Risks.Schema, 30,
		},
			{inventory.Vendors.Schema, 6}, {inventory.Printers.Schema, 6}, {inventory.OtherAssets.Schema, 6},
			{inventory.Solutions.Schema, 6}, {inventory.Contracts.Schema, 4}} {
			if got, err := tx.Total(ctx, test.kind); err != nil || got != test.want {
				t.Errorf("%s: got %d and error %v, want %d", test.kind.Path(), got, err, test.want)
			}
		}
		found, _, err := tx.Find(ctx, inventory.Computers.Schema,
			&kind.Query{Page: 1, PerPage: 1, Search: &kind.Search{Text: "virtualisation"}})
		if err != nil || found == 0 || found%3 != 0 {
			t.Errorf("got %d computers with a word, error %v, want three times as many as were copied", found, err)
		}
		softwares, err := installs.Of(ctx, tx, []int64{1, 101, 201}, nil)
		if err != nil || len(softwares) == 0 || len(softwares)%3 != 0 {
			t.Errorf("got %d installations on a computer and its two copies, error %v, want as many on each",
				len(softwares), err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestSizes measures databases of several sizes, of which one is grown.
func TestSizes(t *testing.T) {
	smallGrowth(t)
	t.Setenv(postgresVariable, "")
	sizes, err := parseSizes("100, 300")
	if err != nil {
		t.Fatal(err)
	}
	s := &settings{
		rounds: 1, sizes: sizes, reports: 1, data: t.TempDir(), window: 10 * time.Millisecond,
		only: regexp.MustCompile("^sqlite [0-9]+ (list of 25, q, last page|list of 25, no filter, last page|risks of a computer|create|delete|start)$"),
	}
	r := &result.Run{Rounds: 1, Sizes: []int{100, 300}}
	if err := measure(context.Background(), s, r); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range r.Comparisons {
		got = append(got, c.Name)
		if c.Times() <= 0 {
			t.Errorf("%s: got %+v beside %+v, want figures", c.Name, c.Ours, c.Theirs)
		}
	}
	if want := "sqlite 300 list of 25, no filter, last page"; !slices.Contains(got, want) || len(got) != 12 {
		t.Errorf("got %q, want 12 of which one is %q", got, want)
	}
	if text := r.Text(); !strings.Contains(text, "100, 300 computers") ||
		strings.Count(text, "PostgreSQL was not") != 1 {
		t.Errorf("got\n%swant both sizes and one note", text)
	}
	growth := regexp.MustCompile(`(?m)^growth of pages with size +<= 1.5x +[0-9.]+x from 100 to 300 +sqlite list`)
	if text := r.Text(); !growth.MatchString(text) {
		t.Errorf("got\n%swant the growth of a list and its goal", text)
	}
	for _, text := range []string{"x", "1,,2", "0"} {
		if _, err := parseSizes(text); err == nil {
			t.Errorf("sizes %q: got no error, want one", text)
		}
	}
}
