package main

import (
	"regexp"
	"testing"
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
	if got := pages(webSize)[0].goals.MaxCPU; got != webCPU {
		t.Errorf("got %v µs with %d computers, want %d", got, webSize, webCPU)
	}
}
