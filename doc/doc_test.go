//go:build full

// Package doc_test keeps the documentation true.
package doc_test

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/server"
)

var update = flag.Bool("update", false, "write what is made in kinds.md anew")

const kindsPage = "kinds.md"

// documented returns the kinds that have addresses.
func documented() []*kind.Schema { return append(inventory.Served(), inventory.Comments.Schema) }

// TestTables holds the tables of the kinds against their declarations.
func TestTables(t *testing.T) {
	for _, k := range documented() {
		if *update && !strings.Contains(read(t), "\n<!-- "+k.Item+": ") {
			begin(t, k)
		}
		compare(t, k.Item, k.Reference())
	}
}

// begin adds a chapter for a kind that has none yet.
func begin(t *testing.T, k *kind.Schema) {
	t.Helper()
	const how = "made from the declaration; go test -tags full ./doc -update renews it"
	chapter := fmt.Sprintf("\n## %s\n\n<!-- %s: %s -->\n<!-- end -->\n", kind.Words(k.Nouns), k.Item, how)
	if err := os.WriteFile(kindsPage, []byte(strings.TrimRight(read(t), "\n")+"\n"+chapter), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestInstalled holds the table of software below a computer, whose documents
// say more than those of software, against its declaration.
func TestInstalled(t *testing.T) {
	const list = "/hardwares/<id>/softwares"
	k := inventory.Installations
	compare(t, "installed software",
		fmt.Sprintf("Collection `%s.xml` with root `%s`, record `%s/<id>.xml` with root `%s`.\n\n%s",
			list, k.Plural, list, k.Item, k.FieldTable()))
}

// TestRelated holds the table of related lists against their declarations.
func TestRelated(t *testing.T) {
	table := "| List | Holds | Verbs | One of them |\n|---|---|---|---|\n"
	for _, k := range inventory.Served() {
		for _, r := range desk.Relations(k.Stored()) {
			path := "/" + k.Path() + "/<id>/" + r.Name
			verbs, one := "GET", ""
			if r.Creates() {
				verbs += ", POST"
			}
			if r.Single {
				one = "GET `" + path + "/<id>`"
			}
			if r.Ties() {
				one = strings.Replace(one, "GET", "GET, DELETE", 1)
			}
			table += fmt.Sprintf("| `%s` | `%s` | %s | %s |\n", path, r.Kind.Item, verbs, one)
		}
	}
	compare(t, "related lists", table)
}

var example = regexp.MustCompile(`<!-- example (/[^:]*):`)

// TestExamples asks the demo organisation for the documents that the page
// shows, of each kind that has addresses and that it has records of.
func TestExamples(t *testing.T) {
	s := mustertest.Start(t, mustertest.Options{Change: func(cfg *server.Config) {
		cfg.Demo, cfg.DemoSize, cfg.BaseURL = true, 60, "https://localhost:8443"
	}})
	admin := s.Admin()
	var kinds []string
	for _, m := range example.FindAllStringSubmatch(read(t), -1) {
		got := admin.Get(m[1])
		if got.Status != http.StatusOK {
			t.Fatalf("%s: got %d %s, want 200", m[1], got.Status, got.Body)
		}
		_, document, _ := strings.Cut(got.Body, "?>\n")
		kinds = append(kinds, document[1:strings.Index(document, ">")])
		compare(t, "example "+m[1], "```xml\n"+strings.TrimSpace(document)+"\n```\n")
	}
	for _, k := range documented() {
		if !slices.Contains(kinds, k.Stored().Item) &&
			admin.Get("/"+k.Path()+".xml").Header.Get("X-Total-Count") != "0" {
			t.Errorf("%s has no example of a %s", kindsPage, k.Item)
		}
	}
}

func read(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile(kindsPage)
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// compare holds a made section of the page against what it should be, or writes
// it.
func compare(t *testing.T, name, want string) {
	t.Helper()
	page := read(t)
	section := regexp.MustCompile(`(?s)<!-- ` + regexp.QuoteMeta(name) + `: [^\n]*-->\n(.*?)<!-- end -->`)
	at := section.FindStringSubmatchIndex(page)
	if at == nil {
		t.Errorf("%s has no section %s", kindsPage, name)
		return
	}
	if want = "\n" + want + "\n"; page[at[2]:at[3]] == want {
		return
	}
	if !*update {
		t.Errorf("the section %s of %s is\n%s\nwant\n%s\nrun go test -tags full ./doc -update", name, kindsPage,
			page[at[2]:at[3]], want)
		return
	}
	if err := os.WriteFile(kindsPage, []byte(page[:at[2]]+want+page[at[3]:]), 0o644); err != nil {
		t.Fatal(err)
	}
}
