package result

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Goals are the limits that a comparison must meet, each 0 for none.
type Goals struct {
	Aim    string  `json:"aim,omitempty"`    // groups comparisons
	Goal   float64 `json:"goal,omitempty"`   // how many times cheaper than the rival it must be
	Within float64 `json:"within,omitempty"` // how many times the rival's CPU time it may take
	// how many times the rival's CPU time it may take on PostgreSQL, that of PostgreSQL's own processes included
	WithPostgres float64 `json:"within_with_postgres,omitempty"`
	MaxCPU       float64 `json:"max_cpu_us,omitempty"` // it may take
	MaxExtra     float64 `json:"max_extra_us,omitempty"`
	MaxTime      float64 `json:"max_ms,omitempty"`
	MaxResident  float64 `json:"max_resident_mb,omitempty"`
	MaxSlower    float64 `json:"max_slower,omitempty"` // how many times the rival's p99
	MaxSize      float64 `json:"max_mb,omitempty"`
	Flat         bool    `json:"flat,omitempty"` // it must cost as much with many computers as with few
}

// On returns the goals that count on a database. What PostgreSQL costs depends on its own machine, so there only the
// goal counts that has a ratio and includes its processes.
func (g Goals) On(database string) Goals {
	switch {
	case database != Postgres:
		g.WithPostgres = 0
	case g.WithPostgres > 0:
		return Goals{Aim: g.Aim + ", on PostgreSQL", WithPostgres: g.WithPostgres}
	default:
		return Goals{}
	}
	return g
}

// A verdict says how far a goal is met.
type verdict struct {
	aim, goal string
	name      string  // of the comparison
	found     string  // what was measured, a time also at the machine's pace
	share     float64 // of what is allowed, up to 1 when the goal is met
	pace      float64 // that a time is judged at, 0 for what is no time
}

// met reports whether the goal is met, a time at the machine's pace.
func (v verdict) met() bool { return v.share <= 1 }

// metAsMeasured reports whether it is met by what was measured, whatever the pace.
func (v verdict) metAsMeasured() bool { return v.share*cmp.Or(v.pace, 1) <= 1 }

// text returns the goal and whether it is met, for a time at the machine's pace and as measured.
func (v verdict) text() string {
	text := v.goal + " " + metText(v.met())
	switch {
	case v.pace == 0:
		return text
	case v.met() == v.metAsMeasured():
		return fmt.Sprintf("%s at pace %.1f and as measured", text, v.pace)
	}
	return fmt.Sprintf("%s at pace %.1f, %s as measured", text, v.pace, metText(v.metAsMeasured()))
}

func metText(met bool) string {
	if met {
		return "ok"
	}
	return "MISSED"
}

// Timed reports whether one of the goals is a time.
func (g Goals) Timed() bool { return g.MaxCPU+g.MaxExtra+g.MaxTime > 0 }

// verdicts judges the comparison by itself.
func (c *Comparison) verdicts() (all []verdict) {
	if c.Failed != "" {
		return []verdict{{aim: c.Aim, goal: "answered", name: c.Name, found: "failed", share: math.Inf(1)}}
	}
	add := func(v verdict, most, found float64) {
		if most > 0 && found > 0 {
			v.aim, v.name = c.Aim, c.Name
			all = append(all, v)
		}
	}
	atMost := func(unit string, most, found float64) {
		add(limitVerdict(unit, most, found), most, found)
	}
	ours, ratio := Median(c.Ours), c.Times()
	inTime := func(unit string, most, found float64) {
		add(timeVerdict(unit, most, found, ours.Pace), most, found)
	}
	add(verdict{goal: fmt.Sprintf(">= %gx", c.Goal), found: fmt.Sprintf("%.1fx", 1/ratio), share: c.Goal * ratio},
		c.Goal, ratio)
	atMost("x", c.Within, ratio)
	atMost("x with PostgreSQL's CPU", c.WithPostgres, c.ratioWithPostgres())
	atMost("x p99", c.MaxSlower, c.slower())
	inTime(" µs", c.MaxCPU, ours.CPU)
	inTime(" µs more", c.MaxExtra, c.extra())
	inTime(" ms", c.MaxTime, ours.P50)
	atMost(" MB in memory", c.MaxResident, ours.Resident)
	atMost(" MB", c.MaxSize, ours.Bytes/(1<<20))
	return all
}

// limitVerdict judges what may be so much at most.
func limitVerdict(unit string, most, found float64) verdict {
	return verdict{goal: fmt.Sprintf("<= %g%s", most, unit), found: figure(found) + unit, share: found / most}
}

