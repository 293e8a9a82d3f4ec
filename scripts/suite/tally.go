package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
)

// slowest is how many of the slowest tests are shown.
const slowest = 10

// A tally counts what tests did. A test that has parts is counted by these.
type tally struct {
	passed, failed, skipped int
	stages                  []took
	tests                   []took // with no parts
}

// A took is how long something took.
type took struct {
	name string
	time time.Duration
}

// An event is a line that go test prints with -json.
type event struct {
	Action      string
	Package     string
	ImportPath  string
	Test        string
	Elapsed     float64
	Output      string
	FailedBuild string
}

// A running is a package whose tests are under way.
type running struct {
	passed, failed, skipped int
	output                  map[string][]string // by test, of those that have not ended yet
	parts                   map[string]bool     // which tests have parts
	failedIn                map[string]bool     // which have parts that failed
}

// A reader reads the events of a stage into a tally.
type reader struct {
	*tally
	to       io.Writer
	aloud    bool // what passing tests say is printed too
	packages map[string]*running
	builds   map[string][]string // what the compiler said, by package
}

// read reads events to their end, and prints each package that has ended and what was
// said by tests that failed.
func (a *tally) read(from io.Reader, to io.Writer, aloud bool) error {
	r := reader{tally: a, to: to, aloud: aloud, packages: map[string]*running{}, builds: map[string][]string{}}
	lines := bufio.NewReaderSize(from, 1<<20)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) != nil {
				fmt.Fprintf(r.to, "%s", line) // such as what with-postgres says
			} else {
				r.see(e)
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// see counts one event.
func (r *reader) see(e event) {
	if e.Action == "build-output" {
		r.builds[e.ImportPath] = append(r.builds[e.ImportPath], e.Output)
		return
	}
	p := r.packages[e.Package]
	if p == nil {
		p = &running{output: map[string][]string{}, parts: map[string]bool{}, failedIn: map[string]bool{}}
		r.packages[e.Package] = p
	}
	switch e.Action {
	case "run":
		p.parts[whole(e.Test)] = true
	case "output":
		if !strings.HasPrefix(e.Output, "=== ") { // that it runs, waits, goes on
			p.output[e.Test] = append(p.output[e.Test], e.Output)
		}
	case "pass", "fail", "skip":
		if e.Test != "" {
			r.ended(p, e)
		} else {
			r.endedPackage(p, e)
		}
	}
}

// ended counts a test that has ended.
func (r *reader) ended(p *running, e event) {
	said := p.output[e.Test]
	delete(p.output, e.Test)
	if e.Action != "pass" || r.aloud || slices.ContainsFunc(said, isAlarm) {
		fmt.Fprintf(r.to, "--- %s %s %s\n%s", strings.ToUpper(e.Action), e.Package, e.Test, strings.Join(said, ""))
	}
	if e.Action == "fail" {
		p.failedIn[whole(e.Test)] = true
	}
	if p.parts[e.Test] {
		if e.Action == "fail" && !p.failedIn[e.Test] { // it has itself
			p.failed++
		}
		return
	}
	switch e.Action {
	case "pass":
		p.passed++
	case "fail":
		p.failed++
	case "skip":
		p.skipped++
	}
	r.tests = append(r.tests, took{e.Package + " " + e.Test, seconds(e.Elapsed)})
}

// isAlarm reports whether a line is about the whole process rather than the test that
// it is attributed to, which is just the last that was named.
func isAlarm(line string) bool {
	return strings.Contains(line, "WARNING: DATA RACE") || strings.HasPrefix(line, "panic:") ||
		strings.HasPrefix(line, "fatal error:")
}

// whole returns the test that a test is a part of, "" for none.
func whole(test string) string { return test[:max(0, strings.LastIndex(test, "/"))] }

// endedPackage counts a package that has ended, and prints it.
func (r *reader) endedPackage(p *running, e event) {
	if e.Action == "fail" {
		if p.failed == 0 { // it was not built, or ended before its tests
			p.failed++
		}
		fmt.Fprint(r.to, strings.Join(r.builds[e.FailedBuild], ""), strings.Join(p.output[""], ""))
		delete(p.output, "")
		// one of them has ended the process, or did not end itself
		for _, test := range slices.Sorted(maps.Keys(p.output)) {
			fmt.Fprintf(r.to, "--- not ended: %s %s\n%s", e.Package, test, strings.Join(p.output[test], ""))
		}
	}
	r.passed, r.failed, r.skipped = r.passed+p.passed, r.failed+p.failed, r.skipped+p.skipped
	if p.passed+p.failed+p.skipped > 0 {
		mark := "ok  "
		if p.failed > 0 {
			mark = "FAIL"
		}
		fmt.Fprintf(r.to, "%s  %-28s %5d tests %8s\n", mark, strings.TrimPrefix(e.Package, "muster/"),
			p.passed+p.failed+p.skipped, seconds(e.Elapsed).Round(100*time.Millisecond))
	}
}

// report prints what took longest, and at the end all counts.
func (a *tally) report(w io.Writer, total time.Duration) {
	slices.SortStableFunc(a.tests, func(x, y took) int { return cmp.Compare(y.time, x.time) })
	fmt.Fprintln(w, "\nThe slowest tests:")
	for _, t := range a.tests[:min(slowest, len(a.tests))] {
		fmt.Fprintf(w, "%8s  %s\n", t.time.Round(100*time.Millisecond), strings.TrimPrefix(t.name, "muster/"))
	}
	fmt.Fprintln(w, "\nThe stages:")
	for _, s := range a.stages {
		fmt.Fprintf(w, "%8s  %s\n", s.time.Round(time.Second), s.name)
	}
	fmt.Fprintf(w, "\n%s: %d passed, %d failed, %d skipped\n", total.Round(time.Second), a.passed, a.failed, a.skipped)
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
