//go:build full

package main

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDocument makes sure that the document and its charts show the figures that
// are stored beside them.
func TestDocument(t *testing.T) {
	const folder = "../doc"
	r, err := readReport(filepath.Join(folder, "performance.json"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := docFiles(r, folder)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 1+len(charts) {
		t.Errorf("got %d files, want the document and %d charts", len(files), len(charts))
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil || string(got) != want {
			t.Errorf("doc/%s is not what doc/performance.json tells (error %v): run go run ./bench doc doc/performance.json doc", name, err)
		}
	}
}

// chartReport is a report with some lines of a chart.
func chartReport() *report {
	r := &report{Sizes: []int{1000, 1_000_000}, Comparisons: []*comparison{
		{Name: "stripped binary", Ours: []sample{{Bytes: 1 << 20}}},
		{Name: "digest MD5", Rival: "two bare hashes", Ours: []sample{{CPU: 2}}, Theirs: []sample{{CPU: 1}}},
	}}
	for i, name := range []string{
		"sqlite 1000 list of 25, no filter, first page", "sqlite 1000000 list of 25, no filter, first page",
		"postgres 1000 list of 25, no filter, first page", "postgres 1000000 list of 25, no filter, first page",
		"sqlite 1000 entry point", "sqlite 1000 memory", "sqlite 1000 start",
	} {
		c := rounds(name, 100+float64(i), 120+float64(i), 110+float64(i))
		c.Computers, c.Flat = 1000, true
		if strings.Contains(name, "1000000") {
			c.Computers = 1_000_000
		}
		r.Comparisons = append(r.Comparisons, c)
	}
	return r
}

func TestDocumentIsMade(t *testing.T) {
	folder := t.TempDir()
	var page strings.Builder
	for name := range chartReport().docParts() {
		page.WriteString("<!-- " + name + ": made -->\nold\n<!-- end -->\n")
	}
	file := filepath.Join(folder, docFile)
	if err := os.WriteFile(file, []byte(page.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	result := filepath.Join(folder, "result.json")
	if err := chartReport().writeJSON(result); err != nil {
		t.Fatal(err)
	}
	if err := writeDoc([]string{result, folder}); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| 25 | no filter | 1.10 | 1.11 |", "| entry point | 114 µs (1.14x) |  |", "| growth of pages with size | <= 1.3x | 1.01x |",
		"| digest MD5 | 2.00 | - | two bare hashes | 1.00 | 2.0x dearer |", "**PostgreSQL",
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("got\n%swant it to have %q", got, want)
		}
	}
	if strings.Contains(string(got), "old") {
		t.Errorf("got\n%swant none of the old figures", got)
	}
	if err := os.WriteFile(file, []byte("no places"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := writeDoc([]string{result, folder}); err == nil {
		t.Error("a document without places: got no error, want one")
	}
}

func TestCharts(t *testing.T) {
	text := charts[0].svg(chartReport())
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("got %v in\n%s", err, text)
		}
	}
	for _, want := range []string{">1,000,000<", ">100 µs<", ">SQLite<", ">PostgreSQL", ">no filter, first page<"} {
		if !strings.Contains(text, want) {
			t.Errorf("got\n%swant it to have %q", text, want)
		}
	}
	if n := strings.Count(text, "<circle"); n != 8 { // two sizes of two lines, one of which is the ceiling, in two panels
		t.Errorf("got %d points, want 8", n)
	}
	if text := charts[1].svg(&report{}); !strings.Contains(text, "</svg>") {
		t.Errorf("got %q for nothing, want a chart without lines", text)
	}
}

func TestSteps(t *testing.T) {
	low, high := bounds([]*panel{{costs: [][]float64{{30, 0}, {700, 90}}, ceiling: []float64{25}}})
	if low != 20 || high != 1000 {
		t.Errorf("got bounds %v and %v, want 20 and 1000", low, high)
	}
	if got := steps(low, high); len(got) != 6 {
		t.Errorf("got %v, want 20, 50, 100, 200, 500 and 1000", got)
	}
	for us, want := range map[float64]string{20: "20 µs", 5000: "5 ms", 2e6: "2 s"} {
		if got := timeText(us); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	for n, want := range map[int]string{999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		if got := counted(n); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