// timeVerdict judges a time at the machine's pace, whether it is slower than that of the goals or faster. Where
// the pace was not measured it judges the time as it is.
func timeVerdict(unit string, most, found, pace float64) verdict {
	v := limitVerdict(unit, most, found)
	if pace == 0 {
		return v
	}
	v.pace = judgedPace(pace)
	v.share /= v.pace
	v.found = fmt.Sprintf("%s%s at pace %.1f (%s measured)", figure(found/v.pace), unit, v.pace, figure(found))
	return v
}

// Add notes what a round found.
func (c *Comparison) Add(ours, theirs Sample) {
	c.Ours, c.Theirs = append(c.Ours, ours), append(c.Theirs, theirs)
}

// Fail notes why there are no figures, and forgets those of rounds before.
func (c *Comparison) Fail(err error) {
	c.Failed, _, _ = strings.Cut(err.Error(), "\n")
	c.Ours, c.Theirs = nil, nil
}

// extra returns how many microseconds more than the rival it takes, as the
// median of the rounds; at least a little, since 0 is what nobody measured.
func (c *Comparison) extra() float64 {
	var extras []float64
	for i := range min(len(c.Ours), len(c.Theirs)) {
		extras = append(extras, max(0.01, c.Ours[i].CPU-c.Theirs[i].CPU))
	}
	return middle(extras)
}

// slower returns how many times the rival's p99 it has, as the median of the rounds.
func (c *Comparison) slower() float64 {
	var times []float64
	for i := range min(len(c.Ours), len(c.Theirs)) {
		if c.Theirs[i].P99 > 0 {
			times = append(times, c.Ours[i].P99/c.Theirs[i].P99)
		}
	}
	return middle(times)
}

// goalText returns whether the goals are met, in words.
func (c *Comparison) goalText() string {
	var texts []string
	for _, v := range c.verdicts() {
		texts = append(texts, v.text())
	}
	return strings.Join(texts, ", ")
}

// verdicts judges all that has a goal.
func (r *Run) verdicts() (all []verdict) {
	for _, c := range r.Comparisons {
		all = append(all, c.verdicts()...)
	}
	for _, l := range r.trends() {
		all = append(all, l.verdicts()...)
	}
	for _, s := range r.sides() {
		all = append(all, s.verdicts()...)
	}
	for _, w := range r.Works {
		all = append(all, w.verdicts()...)
	}
	return all
}

// goalGroups returns the verdicts on each goal.
func (r *Run) goalGroups() (groups [][]verdict) {
	places := map[string]int{}
	for _, v := range r.verdicts() {
		key := v.aim + v.goal
		i, known := places[key]
		if !known {
			i = len(groups)
			places[key], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], v)
	}
	return groups
}

// goalHeads are the columns of the tables of goals: what the goal is of, the worst that was found and where, and how
// often it is met, for times also as measured.
var goalHeads = []string{"goal of", "goal", "worst", "where", "met", "as measured"}

// goalRows returns a row for each goal.
func (r *Run) goalRows() [][]string {
	rows := [][]string{goalHeads}
	for _, group := range r.goalGroups() {
		rows = append(rows, goalRow(group))
	}
	return rows
}

// missedText says which goals are missed, in a table that the given function makes of rows, or that all are met.
func (r *Run) missedText(table func(rows [][]string) string) string {
	groups, rows := r.goalGroups(), [][]string{goalHeads}
	for _, group := range groups {
		if count(group, verdict.met) < len(group) {
			rows = append(rows, goalRow(group))
		}
	}
	switch missed := len(rows) - 1; {
	case len(groups) == 0:
		return "Nothing that was measured has a goal.\n"
	case missed == 0 && len(groups) == 1:
		return "The goal is met.\n"
	case missed > 0:
		return fmt.Sprintf("Missed: %d of %d goals.\n\n%s", missed, len(groups), table(rows))
	}
	return fmt.Sprintf("All %d goals are met.\n", len(groups))
}

// goalRow returns the row of the verdicts on one goal.
func goalRow(group []verdict) []string {
	worst := slices.MaxFunc(group, func(a, b verdict) int { return cmp.Compare(a.share, b.share) })
	asMeasured := ""
	if worst.pace > 0 {
		asMeasured = howMany(group, verdict.metAsMeasured)
	}
	return []string{worst.aim, worst.goal, worst.found, worst.name, howMany(group, verdict.met), asMeasured}
}

// howMany returns how many verdicts are so, and that a goal is missed if not all are.
func howMany(group []verdict, so func(verdict) bool) string {
	n := count(group, so)
	text := fmt.Sprintf("%d of %d", n, len(group))
	if n < len(group) {
		text += " MISSED"
	}
	return text
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
func (r *Run) goalsText() string {
	rows := r.goalRows()
	if len(rows) == 1 {
		return ""
	}
	return "\n" + align(rows)
}
