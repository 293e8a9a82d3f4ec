package main

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// A chart shows what operations cost against the size of the database, a panel
// a database, both axes in powers of ten.
type chart struct {
	name  string // of its file
	title string
	lines []line
}

// A line is an operation of a chart. The ceiling is what the rival of the first
// one costs.
type line struct{ label, operation string }

// charts are those of the document.
var charts = []chart{
	{"lists-25", "A list of 25 computers", []line{
		{"no filter, first page", "list of 25, no filter, first page"},
		{"no filter, last page", "list of 25, no filter, last page"},
		{"three filters, first page", "list of 25, three filters, first page"},
		{"three filters, last page", "list of 25, three filters, last page"},
		{"not_reporting, last page", "list of 25, not_reporting, last page"},
		{"search for a word, first page", "list of 25, q, first page"},
	}},
	{"lists-250", "A list of 250 records", []line{
		{"computers, first page", "list of 250, no filter, first page"},
		{"computers, one filter, last page", "list of 250, one filter, last page"},
		{"tickets, no filter, last page", "list of 250 tickets, no filter, last page"},
		{"tickets due before a day, last page", "list of 250 tickets, due before a day, last page"},
		{"software, no filter, last page", "list of 250 software, no filter, last page"},
		{"audits, one filter, last page", "list of 250 audits, one filter, last page"},
	}},
	{"records", "One record", []line{
		{"read a computer again", "single record"},
		{"read any computer", "single record, any"},
		{"software of a computer", "software of a computer"},
		{"create a computer", "create"},
		{"update a computer", "update"},
		{"delete a computer", "delete"},
	}},
}

// Places in a chart, in pixels.
const (
	chartWidth           = 860
	panelTop             = 88
	panelHeight          = 250
	leftEdge, rightEdge  = 64, 22
	panelGap             = 62
	legendRow, legendTop = 21, 66
)

// colours are those of lines, which also people tell apart who see few colours.
var colours = []string{"#0072b2", "#d55e00", "#009e73", "#aa4499", "#b8860b", "#3aa0d8"}

const ceilingColour = "#555555"

// svg draws the chart.
func (c *chart) svg(r *report) string {
	var panels []*panel
	for _, database := range []string{sqliteName, postgresName} {
		if p := c.panel(r, database); p != nil {
			panels = append(panels, p)
		}
	}
	height := panelTop + panelHeight + legendTop + (len(c.lines)/2+1)*legendRow + 14
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="%s" font-family="system-ui, sans-serif" font-size="12" fill="#222222">`+"\n",
		chartWidth, height, chartWidth, height, html.EscapeString(c.title))
	fmt.Fprintf(&b, `<rect x="0.5" y="0.5" width="%d" height="%d" rx="6" fill="#ffffff" stroke="#cccccc"/>`+"\n", chartWidth-1, height-1)
	text(&b, leftEdge, 26, `font-size="15" font-weight="600"`, c.title)
	text(&b, leftEdge, 46, `fill="#555555"`, "CPU time of the server a request, by the number of computers in the database; both axes in powers of ten")
	low, high := bounds(panels)
	for i, p := range panels {
		p.width = (chartWidth-leftEdge-rightEdge+panelGap)/len(panels) - panelGap
		p.left = leftEdge + i*(p.width+panelGap)
		p.draw(&b, low, high)
	}
	c.legend(&b)
	b.WriteString("</svg>\n")
	return b.String()
}

// legend draws what the lines mean, below the panels.
func (c *chart) legend(b *strings.Builder) {
	const column = (chartWidth - leftEdge) / 2
	entry := func(i int, label, colour, dash string) {
		x, y := leftEdge+i%2*column, panelTop+panelHeight+legendTop+i/2*legendRow
		fmt.Fprintf(b, `<line x1="%d" y1="%d" x2="%d" y2="%d" stroke="%s" stroke-width="2.5"%s/>`+"\n", x, y-4, x+26, y-4, colour, dash)
		text(b, x+34, y, "", label)
	}
	for i, l := range c.lines {
		entry(i, l.label, colours[i], "")
	}
	entry(len(c.lines), "ceiling: a fixed body as long as the first of these", ceilingColour, dashed)
}

const dashed = ` stroke-dasharray="6 4"`

// text writes a line of text.
func text(b *strings.Builder, x, y int, attributes, text string) {
	fmt.Fprintf(b, `<text x="%d" y="%d" %s>%s</text>`+"\n", x, y, attributes, html.EscapeString(text))
}

// bounds returns powers of ten, or twice or five times these, between which all
// costs lie.
func bounds(panels []*panel) (low, high float64) {
	low, high = math.Inf(1), 0
	for _, p := range panels {
		for _, costs := range append(p.costs, p.ceiling) {
			for _, cost := range costs {
				if cost > 0 {
					low, high = min(low, cost), max(high, cost)
				}
			}
		}
	}
	all := steps(low/10, high*10)
	for len(all) > 1 && all[1] <= low {
		all = all[1:]
	}
	for len(all) > 1 && all[len(all)-2] >= high {
		all = all[:len(all)-1]
	}
	if len(all) == 0 {
		return 1, 10
	}
	return all[0], all[len(all)-1]
}

// steps returns the round numbers between two others.
func steps(low, high float64) (all []float64) {
	for power := 0.01; power <= high && !math.IsInf(low, 0); power *= 10 {
		for _, factor := range []float64{1, 2, 5} {
			if n := power * factor; n >= low*0.999 && n <= high*1.001 {
				all = append(all, n)
			}
		}
	}
	return all
}
