//go:build full

package main_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"muster/internal/mustertest"
)

// TestTokenCommands runs the same steps twice: while the server runs, and while it
// does not.
func TestTokenCommands(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		t.Run("running", func(t *testing.T) {
			f := newFolder(t)
			f.env = []string{"MUSTER_DATABASE=" + db.New(t), "MUSTER_LOGIN_LIMIT=0"}
			s := f.serve()
			tellTokens(t, f, func(test func(*service)) { test(s) })
		})
		if db.Name != mustertest.SQLite.Name {
			return // TestUserCommands shows that commands open PostgreSQL by themselves
		}
		t.Run("stopped", func(t *testing.T) {
			f := newFolder(t)
			f.env = []string{"MUSTER_DATABASE=" + db.New(t), "MUSTER_LOGIN_LIMIT=0"}
			f.serve().stop()
			tellTokens(t, f, func(test func(*service)) {
				s := f.serve()
				test(s)
				s.stop()
			})
		})
	})
}

// tellTokens adds, lists and revokes tokens; look shows it the server.
func tellTokens(t *testing.T, f *folder, look func(func(*service))) {
	add := func(args ...string) string {
		t.Helper()
		return strings.TrimSuffix(f.must(append([]string{"token", "add"}, args...)...), "\n")
	}
	f.must("user", "add", "anna@example.com", "--role", "technician")
	full := add("--user", "Anna@example.com", "--name", "nightly job")
	reading := add("--user", "anna@example.com", "--name", "reports", "--read-only", "--expires", "2999-12-31")
	same := add("--user", admin, "--name", "Reports")
	look(func(s *service) {
		post := "<hardware><name>of a script</name></hardware>"
		carries(t, s, full, http.StatusOK)
		carries(t, s, reading, http.StatusOK)
		carries(t, s, same+"x", http.StatusUnauthorized)
		if got := s.bearer(full).Do("POST", "/hardwares", post); got.Status != http.StatusCreated {
			t.Errorf("POST with a token: got %d, want 201", got.Status)
		}
		if got := s.bearer(reading).Do("POST", "/hardwares", post); got.Status != http.StatusForbidden ||
			!strings.Contains(got.Body, "the token reports may only read") {
			t.Errorf("POST with a read-only token: got %d %s, want 403", got.Status, got.Body)
		}
	})
	list := f.must("token", "list")
	for _, want := range []string{
		`ID +NAME +USER +ACCESS +LAST DAY +LAST USED\n`,
		`1 +nightly job +anna@example.com +full +none +20\d\d-\d\d-\d\d \d\d:\d\d UTC\n`,
		`2 +reports +anna@example.com +read-only +2999-12-31 +20\d\d-\d\d-\d\d \d\d:\d\d UTC\n`,
		`3 +Reports +admin@localhost +full +none +never\n`,
	} {
		if !regexp.MustCompile(want).MatchString(list) || strings.Contains(list, "muster_") {
			t.Errorf("token list: got\n%s\nwant %s and no secret", list, want)
		}
	}
	if own := f.must("token", "list", "--user", admin); strings.Count(own, "\n") != 2 ||
		!strings.Contains(own, "Reports") {
		t.Errorf("token list --user: got\n%s\nwant one token", own)
	}
	refuseTokens(t, f)
	if out := f.must("token", "revoke", "2", "nightly job"); out != "" {
		t.Errorf("token revoke: got %q, want silence", out)
	}
	look(func(s *service) {
		carries(t, s, full, http.StatusUnauthorized)
		carries(t, s, reading, http.StatusUnauthorized)
		carries(t, s, same, http.StatusOK)
	})
	again := add("--user", "anna@example.com", "--name", "Nightly Job")
	f.must("user", "disable", "anna@example.com")
	look(func(s *service) { carries(t, s, again, http.StatusUnauthorized) })
	if list := f.must("token",
		"list"); !regexp.MustCompile(`Nightly Job +anna@example.com +disabled `).MatchString(list) {
		t.Errorf("token list: got\n%s\nwant one of a disabled user", list)
	}
}

// bearer returns a client of the server with a token.
func (s *service) bearer(token string) *mustertest.Client {
	s.f.t.Helper()
	c := s.client("", "")
	c.Token = token
	return c
}

// carries checks what a token is good for. On PostgreSQL a server notices a
// change by a command within a second.
func carries(t *testing.T, s *service, token string, want int) {
	t.Helper()
	eventually(t, "a token is known", func() bool { return s.bearer(token).Get("/hardwares.xml").Status == want })
}

// refuseTokens tries what must not happen.
func refuseTokens(t *testing.T, f *folder) {
	t.Helper()
	before := f.must("token", "list")
	for args, want := range map[string]string{
		"token add --user nobody@example.com --name x":                    "there is no user nobody@example.com",
		"token add --user anna@example.com --name REPORTS":                "anna@example.com has a token reports already, with the id 2: revoke it first",
		"token add --user anna@example.com --name x --expires 2020-01-31": "Expires is in the past",
		"token add --user anna@example.com --name x --expires tomorrow":   `"tomorrow" is not a date such as 2027-01-31`,
		"token add --user anna@example.com --name 12":                     "Name must not be a number",
		"token add --user anna@example.com --name=":                       "Name can't be blank",
		"token add --user anna@example.com":                               "--name",
		"token add --name x":                                              "--user",
		"token add --user anna@example.com --name " + strings.Repeat("x",
			256): "Name is too long (maximum is 255 characters)",
		"token list --user nobody@example.com": "there is no user nobody@example.com",
		"token revoke":                         "<token>",
		"token revoke 9":                       "there is no token with the id 9: muster token list shows all",
		"token revoke 1 nothing":               "there is no token nothing: muster token list shows all",
		"token revoke reports":                 "several users have a token reports: name it by its id",
	} {
		f.refused(strings.Fields(args), want)
	}
	f.refused([]string{"token", "add", "--user", "anna@example.com", "--name", "two\nlines"},
		"Name must be text of one line in UTF-8")
	f.refused([]string{"token", "add", "--user", "anna@example.com", "--name", "\xff"},
		"Name must be text of one line in UTF-8")
	if after := f.must("token", "list"); after != before {
		t.Errorf("after what was refused: got\n%s\nwant\n%s", after, before)
	}
}

// TestTokensWithoutDatabase: a command about tokens makes no database.
func TestTokensWithoutDatabase(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	f.refused([]string{"token", "add", "--user", admin, "--name", "x"}, "there is no database", "muster serve")
	if f.exists("") {
		t.Error("got a data folder, want none")
	}
}
