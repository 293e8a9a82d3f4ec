//go:build full

package result

import (
	"slices"
	"testing"
)

// TestTaskRows shows waiting times where they were measured.
func TestTaskRows(t *testing.T) {
	const name = "page, dashboard, beside 40 writes a second"
	r := &Run{Sizes: []int{10_000, 100_000}, Comparisons: []*Comparison{
		{Name: "sqlite 10000 " + name, Ours: []Sample{{P50: 1, P99: 12.34}, {P50: 3, P99: 12.34}}},
		{Name: "sqlite 100000 " + name, Failed: "got status 503"},
	}}
	tasks := []Row{{[]string{"open the dashboard"}, []string{name}}, {[]string{"open a list"}, []string{"page, list"}}}
	rows := r.taskRows(SQLite, tasks)
	if len(rows) != 1+len(tasks) {
		t.Fatalf("got %d rows, want a head and %d tasks", len(rows), len(tasks))
	}
	for i, want := range [][]string{
		{"p50 · p99 in ms", "10,000 computers", "100,000 computers", "1,000,000 computers"},
		{"open the dashboard", "2.00 · 12.3", "failed", "–"},
		{"open a list", "–", "–", "–"},
	} {
		if !slices.Equal(rows[i], want) {
			t.Errorf("row %d: got %q, want %q", i, rows[i], want)
		}
	}
	for _, row := range r.taskRows(Postgres, tasks)[1:] {
		if !slices.Equal(row[1:], []string{"–", "–", "–"}) {
			t.Errorf("the other database: got %q, want nothing measured", row)
		}
	}
}
