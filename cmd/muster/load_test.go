//go:build full && volume

package main_test

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"
)

// TestVolumeLoad checks that the server, a process of its own, stays within its limits
// under load, and prints each figure beside its bound.
func TestVolumeLoad(t *testing.T) {
	g := &figures{t: t}
	t.Run("slow headers", func(t *testing.T) { loadSlowHeaders(t, g) })
	t.Run("slow bodies", func(t *testing.T) { loadSlowBodies(t, g) })
	t.Run("a crowd of slow requests", func(t *testing.T) { loadCrowd(t, g) })
	t.Run("sign-ins", func(t *testing.T) { loadSignIns(t, g) })
	t.Run("streams given up", func(t *testing.T) { loadReset(t, g) })
	t.Run("stop", func(t *testing.T) { loadStop(t, g) })
	t.Run("PostgreSQL stands still", func(t *testing.T) { loadFrozen(t, g) })
	t.Run("slow readers", func(t *testing.T) { loadSlowReaders(t, g) })
	t.Run("idle connections", func(t *testing.T) { loadIdle(t, g) })
	t.Run("too many requests", func(t *testing.T) { loadOver(t, g) })
	g.print()
}

// figures are what was measured, each beside its bound.
type figures struct {
	t    *testing.T
	mu   sync.Mutex
	rows [][]string
}

// atMost notes a figure that must not be over its bound.
func (g *figures) atMost(t *testing.T, name string, got, bound float64, unit string) {
	t.Helper()
	g.add(t, name, got, "<=", bound, unit, got <= bound)
}

// atLeast notes a figure that must not be under its bound.
func (g *figures) atLeast(t *testing.T, name string, got, bound float64, unit string) {
	t.Helper()
	g.add(t, name, got, ">=", bound, unit, got >= bound)
}

func (g *figures) add(t *testing.T, name string, got float64, sign string, bound float64, unit string, ok bool) {
	t.Helper()
	verdict := "ok"
	if !ok {
		verdict = "BROKEN"
		t.Errorf("%s: got %.4g %s, want %s %g", name, got, unit, sign, bound)
	}
	g.row(name, got, unit, fmt.Sprintf("%s %g", sign, bound), verdict)
}

// note adds a figure that has no bound.
func (g *figures) note(name string, got float64, unit string) { g.row(name, got, unit, "", "") }

func (g *figures) row(name string, got float64, rest ...string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.rows = append(g.rows, append([]string{name, strconv.FormatFloat(got, 'g', 4, 64)}, rest...))
}

// print prints the table.
func (g *figures) print() {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, row := range g.rows {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	_ = w.Flush() // into memory
	g.t.Logf("\n%s", &b)
}

// processFigure returns a figure in kB that the system keeps of a process.
func processFigure(t *testing.T, s *service, name string) float64 {
	t.Helper()
	for line := range strings.Lines(read(t, fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))) {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			kB, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			if err != nil {
				t.Fatal(err)
			}
			return kB
		}
	}
	t.Fatalf("the system does not tell %s", name)
	return 0
}

// processorTime returns the processor time that a server has used.
func processorTime(t *testing.T, s *service) time.Duration {
	t.Helper()
	stat := read(t, fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	return hundredths(t, strings.Fields(stat[strings.LastIndex(stat, ")")+1:])[11:13]) // of the user and of the system
}

// hundredths adds up times that the system gives in hundredths of a second.
func hundredths(t *testing.T, fields []string) time.Duration {
	t.Helper()
	var ticks int
	for _, field := range fields {
		n, err := strconv.Atoi(field)
		if err != nil {
			t.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * time.Second / 100
}

// secondsSince is how long something took.
func secondsSince(begin time.Time) float64 { return time.Since(begin).Seconds() }
