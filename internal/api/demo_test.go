//go:build full

package api_test

import (
	"net/http"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestDemoRoles: who gets a password in the demo organisation sees what their
// role is for.
func TestDemoRoles(t *testing.T) {
	t.Parallel()
	s := start(t, mustertest.SQLite, func(cfg *server.Config) { cfg.Demo = true })
	const some, all, refused = "some", "all", "refused"
	for _, test := range []struct{ who, computers, tickets, solutions, risks, writes string }{
		{"vikram.iyer", all, all, all, all, all},
		{"marta.nowak", all, all, all, all, all},
		{"amelia.clarke", some, some, some, refused, some},
		{"ruth.goldberg", some, "", some, refused, refused},
	} {
		email := test.who + "@northmere.example"
		s.User(server.UserCommand{Do: "passwd", Email: email, Password: mustertest.AdminPassword})
		c := s.Client(email, mustertest.AdminPassword)
		for path, want := range map[string]string{
			"/hardwares": test.computers, "/tickets": test.tickets, "/solutions": test.solutions, "/risks": test.risks,
		} {
			everything := s.Admin().Get(path).Header.Get("X-Total-Count")
			got := map[string]string{"0": "", everything: all, "": refused}
			r := c.Get(path)
			seen, known := got[r.Header.Get("X-Total-Count")]
			if !known {
				seen = some
			}
			if seen != want {
				t.Errorf("%s: %s: got %d and %s of %s, want %q", test.who, path, r.Status,
					r.Header.Get("X-Total-Count"), everything, want)
			}
		}
		want := map[string]int{
			all: http.StatusCreated, some: http.StatusCreated, refused: http.StatusForbidden,
		}[test.writes]
		if got := c.Do(http.MethodPost, "/tickets", "<ticket><name>a</name></ticket>"); got.Status != want {
			t.Errorf("%s: POST of a ticket: got %d %s, want %d", test.who, got.Status, got.Body, want)
		}
	}
}
