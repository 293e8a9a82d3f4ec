package dashboard

import (
	"fmt"
	"net/url"
	"strings"

	"muster/internal/web/page"
	"muster/internal/web/records"
)

// A slice is one number of a chart: a link to the list that has as many
// records.
type slice struct {
	Label string
	Tone  string // class of its colour
	Href  string
	Total int
	X, W  string // where it stands in a stacked bar, and how wide it is
}

// A chart is some numbers beside each other.
type chart struct {
	ID, Title string
	Sentence  string // all numbers in words
	Slices    []slice
	Total     int
}

// count returns a slice with the total of its list.
func count(c *page.Call, path, label, tone string, values url.Values) (slice, error) {
	total, err := records.SectionAt(c.App, path).Total(c, values)
	return slice{Label: label, Tone: tone, Href: page.Address("/"+path, values), Total: total}, err
}

// stack lays slices out beside each other; those of nothing are left out of the
// bar, not of the legend.
func stack(c *page.Call, id, title string, slices []slice) chart {
	all := 0
	for _, s := range slices {
		all += s.Total
	}
	var words []string
	x := 0.0
	for i := range slices {
		w := 100 * float64(slices[i].Total) / float64(max(1, all))
		slices[i].X, slices[i].W = percent(x), percent(w)
		x += w
		words = append(words, slices[i].Label+": "+c.Number(slices[i].Total))
	}
	return chart{id, title, strings.Join(words, ", "), slices, all}
}

// bars lays slices out below each other, the longest over the whole width.
func bars(c *page.Call, id, title string, slices []slice) chart {
	most := 1
	for _, s := range slices {
		most = max(most, s.Total)
	}
	for i := range slices {
		slices[i].W = percent(100 * float64(slices[i].Total) / float64(most))
	}
	return chart{ID: id, Title: title, Slices: slices}
}

func percent(share float64) string { return fmt.Sprintf("%.2f%%", share) }

// A plot is two lines over some weeks, the last of which is not over yet.
type plot struct {
	Sentence             string
	Created, Resolved    string // paths of the lines, of whole weeks
	CreatedNow           string // their ends, in this week
	ResolvedNow          string
	Area                 string
	Weeks                []plotWeek
	Steps                []string // beside the axis, the greatest first
	CreatedAll, Finished int
}

// A plotWeek has the numbers of one week, each a link.
type plotWeek struct {
	Label             string
	Created, Resolved slice
	X, Half, Middle   string // of the places to point at
	YC, YR            string // of the points
}

// draw computes where the points of the lines are, in a square of 100.
func (p *plot) draw() {
	most := 4
	for _, w := range p.Weeks {
		most = max(most, w.Created.Total, w.Resolved.Total)
	}
	most = (most + 3) / 4 * 4
	for i := 4; i >= 0; i-- {
		p.Steps = append(p.Steps, fmt.Sprint(most*i/4))
	}
	width := 100 / float64(len(p.Weeks))
	y := func(n int) string { return fmt.Sprintf("%.1f", 100-100*float64(n)/float64(most)) }
	var created, resolved []string
	for i := range p.Weeks {
		w := &p.Weeks[i]
		x := (float64(i) + 0.5) * width
		w.X, w.Middle, w.Half = fmt.Sprintf("%.2f", x-width/2), fmt.Sprintf("%.2f", x), fmt.Sprintf("%.2f", width/2)
		w.YC, w.YR = y(w.Created.Total), y(w.Resolved.Total)
		created, resolved = append(created, w.Middle+" "+w.YC), append(resolved, w.Middle+" "+w.YR)
	}
	last := len(p.Weeks) - 1
	line := func(points []string) string { return "M" + strings.Join(points, "L") }
	p.Created, p.Resolved = line(created[:last]), line(resolved[:last])
	p.CreatedNow, p.ResolvedNow = line(created[last-1:]), line(resolved[last-1:])
	p.Area = p.Resolved + "V100H" + p.Weeks[0].Middle + "Z"
}
