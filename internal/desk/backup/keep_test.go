package backup

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestKeep makes a backup each night for a year, and looks what is kept.
func TestKeep(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		keep Keep
		last string // at which the year ends
		want string
	}{
		// 31 December is a Thursday: before the seven days come the last four Sundays that are older
		{Keep{7, 4}, "2026-12-31", "12-31 12-30 12-29 12-28 12-27 12-26 12-25 12-20w 12-13w 12-06w 11-29w"},
		// a Sunday itself: its week and the one before are among the days
		{Keep{7, 4}, "2026-12-27", "12-27 12-26 12-25 12-24 12-23 12-22 12-21 12-20w 12-13w 12-06w 11-29w"},
		{Keep{1, 0}, "2026-12-31", "12-31"},
		{Keep{1, 2}, "2026-12-31", "12-31 12-27w 12-20w"},
		{Keep{3, 0}, "2026-12-31", "12-31 12-30 12-29"},
	} {
		last, err := time.Parse(time.DateOnly, c.last)
		if err != nil {
			t.Fatal(err)
		}
		var files []File
		for at := last.AddDate(-1, 0, 0).Add(3 * time.Hour); !at.After(last.Add(3 * time.Hour)); at = at.AddDate(0, 0, 1) {
			files = slices.Insert(files, 0, File{Name: nameOf(at, false), At: at})
			_, surplus := c.keep.sort(files, at)
			files = slices.DeleteFunc(files, func(f File) bool { return slices.Contains(surplus, f.Name) })
		}
		if got := kept(c.keep, files, last); got != c.want {
			t.Errorf("%v at %s: got %s, want %s", c.keep, c.last, got, c.want)
		}
	}
}

// kept returns the days of files, with a w at those of weeks.
func kept(keep Keep, files []File, today time.Time) string {
	weekly, _ := keep.sort(files, today)
	var days []string
	for _, f := range files {
		day := f.At.Format("01-02")
		if slices.Contains(weekly, f.Name) {
			day += "w"
		}
		days = append(days, day)
	}
	return strings.Join(days, " ")
}

// TestKeepSeveralADay keeps all of today, and the last of each other day.
func TestKeepSeveralADay(t *testing.T) {
	t.Parallel()
	today := time.Date(2026, 11, 17, 15, 0, 0, 0, time.UTC)
	var files []File
	for day := range 3 {
		for _, hour := range []int{14, 9, 3} {
			at := time.Date(2026, 11, 17-day, hour, 0, 0, 0, time.UTC)
			files = append(files, File{Name: fmt.Sprint(-day, " at ", hour), At: at})
		}
	}
	_, surplus := Keep{2, 4}.sort(files, today)
	// the 15th is a Sunday, the last day of the week before
	if got, want := strings.Join(surplus, ", "), "-1 at 9, -1 at 3, -2 at 9, -2 at 3"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestKeepProven: what a drill has not proved takes the place of nothing that it has.
func TestKeepProven(t *testing.T) {
	t.Parallel()
	today := time.Date(2026, 11, 20, 15, 0, 0, 0, time.UTC) // a Friday
	file := func(day, hour int, proven bool) File {
		at := time.Date(2026, 11, day, hour, 0, 0, 0, time.UTC)
		return File{Name: fmt.Sprintf("%d-%02d", day, hour), At: at, Proven: proven}
	}
	proven := []File{file(20, 3, true), file(19, 3, true), file(18, 3, true), file(15, 3, true), file(14, 3, true)}
	for _, c := range []struct {
		name     string
		unproven []File
		want     string // that go, proven or not
	}{
		{"all are", nil, "18-03 14-03"},
		{"a later one of the day is not", []File{file(19, 15, false)}, "18-03 14-03"},
		{"a later day of the week is not", []File{file(16, 15, false), file(15, 15, false)}, "18-03 16-15 14-03"},
		{"one of another week is not", []File{file(8, 3, false)}, "18-03 14-03 8-03"},
		{"one earlier on the day is not", []File{file(19, 2, false)}, "19-02 18-03 14-03"},
	} {
		files := append(slices.Clone(proven), c.unproven...)
		slices.SortFunc(files, func(a, b File) int { return b.At.Compare(a.At) })
		if _, surplus := (Keep{2, 1}).sort(files, today); strings.Join(surplus, " ") != c.want {
			t.Errorf("%s: got %s, want %s", c.name, strings.Join(surplus, " "), c.want)
		}
	}
}

// TestRule: when fewer are to be kept, as many as before are kept for a week.
func TestRule(t *testing.T) {
	t.Parallel()
	seven, one, other := Keep{7, 4}, Keep{1, 0}, Keep{1, 9}
	begun := time.Date(2026, 11, 20, 3, 0, 0, 0, time.UTC)
	var rule Rule
	for _, c := range []struct {
		day  int
		keep Keep
		want Keep
	}{
		{0, seven, seven}, {1, one, seven}, {7, one, seven}, {8, one, one}, // a week after day 1
		{9, seven, seven}, {10, one, seven}, {12, seven, seven}, {13, one, seven}, {18, one, seven}, // begins anew
		{19, other, Keep{7, 9}}, {25, other, Keep{7, 9}}, {26, other, other}, // so it does for another number
	} {
		rule = rule.at(begun.AddDate(0, 0, c.day), c.keep)
		if rule.Keep != c.want {
			t.Errorf("day %d: got %v, want %v", c.day, rule.Keep, c.want)
		}
	}
}
