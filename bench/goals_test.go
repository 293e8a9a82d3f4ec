//go:build full

package main

import (
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
