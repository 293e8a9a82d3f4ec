//go:build full

package doc_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"muster/internal/mustertest"
)

var (
	metricRow  = regexp.MustCompile("(?m)^\\| `(muster_[a-z_]+)` \\| ([a-z]+) \\| ([a-z`, ]*) ?\\| (both|SQLite|PostgreSQL) \\| \\S")
	metricType = regexp.MustCompile(`(?m)^# TYPE (muster_[a-z_]+) ([a-z]+)$`)
	metricName = regexp.MustCompile(`muster_[a-z_]+`)
	sampleName = regexp.MustCompile(`([a-z_]+)="`)
)

// TestMetricsTable holds the table of observe.md against what a server exports,
// both ways: name, type and labels, on both databases.
func TestMetricsTable(t *testing.T) {
	page, err := os.ReadFile("observe.md")
	if err != nil {
		t.Fatal(err)
	}
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		other := map[string]string{"sqlite": "PostgreSQL", "postgres": "SQLite"}[db.Name]
		want := map[string]string{}
		for _, row := range metricRow.FindAllStringSubmatch(string(page), -1) {
			if row[4] != other {
				want[row[1]] = row[2] + " " + strings.Join(strings.FieldsFunc(row[3],
					func(r rune) bool { return strings.ContainsRune("`, ", r) }), " ")
			}
		}
		s := mustertest.Start(t, mustertest.Options{On: db})
		s.Admin().Get("/hardwares/1")
		mustertest.Eventually(t, "the tables were measured",
			func() bool { return strings.Contains(s.Observed("/metrics"), "\nmuster_database_table_bytes{") })
		if diff := cmp.Diff(want, exported(s.Observed("/metrics"))); diff != "" {
			t.Errorf("the table (-) and the server (+) differ:\n%s", diff)
		}
	})
}

// exported returns the type and the labels of each metric, by its name.
func exported(text string) map[string]string {
	out := map[string]string{}
	for _, m := range metricType.FindAllStringSubmatch(text, -1) {
		labels := map[string]bool{}
		for line := range strings.Lines(text) {
			if name, rest, _ := strings.Cut(line, "{"); family(name, m[2]) == m[1] {
				for _, label := range sampleName.FindAllStringSubmatch(rest, -1) {
					labels[label[1]] = label[1] != "le"
				}
			}
		}
		maps.DeleteFunc(labels, func(_ string, own bool) bool { return !own })
		// In the order of the table, which is the one that people think in.
		order := []string{"route", "method", "status", "version", "go", "handler", "state"}
		names := slices.SortedFunc(maps.Keys(labels),
			func(a, b string) int { return slices.Index(order, a) - slices.Index(order, b) })
		out[m[1]] = m[2] + " " + strings.Join(names, " ")
	}
	return out
}

// family returns the metric of a series.
func family(series, kind string) string {
	if kind == "histogram" {
		for _, end := range []string{"_bucket", "_sum", "_count"} {
			series = strings.TrimSuffix(series, end)
		}
	}
	return series
}

// TestRules: the pages and the examples name no metric that there is not.
func TestRules(t *testing.T) {
	page, err := os.ReadFile("observe.md")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, row := range metricRow.FindAllStringSubmatch(string(page), -1) {
		known[row[1]] = true
		if row[2] == "histogram" {
			known[row[1]+"_bucket"] = true
		}
	}
	files, err := filepath.Glob("../packaging/examples/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("got the examples %v, %v", files, err)
	}
	for _, file := range append(files, "observe.md", "operate.md") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range metricName.FindAllString(string(text), -1) {
			if !known[name] && !known[strings.TrimSuffix(name, "_count")] {
				t.Errorf("%s names %s, which is not in the table of observe.md", file, name)
			}
		}
	}
}

var (
	alertName = regexp.MustCompile(`(?m)^ *- alert: (\w+)$`)
	alarmRow  = regexp.MustCompile(`(?m)^\| (Muster\w+) \| [^|]+ \| .+ \|$`)
)

// TestAlarms: operate.md says of each alert of the examples what it means and what to do, and of no other.
func TestAlarms(t *testing.T) {
	names := func(file string, row *regexp.Regexp) (names []string) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range row.FindAllSubmatch(text, -1) {
			names = append(names, string(found[1]))
		}
		return names
	}
	want := names("../packaging/examples/muster-rules.yml", alertName)
	if diff := cmp.Diff(want, names("operate.md", alarmRow)); diff != "" || len(want) == 0 {
		t.Errorf("the alerts (-) and the table of alarms (+) differ:\n%s", diff)
	}
}
