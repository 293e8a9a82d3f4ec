//go:build full

package main

import (
	"slices"
	"strings"
	"testing"
)

// TestMissedFirst makes sure that a run is reported with what it missed before anything else.
func TestMissedFirst(t *testing.T) {
	judged := func(name string, g goals, cpu float64) *comparison {
		return &comparison{Name: name, goals: g, Ours: []sample{{CPU: cpu}}, Theirs: []sample{{CPU: 1}}}
	}
	lists, records, none := goals{Aim: "lists", Within: 2}, goals{Aim: "records", Within: 3}, goals{}
	for _, test := range []struct {
		name  string
		all   []*comparison
		first string
	}{
		{"no goal", []*comparison{judged("a", none, 9)}, "Nothing that was measured has a goal.\n"},
		{"one met", []*comparison{judged("a", lists, 1)}, "The goal is met.\n"},
		{"both met", []*comparison{judged("a", lists, 2), judged("b", records, 3), judged("c", records, 1)},
			"All 2 goals are met.\n"},
		{"one of three missed", []*comparison{
			judged("a", lists, 2), judged("b", records, 3), judged("c", records, 6), judged("d", records, 4),
		}, "Missed: 1 of 2 goals.\n\n" +
			"goal of  goal   worst  where  met            as measured\n" +
			"records  <= 3x  6.00x  c      1 of 3 MISSED  \n"},
	} {
		r := &report{Comparisons: test.all}
		if got := r.text(); !strings.HasPrefix(got, test.first+"\n") {
			t.Errorf("%s: got\n%swant it to begin with\n%s", test.name, got, test.first)
		}
		if got, want := r.docParts()["missed"], strings.SplitAfter(test.first, "\n")[0]; !strings.HasPrefix(got, want) {
			t.Errorf("%s: got in the document\n%swant it to begin with\n%s", test.name, got, want)
		}
	}
}

// TestGoalsOfDatabases makes sure that on PostgreSQL the goals alone count that include its own CPU time, and nowhere
// else do they.
func TestGoalsOfDatabases(t *testing.T) {
	declared := goals{Aim: "lists", Within: 2, Flat: true, WithPostgres: 3}
	for _, test := range []struct {
		database       string
		declared, want goals
	}{
		{sqliteName, declared, goals{Aim: "lists", Within: 2, Flat: true}},
		{postgresName, declared, goals{Aim: "lists, on PostgreSQL", WithPostgres: 3}},
		{postgresName, goals{Aim: "lists", Within: 2}, goals{}},
	} {
		if got := test.declared.on(test.database); got != test.want {
			t.Errorf("%s, %+v: got %+v, want %+v", test.database, test.declared, got, test.want)
		}
	}
}

// TestPagesOnPostgres makes sure that each page has a goal there, at one size, and that those with another are pages.
func TestPagesOnPostgres(t *testing.T) {
	slow := 0
	for _, o := range pages(webSize) {
		want, isSlow := slowWithPostgres[strings.TrimPrefix(o.name, "page, ")]
		if isSlow {
			slow++
		} else {
			want = webWithPostgres
		}
		if got := o.goals.on(postgresName).WithPostgres; got != want {
			t.Errorf("%s: got at most %gx, want %gx", o.name, got, want)
		}
	}
	if slow != len(slowWithPostgres) {
		t.Errorf("got %d pages with another goal, want %d", slow, len(slowWithPostgres))
	}
}

// TestWhatHasGoals makes sure that changes, related records and the feed have goals, on both databases.
func TestWhatHasGoals(t *testing.T) {
	for _, n := range []int{1000, 10_000, 100_000, 1_000_000} {
		for _, o := range slices.Concat(reads(n), writes(n), rowWrites(n), rowReads(n)) {
			wanted := o.changes || strings.Contains(o.name, "of a computer") || strings.Contains(o.name, "program") ||
				strings.Contains(o.name, "feed") || strings.Contains(o.name, "audits")
			if wanted && (o.goals.Aim == "" || o.goals.Within == 0 || o.goals.WithPostgres == 0) {
				t.Errorf("%s with %d computers: got %+v, want goals on both databases", o.name, n, o.goals)
			}
		}
	}
}
