// Package result is what a run of the bench found: comparisons of many sorts, whether they meet their goals, and the
// table, the file and the document that show it. It measures nothing itself and knows no operation by name; what is
// measured, and how, belongs in the bench.
package result

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// A Sample is the result of one round on one side, per operation. What was not measured is 0.
type Sample struct {
	CPU         float64 `json:"cpu_us"` // user and system time of the process that does the work
	Allocs      float64 `json:"allocs"`
	AllocBytes  float64 `json:"alloc_bytes"`
	Bytes       float64 `json:"bytes,omitempty"` // of the document or the answer's body
	P50         float64 `json:"p50_ms,omitempty"`
	P99         float64 `json:"p99_ms,omitempty"`
	PerSecond   float64 `json:"per_second,omitempty"`
	Resident    float64 `json:"resident_mb,omitempty"`
	DatabaseCPU float64 `json:"database_cpu_us,omitempty"` // of PostgreSQL's own processes
	Pace        float64 `json:"pace,omitempty"`            // of the machine, see pace
}

// Median returns the median of each figure.
func Median(samples []Sample) Sample {
	of := func(get func(*Sample) float64) float64 {
		values := make([]float64, len(samples))
		for i := range samples {
			values[i] = get(&samples[i])
		}
		return middle(values)
	}
	return Sample{
		CPU:         of(func(s *Sample) float64 { return s.CPU }),
		Allocs:      of(func(s *Sample) float64 { return s.Allocs }),
		AllocBytes:  of(func(s *Sample) float64 { return s.AllocBytes }),
		Bytes:       of(func(s *Sample) float64 { return s.Bytes }),
		P50:         of(func(s *Sample) float64 { return s.P50 }),
		P99:         of(func(s *Sample) float64 { return s.P99 }),
		PerSecond:   of(func(s *Sample) float64 { return s.PerSecond }),
		Resident:    of(func(s *Sample) float64 { return s.Resident }),
		DatabaseCPU: of(func(s *Sample) float64 { return s.DatabaseCPU }),
		Pace:        of(func(s *Sample) float64 { return s.Pace }),
	}
}

// middle returns the median of values, which it sorts, or 0 for none.
func middle(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	half := len(values) / 2
	if len(values)%2 == 1 {
		return values[half]
	}
	return (values[half-1] + values[half]) / 2
}

// Quantile returns the value below which the given part of values lies; values
// are sorted.
func Quantile(values []float64, part float64) float64 {
	if len(values) == 0 {
		return 0
	}
	return values[min(int(part*float64(len(values))), len(values)-1)]
}

// A Comparison is one line of the table: the product beside a rival or a
// ceiling, a sample of each a round.
type Comparison struct {
	Name      string `json:"name"`
	Rival     string `json:"rival,omitempty"`     // "" for none
	Computers int    `json:"computers,omitempty"` // in the database, and as many tickets and as much software
	Goals
	Ratio  float64  `json:"ratio,omitempty"`  // of the rounds, where their samples are left out
	Failed string   `json:"failed,omitempty"` // why there are no figures
	Ours   []Sample `json:"ours"`
	Theirs []Sample `json:"theirs,omitempty"`
}

// Times returns how many times the rival's CPU time the product takes, as the
// median of the rounds: what slowed both down in a round does not count.
func (c *Comparison) Times() float64 {
	if c.Ratio > 0 {
		return c.Ratio
	}
	return middle(c.ratios())
}

// ratios returns how many times the rival's CPU time the product takes in each
// round.
func (c *Comparison) ratios() (ratios []float64) {
	for i := range min(len(c.Ours), len(c.Theirs)) {
		if c.Theirs[i].CPU > 0 {
			ratios = append(ratios, c.Ours[i].CPU/c.Theirs[i].CPU)
		}
	}
	return ratios
}

// ratioWithPostgres is as ratio, of the CPU time of both together: the server and PostgreSQL's own processes.
func (c *Comparison) ratioWithPostgres() float64 {
	var ratios []float64
	for i := range min(len(c.Ours), len(c.Theirs)) {
		if theirs := c.Theirs[i].CPU + c.Theirs[i].DatabaseCPU; theirs > 0 {
			ratios = append(ratios, (c.Ours[i].CPU+c.Ours[i].DatabaseCPU)/theirs)
		}
	}
	return middle(ratios)
}

// ratioText returns a ratio in words.
func ratioText(ratio float64) string {
	switch {
	case ratio == 0:
		return ""
	case ratio < 1:
		return fmt.Sprintf("%.1fx cheaper", 1/ratio)
	}
	return fmt.Sprintf("%.1fx dearer", ratio)
}

// A Run is what a run of the bench found.
type Run struct {
	Time        time.Time     `json:"time"`
	Go          string        `json:"go"`
	Machine     string        `json:"machine"`
	Rounds      int           `json:"rounds"`
	Sizes       []int         `json:"sizes"` // computers of each database
	Notes       []string      `json:"notes,omitempty"`
	Comparisons []*Comparison `json:"comparisons"`
	Works       []*Work       `json:"works,omitempty"`
}

// WriteJSON writes the run with all its samples, from which another program can separate noise from change.
func (r *Run) WriteJSON(file string) error {
	text, err := r.marshal("  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}

// heads are the columns of the table.
var heads = []string{
	"per operation", "CPU µs", "allocs", "alloc KB", "KB", "p50 ms", "p99 ms", "ops/s", "RSS MB", "db µs",
	"beside", "CPU µs", "allocs", "ops/s", "ratio", "goal",
}

// Text returns the run as a table, after what is missed and a line about the run.
func (r *Run) Text() string {
	var b strings.Builder
	b.WriteString(r.missedText(align) + "\n")
	sizes := strings.Trim(strings.ReplaceAll(fmt.Sprint(r.Sizes), " ", ", "),
		"[]") + " computers, as many tickets and as much software"
	fmt.Fprintf(&b, "%s, %s, %s, %s; %s; medians of %d rounds\n", r.Time.Format(time.RFC3339), r.Go, r.Machine,
		r.paceText(), sizes, r.Rounds)
	rows := [][]string{heads}
	for _, c := range r.Comparisons {
		rows = append(rows, c.cells())
	}
	b.WriteString(align(rows) + r.goalsText() + r.workText())
	for _, c := range r.Comparisons {
		if c.Failed != "" {
			fmt.Fprintf(&b, "%s: %s\n", c.Name, c.Failed)
		}
	}
	for _, note := range r.Notes {
		b.WriteString(note + "\n")
	}
	return b.String()
}

// cells returns the comparison's line.
func (c *Comparison) cells() []string {
	ours, theirs := Median(c.Ours), Median(c.Theirs)
	return []string{
		c.Name, figure(ours.CPU), figure(ours.Allocs), figure(ours.AllocBytes / 1024), figure(ours.Bytes / 1024),
		figure(ours.P50), figure(ours.P99), figure(ours.PerSecond), figure(ours.Resident), figure(ours.DatabaseCPU),
		c.Rival, figure(theirs.CPU), figure(theirs.Allocs), figure(theirs.PerSecond), ratioText(c.Times()),
		c.goalText(),
	}
}

// figure returns a number with as many digits as mean something.
func figure(x float64) string {
	switch {
	case x == 0:
		return "-"
	case x < 10:
		return strconv.FormatFloat(x, 'f', 2, 64)
	case x < 100:
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return strconv.FormatFloat(x, 'f', 0, 64)
}

// align returns rows as lines with columns of equal width.
func align(rows [][]string) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	_ = w.Flush() // memory takes it
	return b.String()
}
