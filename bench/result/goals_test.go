//go:build full

package result

import (
	"strings"
	"testing"
)

// TestMissedFirst makes sure that a run is reported with what it missed before anything else.
func TestMissedFirst(t *testing.T) {
	judged := func(name string, g Goals, cpu float64) *Comparison {
		return &Comparison{Name: name, Goals: g, Ours: []Sample{{CPU: cpu}}, Theirs: []Sample{{CPU: 1}}}
	}
	lists, records, none := Goals{Aim: "lists", Within: 2}, Goals{Aim: "records", Within: 3}, Goals{}
	for _, test := range []struct {
		name  string
		all   []*Comparison
		first string
	}{
		{"no goal", []*Comparison{judged("a", none, 9)}, "Nothing that was measured has a goal.\n"},
		{"one met", []*Comparison{judged("a", lists, 1)}, "The goal is met.\n"},
		{"both met", []*Comparison{judged("a", lists, 2), judged("b", records, 3), judged("c", records, 1)},
			"All 2 goals are met.\n"},
		{"one of three missed", []*Comparison{
			judged("a", lists, 2), judged("b", records, 3), judged("c", records, 6), judged("d", records, 4),
		}, "Missed: 1 of 2 goals.\n\n" +
			"goal of  goal   worst  where  met            as measured\n" +
			"records  <= 3x  6.00x  c      1 of 3 MISSED  \n"},
	} {
		r := &Run{Comparisons: test.all}
		if got := r.Text(); !strings.HasPrefix(got, test.first+"\n") {
			t.Errorf("%s: got\n%swant it to begin with\n%s", test.name, got, test.first)
		}
		if got, want := r.docParts(Layout{})["missed"], strings.SplitAfter(test.first, "\n")[0]; !strings.HasPrefix(got, want) {
			t.Errorf("%s: got in the document\n%swant it to begin with\n%s", test.name, got, want)
		}
	}
}

// TestGoalsOfDatabases makes sure that on PostgreSQL the goals alone count that include its own CPU time, and nowhere
// else do they.
func TestGoalsOfDatabases(t *testing.T) {
	declared := Goals{Aim: "lists", Within: 2, Flat: true, WithPostgres: 3}
	for _, test := range []struct {
		database       string
		declared, want Goals
	}{
		{SQLite, declared, Goals{Aim: "lists", Within: 2, Flat: true}},
		{Postgres, declared, Goals{Aim: "lists, on PostgreSQL", WithPostgres: 3}},
		{Postgres, Goals{Aim: "lists", Within: 2}, Goals{}},
	} {
		if got := test.declared.On(test.database); got != test.want {
			t.Errorf("%s, %+v: got %+v, want %+v", test.database, test.declared, got, test.want)
		}
	}
}

func TestGoals(t *testing.T) {
	for _, test := range []struct {
		Goals
		inWords string
	}{
		{Goals{Within: 2.5}, "<= 2.5x ok"},
		{Goals{Within: 1.9}, "<= 1.9x MISSED"},
		{Goals{MaxCPU: 200}, "<= 200 µs ok"},
		{Goals{MaxCPU: 199}, "<= 199 µs MISSED"},
		{Goals{MaxExtra: 100}, "<= 100 µs more ok"},
		{Goals{MaxExtra: 99}, "<= 99 µs more MISSED"},
		{Goals{MaxTime: 5, MaxResident: 59}, "<= 5 ms ok, <= 59 MB in memory MISSED"},
		{Goals{MaxSlower: 3}, "<= 3x p99 ok"},
		{Goals{MaxSlower: 2.9}, "<= 2.9x p99 MISSED"},
		{Goals{WithPostgres: 2.5}, "<= 2.5x with PostgreSQL's CPU ok"},
		{Goals{WithPostgres: 2.4}, "<= 2.4x with PostgreSQL's CPU MISSED"},
		{Goals{MaxSize: 2}, "<= 2 MB ok"},
		{Goals{MaxSize: 1.5}, "<= 1.5 MB MISSED"},
		{Goals{}, ""},
	} {
		c := &Comparison{Goals: test.Goals}
		c.Ours = []Sample{{CPU: 200, P50: 5, P99: 6, Resident: 60, Bytes: 2 << 20, DatabaseCPU: 100}}
		c.Theirs = []Sample{{CPU: 100, P99: 2, DatabaseCPU: 20}}
		if got := c.goalText(); got != test.inWords {
			t.Errorf("got %q, want %q", got, test.inWords)
		}
	}
}

// TestPace makes sure that times are judged at the machine's pace, whether it is slow or fast, but not beyond the
// bounds, that the verdict as measured stands beside, and that nothing else is judged so.
func TestPace(t *testing.T) {
	for _, test := range []struct {
		Goals
		pace          float64
		inWords       string
		met, measured string // in the table of goals
	}{
		{Goals{MaxCPU: 200}, 2, "<= 200 µs ok at pace 2.0 and as measured", "1 of 1", "1 of 1"},
		{Goals{MaxCPU: 100}, 2, "<= 100 µs ok at pace 2.0, MISSED as measured", "1 of 1", "0 of 1 MISSED"},
		{Goals{MaxCPU: 99}, 2, "<= 99 µs MISSED at pace 2.0 and as measured", "0 of 1 MISSED", "0 of 1 MISSED"},
		{Goals{MaxCPU: 99}, 5, "<= 99 µs MISSED at pace 2.0 and as measured", "0 of 1 MISSED", "0 of 1 MISSED"},
		{Goals{MaxCPU: 399}, 0.5, "<= 399 µs MISSED at pace 0.5, ok as measured", "0 of 1 MISSED", "1 of 1"},
		{Goals{MaxCPU: 400}, 0.1, "<= 400 µs ok at pace 0.5 and as measured", "1 of 1", "1 of 1"},
		{Goals{MaxCPU: 199}, 0, "<= 199 µs MISSED", "0 of 1 MISSED", ""},
		{Goals{MaxExtra: 50}, 2, "<= 50 µs more ok at pace 2.0, MISSED as measured", "1 of 1", "0 of 1 MISSED"},
		{Goals{MaxTime: 2.5}, 2, "<= 2.5 ms ok at pace 2.0, MISSED as measured", "1 of 1", "0 of 1 MISSED"},
		{Goals{Within: 1.9}, 2, "<= 1.9x MISSED", "0 of 1 MISSED", ""},
		{Goals{MaxResident: 59}, 2, "<= 59 MB in memory MISSED", "0 of 1 MISSED", ""},
	} {
		r := &Run{Comparisons: []*Comparison{{Goals: test.Goals, Theirs: []Sample{{CPU: 100}}}}}
		r.Comparisons[0].Ours = []Sample{{CPU: 200, P50: 5, Resident: 60, Pace: test.pace}}
		if got := r.Comparisons[0].goalText(); got != test.inWords {
			t.Errorf("pace %g: got %q, want %q", test.pace, got, test.inWords)
		}
		if row := r.goalRows()[1]; row[4] != test.met || row[5] != test.measured {
			t.Errorf("%s: got %q and %q in the table of goals, want %q and %q", test.inWords, row[4], row[5], test.met,
				test.measured)
		}
	}
}

// TestFoundAtPace makes sure that both figures of a time are shown, that at the machine's pace and the measured one.
func TestFoundAtPace(t *testing.T) {
	c := &Comparison{Goals: Goals{MaxCPU: 100}, Ours: []Sample{{CPU: 150, Pace: 2}}}
	if got, want := c.verdicts()[0].found, "75.0 µs at pace 2.0 (150 measured)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
