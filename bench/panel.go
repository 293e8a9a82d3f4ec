package main

import (
	"fmt"
	"math"
	"strings"
)

// A panel is one database's part of a chart.
type panel struct {
	title   string
	left    int // where it begins, in pixels
	width   int
	sizes   []int
	costs   [][]float64 // of each line at each size, in microseconds; 0 where it was not measured
	ceiling []float64   // at each size
}

// panel returns the part of a database, nil when none of its lines was measured.
func (c *chart) panel(r *report, database string) *panel {
	p := &panel{title: databaseTitles[database], sizes: r.Sizes, ceiling: make([]float64, len(r.Sizes))}
	found := false
	for i, l := range c.lines {
		costs := make([]float64, len(r.Sizes))
		for j, n := range r.Sizes {
			one := r.find(&comparison{Name: fmt.Sprintf("%s %d %s", database, n, l.operation), Rival: "fixed body"})
			if one == nil {
				continue
			}
			found, costs[j] = true, median(one.Ours).CPU
			if i == 0 {
				p.ceiling[j] = median(one.Theirs).CPU
			}
		}
		p.costs = append(p.costs, costs)
	}
	if !found {
		return nil
	}
	return p
}

// databaseTitles are the names of databases for readers.
var databaseTitles = map[string]string{sqliteName: "SQLite", postgresName: "PostgreSQL (its own processes not counted)"}

// draw draws the panel, with costs between two bounds.
func (p *panel) draw(b *strings.Builder, low, high float64) {
	y := func(cost float64) float64 {
		return panelTop + panelHeight*(1-math.Log(cost/low)/math.Log(high/low))
	}
	text(b, p.left, panelTop-12, `font-weight="600"`, p.title)
	for _, tick := range steps(low, high) {
		fmt.Fprintf(b, `<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="#e4e4e4"/>`+"\n", p.left, y(tick), p.left+p.width, y(tick))
		text(b, p.left-7, int(y(tick))+4, `text-anchor="end" fill="#555555"`, timeText(tick))
	}
	for _, n := range p.sizes {
		fmt.Fprintf(b, `<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="#e4e4e4"/>`+"\n", p.x(n), panelTop, p.x(n), panelTop+panelHeight)
		text(b, int(p.x(n)), panelTop+panelHeight+18, `text-anchor="middle" fill="#555555"`, counted(n))
	}
	text(b, p.left+p.width/2, panelTop+panelHeight+37, `text-anchor="middle" fill="#555555"`, "computers")
	fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="none" stroke="#999999"/>`+"\n", p.left, panelTop, p.width, panelHeight)
	p.curve(b, y, p.ceiling, ceilingColour, dashed)
	for i, costs := range p.costs {
		p.curve(b, y, costs, colours[i], "")
	}
}

// x returns where a size stands.
func (p *panel) x(n int) float64 {
	const margin = 26
	first, last := float64(p.sizes[0]), float64(p.sizes[len(p.sizes)-1])
	if first == last {
		return float64(p.left) + float64(p.width)/2
	}
	return float64(p.left) + margin + float64(p.width-2*margin)*math.Log(float64(n)/first)/math.Log(last/first)
}

// curve draws a line through the costs at each size.
func (p *panel) curve(b *strings.Builder, y func(float64) float64, costs []float64, colour, dash string) {
	var points, dots strings.Builder
	for i, cost := range costs {
		if cost <= 0 {
			continue
		}
		x, at := p.x(p.sizes[i]), y(cost)
		fmt.Fprintf(&points, "%.1f,%.1f ", x, at)
		fmt.Fprintf(&dots, `<circle cx="%.1f" cy="%.1f" r="3.5" fill="%s" stroke="#ffffff"/>`+"\n", x, at, colour)
	}
	fmt.Fprintf(b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="2"%s/>`+"\n", strings.TrimSpace(points.String()), colour, dash)
	b.WriteString(dots.String())
}

// timeText tells a number of microseconds as people say it.
func timeText(us float64) string {
	switch {
	case us >= 1e6:
		return fmt.Sprintf("%g s", us/1e6)
	case us >= 1e3:
		return fmt.Sprintf("%g ms", us/1e3)
	}
	return fmt.Sprintf("%g µs", us)
}

// counted returns a number with commas.
func counted(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
