//go:build full

package result

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// smallReport is a report with a little of everything.
func smallReport() *Run {
	r := &Run{Sizes: []int{1000, 1_000_000}, Comparisons: []*Comparison{
		{Name: "stripped binary", Ours: []Sample{{Bytes: 1 << 20}}},
		{Name: "digest MD5", Rival: "two bare hashes", Ours: []Sample{{CPU: 2}}, Theirs: []Sample{{CPU: 1}}},
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
	r.Works = []*Work{{Name: "sqlite 1000 desk at work", Computers: 1000, Technicians: 3, Reports: 5, Seconds: 7, CPU: 12,
		Resident: 99, Actions: []*Action{{Name: "ticket", Count: 2, P50: 1, P99: 4, Worst: 5}}}}
	return r
}

// few is the layout of a document with one list.
var few = Layout{Lists: []Row{{[]string{"25", "no filter"}, []string{"list of 25, no filter, first page"}}}}

func TestDocumentIsMade(t *testing.T) {
	folder := t.TempDir()
	var page strings.Builder
	for name := range smallReport().docParts(Layout{}) {
		page.WriteString("<!-- " + name + ": made -->\nold\n<!-- end -->\n")
	}
	file := filepath.Join(folder, docFile)
	if err := os.WriteFile(file, []byte(page.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	result := filepath.Join(folder, "result.json")
	if err := smallReport().WriteJSON(result); err != nil {
		t.Fatal(err)
	}
	if err := WriteDoc([]string{result, folder}, few); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| 25 | no filter | 1.10 | 1.11 |", "| entry point | 114 µs (1.14x) |  |",
		"| growth of pages with size | <= 1.5x | 1.01x from 1,000 to 1,000,000 |",
		"| digest MD5 | 2.00 | - | two bare hashes | 1.00 | 2.0x dearer |", "**PostgreSQL",
		"**SQLite, 1,000 computers**: 3 technicians and 5 reports an hour for 7 s; 12 % of a processor, at most 99.0 MB in",
		"| ticket | 2 | 1.00 | 4.00 | 5.00 | 0 | 0 |",
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
	if err := WriteDoc([]string{result, folder}, few); err == nil {
		t.Error("a document without places: got no error, want one")
	}
}

func TestCounted(t *testing.T) {
	for n, want := range map[int]string{999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		if got := Counted(n); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestCostText(t *testing.T) {
	for _, test := range []struct {
		c    *Comparison
		want string
	}{
		{nil, ""},
		{&Comparison{Failed: "got status 503"}, "failed"},
		{&Comparison{Ours: []Sample{{CPU: 200}}, Theirs: []Sample{{CPU: 100}}}, "200 µs (2.00x)"},
		{&Comparison{Ours: []Sample{{CPU: 200, DatabaseCPU: 300}}, Theirs: []Sample{{CPU: 100}}},
			"200 + 300 µs (2.00x)"},
	} {
		if got := test.c.costText(); got != test.want {
			t.Errorf("%+v: got %q, want %q", test.c, got, test.want)
		}
	}
}
