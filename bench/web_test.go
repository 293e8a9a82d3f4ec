//go:build full

package main

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestPages makes sure that each page that is measured is there, for somebody
// who has signed in, and that the goal is that of one size.
func TestPages(t *testing.T) {
	const n = 30
	s := &settings{rounds: 1, size: n, data: t.TempDir(), only: regexp.MustCompile("")}
	db, err := openSQLiteRun(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	defer db.close()
	a, err := openArena(t.Context(), s, db)
	if err != nil {
		t.Fatal(err)
	}
	defer a.close()
	cookie, err := a.session(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c, err := dial(t.Context(), a.muster)
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	c.cookie = cookie
	for _, o := range pages(n) {
		for i := range int64(2) {
			d := &driver{client: c, status: o.status, cookie: cookie, next: func() request { return o.make(i) }}
			if err := d.one(); err != nil {
				t.Errorf("%s: got %v, want an answer", o.name, err)
			}
		}
		if o.goals.MaxCPU != 0 {
			t.Errorf("%s: got a goal with %d computers, want none", o.name, n)
		}
	}
	for _, o := range pages(webSize) {
		want := 12_000.0
		if o.name == "page, dashboard" {
			want = 20_000
		}
		if got := o.goals.MaxCPU; got != want {
			t.Errorf("%s: got %v µs with %d computers, want %v", o.name, got, webSize, want)
		}
	}
}

// TestPagesOfSections finds among the pages that are measured each list of the
// application, a record of each, the parts of a computer's page, and each list
// that belongs to records.
func TestPagesOfSections(t *testing.T) {
	s := mustertest.Start(t, mustertest.Options{Change: func(cfg *server.Config) { cfg.Demo = true }})
	routes, measured := http.NewServeMux(), map[string]bool{}
	for _, route := range s.WebRoutes() {
		routes.HandleFunc(route.Path, http.NotFound)
	}
	var targets []string
	for _, p := range webPages {
		target := p.target(0, webSize)
		targets = append(targets, target)
		_, pattern := routes.Handler(httptest.NewRequest(http.MethodGet, target, nil))
		measured[pattern] = true
	}
	for _, path := range wantedPages(s) {
		if !measured[path] {
			t.Errorf("%s: it is not measured", path)
		}
	}
	page := s.SignIn(server.Administrator).Get("/app/computers/1").Body
	tabs := regexp.MustCompile(`/computers/1(\?tab=\w+)"`).FindAllStringSubmatch(page, -1)
	if len(tabs) == 0 {
		t.Fatalf("got no tabs on the page of a computer: %s", page)
	}
	for _, tab := range tabs {
		if !slices.ContainsFunc(targets, func(target string) bool { return strings.HasSuffix(target, tab[1]) }) {
			t.Errorf("/computers/{id}%s: it is not measured", tab[1])
		}
	}
}

// wantedPages are the routes of lists, which can be exported, of their records and
// of what belongs to these.
func wantedPages(s *mustertest.Server) (all []string) {
	for _, route := range s.WebRoutes() {
		if list, ok := strings.CutSuffix(route.Path, "/export.csv"); ok {
			all = append(all, list, list+"/{id}")
		}
		related := regexp.MustCompile(`^/\w+/\{id\}/\w+$`).MatchString(route.Path) && route.Allow == "GET, HEAD"
		if related && !strings.HasSuffix(route.Path, "/events") && !strings.HasSuffix(route.Path, "/file") {
			all = append(all, route.Path)
		}
	}
	return all
}
