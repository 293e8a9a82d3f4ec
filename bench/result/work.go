package result

import (
	"fmt"
	"strings"
)

// A Work is what was found about a desk at work.
type Work struct {
	Name        string    `json:"name"`
	Computers   int       `json:"computers"`
	Technicians int       `json:"technicians"`
	Reports     int       `json:"reports_an_hour"`
	Seconds     float64   `json:"seconds"`
	CPU         float64   `json:"cpu_percent"`                    // of one processor
	DatabaseCPU float64   `json:"database_cpu_percent,omitempty"` // of PostgreSQL's own processes
	Resident    float64   `json:"resident_mb"`                    // the most
	MaxResident float64   `json:"max_resident_mb,omitempty"`      // the goal, 0 for none
	Actions     []*Action `json:"actions"`
}

// An Action is what was found about one sort of action.
type Action struct {
	Name    string  `json:"name"`
	Count   int     `json:"count"`
	P50     float64 `json:"p50_ms"`
	P99     float64 `json:"p99_ms"`
	Worst   float64 `json:"worst_ms"`
	Refused int     `json:"refused"` // by a limit
	Failed  int     `json:"failed"`
	Fault   string  `json:"fault,omitempty"` // of the first that failed
}

// verdicts judges memory, and requests that failed without a limit's refusal.
func (w *Work) verdicts() (all []verdict) {
	if w.MaxResident > 0 && w.Resident > 0 {
		all = append(all, verdict{
			aim: "desk at work", goal: fmt.Sprintf("<= %g MB in memory", w.MaxResident), name: w.Name,
			found: figure(w.Resident) + " MB in memory", share: w.Resident / w.MaxResident,
		})
	}
	failed := 0
	for _, a := range w.Actions {
		failed += a.Failed
	}
	return append(all, verdict{
		aim: "desk at work", goal: "no request fails", name: w.Name, found: fmt.Sprintf("%d failed", failed),
		share: 2 * float64(failed),
	})
}

// sum returns a line about all actions.
func (w *Work) sum() string {
	text := fmt.Sprintf("%d technicians and %s reports an hour for %.0f s; %.0f %% of a processor", w.Technicians,
		Counted(w.Reports), w.Seconds, w.CPU)
	if w.DatabaseCPU > 0 {
		text += fmt.Sprintf(" and %.0f %% for the database", w.DatabaseCPU)
	}
	return text + fmt.Sprintf(", at most %s MB in memory", figure(w.Resident))
}

// text returns a table of the actions, after a line about all of them.
func (w *Work) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s: %s", w.Name, w.sum())
	for _, v := range w.verdicts() {
		b.WriteString("; " + v.text())
	}
	b.WriteString("\n" + align(w.rows()))
	for _, a := range w.Actions {
		if a.Fault != "" {
			fmt.Fprintf(&b, "%s: %s\n", a.Name, a.Fault)
		}
	}
	return b.String()
}

// rows are the actions as a table.
func (w *Work) rows() [][]string {
	rows := [][]string{{"action", "times", "p50 ms", "p99 ms", "worst ms", "refused", "failed"}}
	for _, a := range w.Actions {
		rows = append(rows, []string{
			a.Name, fmt.Sprint(a.Count), figure(a.P50), figure(a.P99), figure(a.Worst), fmt.Sprint(a.Refused),
			fmt.Sprint(a.Failed),
		})
	}
	return rows
}

// workText returns the tables of all desks at work.
func (r *Run) workText() string {
	var b strings.Builder
	for _, w := range r.Works {
		b.WriteString(w.text())
	}
	return b.String()
}
