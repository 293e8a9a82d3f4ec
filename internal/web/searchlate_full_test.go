//go:build full

package web_test

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestSearchLate gives up looking for the words of computers while somebody locks
// them, and finds those whose names begin so and the records of all other kinds.
func TestSearchLate(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{On: mustertest.Postgres})
	v := s.SignIn(server.Administrator)
	for path, form := range map[string]url.Values{
		"computers": {"name": {"beamer-pc"}}, "tickets": {"name": {"The beamer is dark"}},
	} {
		expect(t, path, v.Post("/app/"+path+"/new", form), http.StatusSeeOther)
	}
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, s.Database)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, "BEGIN; LOCK TABLE hardwares_search"); err != nil {
		t.Fatal(err)
	}
	finds := func(target string, want ...string) { // in one of some tries: the machine may have other work
		t.Helper()
		for range 10 {
			got := v.Get(target).Body
			if !slices.ContainsFunc(want, func(one string) bool { return !strings.Contains(got, one) }) {
				return
			}
		}
		wants(t, target, v.Get(target), http.StatusOK, want...)
	}
	finds("/app/search?q=beam", ">beamer-pc</a>", "#1 The beamer is dark", "The search took too long",
		`<span class="n">many</span></h1>`)
	finds("/app/search/instant?q=beam", ">beamer-pc<", "#1 The beamer is dark", `data-href="/app/computers?q=beam"`,
		">many<")
	if _, err := conn.Exec(ctx, "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	if got := searched(v, "/app/search?q=beam"); !strings.Contains(got.Body, ">beamer-pc</a>") ||
		strings.Contains(got.Body, "many") {
		t.Errorf("when nobody holds them: got\n%s", got.Body)
	}
}
