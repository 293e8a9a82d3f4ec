package computers

import (
	"fmt"
	"strings"
	"time"

	"muster/internal/web/page"
)

// Ticks are bars beside the history of a computer: the days on which something
// was changed, the higher the more.
type ticks struct {
	Title, Sentence string
	Width           int
	Bars            []tick
}

// A tick is the bar of one day.
type tick struct {
	X     int
	Y, H  string
	Title string
}

// For how many days there are bars, and how much room each has.
const (
	tickDays   = 60
	tickWidth  = 10
	tickHeight = 28
)

// newTicks returns the bars of the latest days. They cover what the first page of a
// history shows: when there are more pages, they begin with the last day of the first.
// It returns nil for another page, and when nothing was changed on these days.
func newTicks(c *page.Call, days []historyDay, at page.Pager) *ticks {
	if at.Page > 1 || len(days) == 0 {
		return nil
	}
	today := c.Today()
	first := today.AddDate(0, 0, 1-tickDays)
	if last := days[len(days)-1].day; at.Pages > 1 && last.After(first) {
		first = last
	}
	number := func(day time.Time) int { return int(day.Sub(first).Hours() / 24) }
	changes := make([]int, max(0, number(today))+1)
	most := 0
	for _, d := range days {
		if n := number(d.day); n >= 0 && n < len(changes) {
			changes[n] += len(d.Entries)
			most = max(most, changes[n])
		}
	}
	if most == 0 {
		return nil
	}
	t := &ticks{
		Title: c.T("Changes per day from %s to %s", c.Date(first), c.Date(today)), Width: tickWidth * len(changes),
	}
	var words []string
	for i, n := range changes {
		if n == 0 {
			continue
		}
		height := max(2, tickHeight*float64(n)/float64(most))
		one := tick{X: tickWidth*i + 2, Y: fmt.Sprintf("%.1f", tickHeight-height), H: fmt.Sprintf("%.1f", height)}
		one.Title = c.Date(first.AddDate(0, 0, i)) + ": " + c.TN(n, "%s change", "%s changes")
		t.Bars, words = append(t.Bars, one), append(words, one.Title)
	}
	t.Sentence = strings.Join(words, ", ")
	return t
}
