//go:build full

package main_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"muster/internal/inventory"
)

// timestamp is what two demo organisations may differ in, besides the host.
var timestamp = regexp.MustCompile(`\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?`)

// TestDemo: the demo organisation is the same wherever it is made.
func TestDemo(t *testing.T) {
	t.Parallel()
	got, want := demoDocuments(t), demoDocuments(t)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("two demo organisations differ:\n%s", diff)
	}
	list := got["/hardwares.xml?per_page=1000"]
	if !strings.Contains(list, "<total_entries>250</total_entries>") || strings.Count(list, "<hardware>") != 250 {
		t.Errorf("the list has %d computers, want 250", strings.Count(list, "<hardware>"))
	}
	for element, least := range map[string]int{
		"manufacturer": 3, "site": 3, "department": 5, "operating-system": 5, "category": 3, "status": 4,
	} {
		seen := map[string]bool{}
		for _, m := range regexp.MustCompile("<"+element+">([^<]+)<").FindAllStringSubmatch(list, -1) {
			seen[m[1]] = true
		}
		if len(seen) < least {
			t.Errorf("%s: got %d different ones, want %d or more", element, len(seen), least)
		}
	}
	checkParts(t, got["/hardwares/1.xml"])
}

// checkParts checks that no nested collection of a computer is empty.
func checkParts(t *testing.T, rec string) {
	t.Helper()
	collections := regexp.MustCompile(`<([a-z]+) type="array"(/?)>`).FindAllStringSubmatch(rec, -1)
	if len(collections) != 13 {
		t.Errorf("the first computer has %d nested collections, want 13", len(collections))
	}
	for _, c := range collections {
		if c[2] != "" {
			t.Errorf("the first computer has no %s", c[1])
		}
	}
}

// demoDocuments returns documents of a new demo organisation by their path.
func demoDocuments(t *testing.T) map[string]string {
	t.Helper()
	f := newFolder(t)
	s := f.serve("--demo", "--rate-limit", "0")
	defer s.stop()
	paths := []string{"/api.xml"}
	for _, k := range inventory.Served() {
		paths = append(paths, "/"+k.Path()+".xml?per_page=1000")
	}
	for id := 1; id <= 250; id += 9 {
		paths = append(paths, fmt.Sprintf("/hardwares/%d.xml", id))
	}
	documents, c := map[string]string{}, s.admin()
	for _, path := range paths {
		got := c.Get(path)
		if got.Status != http.StatusOK {
			t.Fatalf("%s: got %d, want 200", path, got.Status)
		}
		documents[path] = timestamp.ReplaceAllString(strings.ReplaceAll(got.Body, s.base, "https://host"), "TIME")
	}
	_, documents["users"], _ = strings.Cut(f.must("user", "list"), "\n2 ") // the first one's last login differs
	return documents
}

func TestDemoOnExistingDatabase(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	first := f.serve()
	first.stop()
	s := f.serve("--demo")
	if !strings.Contains(s.out.String(), "The database is not new: no demo data was added.\n") {
		t.Errorf("got\n%s\nwant a word about the demo data", s.out)
	}
	if got := s.client(admin, first.password).Get("/hardwares.xml"); !strings.Contains(got.Body,
		"<total_entries>0</total_entries>") {
		t.Errorf("got %d %s, want an empty list", got.Status, got.Body)
	}
	if list := f.must("user", "list"); strings.Count(list, "\n") != 2 {
		t.Errorf("got the users\n%s\nwant the administrator alone", list)
	}
}
