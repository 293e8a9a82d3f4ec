// Package doc_test keeps the documentation true.
package doc_test

import (
	"flag"
	"os"
	"regexp"
	"testing"

	"muster/internal/inventory"
)

var update = flag.Bool("update", false, "write the tables of api.md anew")

// TestTables holds the tables of api.md against the declarations.
func TestTables(t *testing.T) {
	page, err := os.ReadFile("api.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range inventory.Served() {
		section := regexp.MustCompile(`(?s)(<!-- ` + k.Item + `: [^\n]*-->\n).*?(<!-- end -->)`)
		if !section.Match(page) {
			t.Errorf("api.md has no section of %s", k.Item)
			continue
		}
		want := section.ReplaceAll(page, []byte("${1}\n"+k.Reference()+"\n${2}"))
		if string(want) == string(page) {
			continue
		}
		if !*update {
			t.Errorf("the tables of %s in api.md are not those of its declaration; run go test ./doc -update", k.Item)
		}
		page = want
	}
	if *update {
		if err := os.WriteFile("api.md", page, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
