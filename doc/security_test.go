//go:build full

package doc_test

import (
	"os"
	"regexp"
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
	if len(found) < 20 {
		t.Errorf("got %d tests, want those of all promises", len(found))
	}
}
