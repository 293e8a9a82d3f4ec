package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// goals are the limits that a comparison must meet, each 0 for none.
type goals struct {
	Aim         string  `json:"aim,omitempty"`        // groups comparisons in the report
	Goal        float64 `json:"goal,omitempty"`       // how many times cheaper than the rival it must be
	Within      float64 `json:"within,omitempty"`     // how many times the rival's CPU time it may take
	MaxCPU      float64 `json:"max_cpu_us,omitempty"` // it may take
	MaxExtra    float64 `json:"max_extra_us,omitempty"`
	MaxTime     float64 `json:"max_ms,omitempty"`
	MaxResident float64 `json:"max_resident_mb,omitempty"`
	MaxSlower   float64 `json:"max_slower,omitempty"` // how many times the rival's p99
	MaxSize     float64 `json:"max_mb,omitempty"`
	Flat        bool    `json:"flat,omitempty"` // it must cost as much with many computers as with few
}

// A verdict says how far a goal is met.
type verdict struct {
	aim, goal string
	name      string  // of the comparison
	found     string  // what was measured
	share     float64 // of what is allowed, up to 1 when the goal is met
	pace      float64 // of the machine, if the goal is met at it alone, else 0
}

func (v verdict) met() bool { return v.share <= 1 }

// text returns the goal and whether it is met.
func (v verdict) text() string {
	switch {
	case !v.met():
		return v.goal + " MISSED"
	case v.pace > 0:
		return fmt.Sprintf("%s ok at pace %.1f", v.goal, v.pace)
	}
	return v.goal + " ok"
}

// timed reports whether one of the goals is a time.
func (g goals) timed() bool { return g.MaxCPU+g.MaxExtra+g.MaxTime > 0 }

// verdicts judges the comparison by itself.
func (c *comparison) verdicts() (all []verdict) {
	add := func(unit string, most, found, pace float64) {
		if most == 0 || found == 0 {
			return
		}
		v := verdict{aim: c.Aim, goal: fmt.Sprintf("<= %g%s", most, unit), name: c.Name, found: figure(found) + unit,
			share: found / most}
		if !v.met() && pace > 1 {
			v.share /= pace
			v.pace = pace
			v.found += fmt.Sprintf(" at pace %.1f", pace)
		}
		all = append(all, v)
	}
	if c.Failed != "" {
		return []verdict{{aim: c.Aim, goal: "answered", name: c.Name, found: "failed", share: math.Inf(1)}}
	}
	ours := median(c.Ours)
	if ratio := c.ratio(); c.Goal > 0 && ratio > 0 {
		all = append(all, verdict{
			aim: c.Aim, goal: fmt.Sprintf(">= %gx", c.Goal), name: c.Name, found: fmt.Sprintf("%.1fx", 1/ratio),
			share: c.Goal * ratio,
		})
	}
	add("x", c.Within, c.ratio(), 1)
	add("x p99", c.MaxSlower, c.slower(), 1)
	add(" µs", c.MaxCPU, ours.CPU, ours.Pace)
	add(" µs more", c.MaxExtra, c.extra(), ours.Pace)
	add(" ms", c.MaxTime, ours.P50, ours.Pace)
	add(" MB in memory", c.MaxResident, ours.Resident, 1)
	add(" MB", c.MaxSize, ours.Bytes/(1<<20), 1)
	return all
}

// add notes what a round found. Where goals are times, it finds out how fast the
// machine is as well.
func (c *comparison) add(ours, theirs sample) {
	if c.timed() {
		ours.Pace = pace()
	}
	c.Ours, c.Theirs = append(c.Ours, ours), append(c.Theirs, theirs)
}

// fail notes why there are no figures, and forgets those of rounds before.
func (c *comparison) fail(err error) {
	c.Failed, _, _ = strings.Cut(err.Error(), "\n")
	c.Ours, c.Theirs = nil, nil
}

// extra returns how many microseconds more than the rival it takes, as the
// median of the rounds; at least a little, since 0 is what nobody measured.
func (c *comparison) extra() float64 {
	var extras []float64
	for i := range min(len(c.Ours), len(c.Theirs)) {
		extras = append(extras, max(0.01, c.Ours[i].CPU-c.Theirs[i].CPU))
	}
	return middle(extras)
}

// slower returns how many times the rival's p99 it has, as the median of the rounds.
func (c *comparison) slower() float64 {
	var times []float64
	for i := range min(len(c.Ours), len(c.Theirs)) {
		if c.Theirs[i].P99 > 0 {
			times = append(times, c.Ours[i].P99/c.Theirs[i].P99)
		}
	}
	return middle(times)
}

// goalText returns whether the goals are met, in words.
func (c *comparison) goalText() string {
	var texts []string
	for _, v := range c.verdicts() {
		texts = append(texts, v.text())
	}
	return strings.Join(texts, ", ")
}

// verdicts judges all that has a goal.
func (r *report) verdicts() (all []verdict) {
	for _, c := range r.Comparisons {
		all = append(all, c.verdicts()...)
	}
	for _, l := range r.trends() {
		all = append(all, l.verdicts()...)
	}
	for _, s := range r.sides() {
		all = append(all, s.verdicts()...)
	}
	return all
}

// goalRows returns a row for each goal: what it is of, the worst that was found
// and where, and how often it is met.
func (r *report) goalRows() [][]string {
	rows := [][]string{{"goal of", "goal", "worst", "where", "met"}}
	groups := map[string][]verdict{}
	var order []string
	for _, v := range r.verdicts() {
		key := v.aim + v.goal
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], v)
	}
	for _, key := range order {
		group := groups[key]
		worst := slices.MaxFunc(group, func(a, b verdict) int {
			if a.share < b.share {
				return -1
			}
			return 1
		})
		reached := fmt.Sprintf("%d of %d", count(group, verdict.met), len(group))
		if n := count(group, func(v verdict) bool { return v.met() && v.pace > 0 }); n > 0 {
			reached += fmt.Sprintf(", %d at the machine's pace", n)
		}
		if !worst.met() {
			reached += " MISSED"
		}
		rows = append(rows, []string{worst.aim, worst.goal, worst.found, worst.name, reached})
	}
	return rows
}

// count returns how many verdicts are so.
func count(all []verdict, so func(verdict) bool) (n int) {
	for _, v := range all {
		if so(v) {
			n++
		}
	}
	return n
}

// goalsText returns a table of the goals.
func (r *report) goalsText() string {
	rows := r.goalRows()
	if len(rows) == 1 {
		return ""
	}
	return "\n" + align(rows)
}
