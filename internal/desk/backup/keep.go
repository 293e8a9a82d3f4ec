package backup

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"time"
)

// Names of backups, by which they are recognised: no other file is ever removed.
const (
	nameStart     = "muster-"
	nameTime      = "2006-01-02-1504"
	plainEnd      = ".backup"
	encryptedEnd  = ".backup.age"
	partlyPattern = `^\.muster-\d{4}-\d{2}-\d{2}-\d{4}\.backup(\.age)?-\d+$` // as atomicfile leaves it at a power cut
)

var (
	nameForm   = regexp.MustCompile(`^muster-(\d{4}-\d{2}-\d{2}-\d{4})\.backup(\.age)?$`)
	partlyForm = regexp.MustCompile(partlyPattern)
)

// A File is a backup in the folder.
type File struct {
	Name   string
	At     time.Time // that its name says, as a time of the day in the server's zone
	Bytes  int64
	Sealed bool // it is encrypted
	Proven bool // a drill is known to have proved it
}

// nameOf returns the name of a backup of a time.
func nameOf(at time.Time, encrypted bool) string {
	if encrypted {
		return nameStart + at.Format(nameTime) + encryptedEnd
	}
	return nameStart + at.Format(nameTime) + plainEnd
}

// filesIn returns the backups in a folder, the newest first.
func filesIn(folder string, zone *time.Location) (files []File, err error) {
	entries, err := os.ReadDir(folder)
	for _, e := range entries {
		m := nameForm.FindStringSubmatch(e.Name())
		if m == nil || !e.Type().IsRegular() {
			continue
		}
		at, bad := time.ParseInLocation(nameTime, m[1], zone)
		info, gone := e.Info()
		if bad == nil && gone == nil {
			files = append(files, File{Name: e.Name(), At: at, Bytes: info.Size(), Sealed: m[2] != ""})
		}
	}
	slices.SortStableFunc(files, func(a, b File) int { return b.At.Compare(a.At) })
	return files, err
}

// sort returns the names of the backups that are kept as those of weeks, and those that are not kept, of files that
// have the newest first. What is proved stays that would stay if there were nothing else: so no file of which that is not
// known takes its place.
func (k Keep) sort(files []File, today time.Time) (weekly, surplus []string) {
	proven := slices.DeleteFunc(slices.Clone(files), func(f File) bool { return !f.Proven })
	best, rest := k.choose(proven, today), k.choose(files, today)
	for _, f := range files {
		switch max(best[f.Name], rest[f.Name]) {
		case unkept:
			surplus = append(surplus, f.Name)
		case ofWeek:
			weekly = append(weekly, f.Name)
		}
	}
	return weekly, surplus
}

// A reason is why a backup is kept.
type reason int

const (
	unkept reason = iota
	ofWeek
	ofDay
)

// choose returns why files are kept, by their names. Kept are all of today, the last of each day while there are fewer
// than the daily ones, then the last of each week before.
func (k Keep) choose(files []File, today time.Time) map[string]reason {
	kept, days, weeks := map[string]reason{}, map[string]bool{}, map[string]bool{}
	day := func(f File) string { return f.At.Format(time.DateOnly) }
	for _, f := range files {
		year, number := f.At.ISOWeek()
		week := fmt.Sprint(year, "-", number)
		switch {
		case day(f) == today.Format(time.DateOnly) || !days[day(f)] && len(days) < k.Daily:
			days[day(f)], kept[f.Name] = true, ofDay
			if _, known := weeks[week]; !known {
				weeks[week] = false // its last one is kept as that of a day
			}
		case days[day(f)] || has(weeks, week) || count(weeks) >= k.Weekly:
		default:
			weeks[week], kept[f.Name] = true, ofWeek
		}
	}
	return kept
}

// lessTime is for how long as many backups are kept as before when fewer are to be kept, so that nobody removes them all
// by a setting before others notice.
const lessTime = 7 * 24 * time.Hour

// A Rule is by what old backups are removed.
type Rule struct {
	Keep  Keep
	Next  Keep      `json:",omitzero"` // that will count instead, since it keeps fewer; zero for none
	Since time.Time `json:",omitzero"` // when that was first seen
}

// Until returns when fewer will be kept, zero where that is not to come.
func (r Rule) Until() time.Time {
	if r.Since.IsZero() {
		return time.Time{}
	}
	return r.Since.Add(lessTime)
}

// at returns the rule of a time at which so many are to be kept.
func (r Rule) at(now time.Time, keep Keep) Rule {
	most := Keep{max(r.Keep.Daily, keep.Daily), max(r.Keep.Weekly, keep.Weekly)}
	switch {
	case !keep.isLess(r.Keep):
		return Rule{Keep: keep}
	case r.Next != keep:
		return Rule{Keep: most, Next: keep, Since: now}
	case now.Sub(r.Since) < lessTime:
		return Rule{Keep: most, Next: keep, Since: r.Since}
	}
	return Rule{Keep: keep}
}

func has(set map[string]bool, name string) bool {
	_, found := set[name]
	return found
}

// count returns how many of a set are true.
func count(set map[string]bool) (n int) {
	for _, is := range set {
		if is {
			n++
		}
	}
	return n
}
