//go:build full

package doc_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// namedTest is a test as security.md names it, by the folder of its package.
var namedTest = regexp.MustCompile("`([a-z_]+)\\.(Test[A-Za-z0-9]+)`")

// TestSecurity holds security.md against the tests that it names.
func TestSecurity(t *testing.T) {
	page, err := os.ReadFile("security.md")
	if err != nil {
		t.Fatal(err)
	}
	all, found := readTests(t), namedTest.FindAllStringSubmatch(string(page), -1)
	for _, name := range found {
		if all[name[1]+"."+name[2]] == nil {
			t.Errorf("there is no test %s.%s", name[1], name[2])
		}
	}
	_, promises, _ := strings.Cut(string(page), "\n## Promises\n")
	rows := 0
	for line := range strings.Lines(promises) {
		cells := strings.Split(line, " | ")
		if len(cells) < 2 || strings.HasPrefix(line, "| promise") {
			continue
		}
		if rows++; !namedTest.MatchString(cells[1]) {
			t.Errorf("no test keeps the promise %s", line)
		}
	}
	if rows < 20 {
		t.Errorf("got %d promises, want all", rows)
	}
}
