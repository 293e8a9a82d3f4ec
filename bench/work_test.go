//go:build full

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"muster/bench/result"
)

// TestWork lets a few technicians do all that they do, an agent of each sort report, and finds nothing that failed.
func TestWork(t *testing.T) {
	s := &settings{rounds: 1, size: 30, data: t.TempDir(), work: time.Second, only: regexp.MustCompile("")}
	db, err := openSQLiteRun(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	defer db.close()
	w := newWork(s, result.SQLite)
	w.Technicians, w.Reports, w.pause = 3, 200*3600, 50*time.Millisecond
	if err := w.bench(t.Context(), s, db); err != nil {
		t.Fatal(err)
	}
	if w.Resident <= 0 || w.CPU <= 0 || w.Seconds < s.work.Seconds() {
		t.Errorf("got %+v, want memory, CPU time and at least a second", w)
	}
	names := map[string]bool{}
	for _, a := range w.Actions {
		names[a.Name] = true
		if a.Count == 0 || a.Refused+a.Failed > 0 || a.P50 > a.P99 || a.P99 > a.Worst {
			t.Errorf("got %+v, want one that was answered each time", a)
		}
	}
	for _, name := range []string{
		"backup", "comment on a ticket", "computer", "dashboard", "export of all computers", "import of 500 rows",
		"list of computers", "list of tickets", "queue stays open", "report, first", "report, typical",
		"report, unchanged", "save a ticket", "search, a key stroke", "search, its results", "ticket",
	} {
		if !names[name] {
			t.Errorf("got no action %q", name)
		}
	}
}

// TestPlanIsTheSame makes sure that technicians do the same in every run, and neither hurry nor rest.
func TestPlanIsTheSame(t *testing.T) {
	plan := func(seed uint64) (all []string) {
		person := &technician{computers: 1000, pause: workPause}
		for _, one := range person.plan(rand.New(rand.NewPCG(5, seed)), time.Hour) {
			all = append(all, fmt.Sprint(one.at, one.name))
		}
		return all
	}
	first := plan(1)
	if got := plan(1); strings.Join(got, "\n") != strings.Join(first, "\n") {
		t.Errorf("got another plan of the same technician: %v", got)
	}
	if got := plan(2); strings.Join(got, "\n") == strings.Join(first, "\n") {
		t.Error("got the same plan of another technician")
	}
	if got, want := len(first), int(time.Hour/workPause); got < want || got > 2*want { // a search is several
		t.Errorf("got %d steps in an hour, want from %d to %d", got, want, 2*want)
	}
}

func TestHabitsAreAHundred(t *testing.T) {
	sum := 0
	for _, h := range habits {
		sum += h.share
	}
	if sum != 100 {
		t.Errorf("got %d clicks of a hundred, want all", sum)
	}
}

// TestCarryOut makes sure that a slow answer keeps nobody else from asking.
func TestCarryOut(t *testing.T) {
	second := make(chan struct{})
	got := carryOut(t.Context(), []step{
		{name: "waits for the second", do: func(context.Context) error { <-second; return nil }},
		{name: "second", do: func(context.Context) error { close(second); return nil }},
		{name: "lasting", lasting: true, do: func(context.Context) error { return errLimit }},
	})
	if len(got) != 3 || got[0].took <= 0 || got[2].took != 0 || !errors.Is(got[2].err, errLimit) {
		t.Errorf("got %+v, want all three, with the error of the last and no time", got)
	}
}

func TestActionsOf(t *testing.T) {
	slow := outcome{name: "ticket", took: 3 * time.Millisecond}
	all := actionsOf([]outcome{
		slow, {name: "ticket", took: time.Millisecond}, {name: "ticket", err: fmt.Errorf("x: %w", errLimit)},
		{name: "list", err: errors.New("got status 500\nand a page")}, {name: "list", err: errors.New("later")},
	})
	list, ticket := result.Action{Name: "list", Count: 2, Failed: 2, Fault: "got status 500"},
		result.Action{Name: "ticket", Count: 3, P50: 3, P99: 3, Worst: 3, Refused: 1}
	if len(all) != 2 || *all[0] != list || *all[1] != ticket {
		t.Errorf("got %+v and %+v, want %+v and %+v", all[0], all[1], list, ticket)
	}
}

// TestAnswer tells refusals of a limit from other failures.
func TestAnswer(t *testing.T) {
	for status, want := range map[int]struct{ fails, limit bool }{
		200: {false, false}, 404: {true, false}, 409: {true, false}, 429: {true, true}, 500: {true, false},
		503: {true, true},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
		defer s.Close()
		r := httptest.NewRequest(http.MethodGet, s.URL, nil)
		r.RequestURI = ""
		_, err := answer(http.DefaultClient, r)
		if (err != nil) != want.fails || errors.Is(err, errLimit) != want.limit {
			t.Errorf("status %d: got %v, want an error %v, of a limit %v", status, err, want.fails, want.limit)
		}
	}
}
