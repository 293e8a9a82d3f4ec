package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestWrong helps those on who find an error.
func TestWrong(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	s.AddUser("tech@example.com", inventory.Technician, false)
	s.AddUser("reader@example.com", inventory.Administrator, true)
	s.AddUser("ask@example.com", inventory.Requester, false)
	admin, tech, reader, asks := s.SignIn(server.Administrator), s.SignIn("tech@example.com"),
		s.SignIn("reader@example.com"), s.SignIn("ask@example.com")
	for _, test := range []struct {
		what   string
		got    *mustertest.Response
		status int
		want   []string
	}{
		{"no record", admin.Get("/app/computers/77"), http.StatusNotFound, []string{
			"There is nothing here", `href="/app/computers"`, `action="/app/search"`, "deleted",
		}},
		{"no page", admin.Get("/app/nowhere"), http.StatusNotFound, []string{
			"There is nothing here", `action="/app/search"`,
		}},
		{"another role", tech.Get("/app/users"), http.StatusForbidden, []string{
			"This page is not for your role</h1>\n\n<p>Only administrators can do this",
		}},
		{"a requester", asks.Get("/app/computers"), http.StatusForbidden, []string{"Only the help desk can see this"}},
		{"a reader", reader.Post("/app/computers/new", url.Values{"name": {"a"}}), http.StatusForbidden, []string{
			"may only read", "read-only",
		}},
		{"too large", admin.Post("/app/computers/new", url.Values{"name": {strings.Repeat("a", 2<<20)}}),
			http.StatusRequestEntityTooLarge, []string{"too large", "Nothing was saved"}},
		{"nobody", s.Visitor().Get("/app/nowhere"), http.StatusNotFound, []string{`href="/app/signin"`}},
	} {
		if test.got.Status != test.status {
			t.Errorf("%s: got %d, want %d", test.what, test.got.Status, test.status)
		}
		for _, want := range append(test.want, "Request "+test.got.Header.Get("X-Request-Id")) {
			if !strings.Contains(test.got.Body, want) {
				t.Errorf("%s: got no %q in %s", test.what, want, test.got.Body)
			}
		}
	}
}

// TestTooFast: the answer says how long to wait.
func TestTooFast(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{Change: func(cfg *server.Config) { cfg.RateLimit = 1 }})
	v := s.SignIn(server.Administrator)
	for range 50 {
		if got := v.Get("/app/preferences"); got.Status == http.StatusTooManyRequests {
			contains(t, "too fast", got, "Try again in 1 second.", `href="/app/preferences">Try again`,
				"Back to the start")
			// nobody was looked up
			lacks(t, "too fast", got, server.Administrator, `action="/app/signout"`, `href="/app/signin"`)
			return
		}
	}
	t.Error("got no refusal of 50 requests")
}
