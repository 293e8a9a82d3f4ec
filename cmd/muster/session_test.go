//go:build full

package main_test

import (
	"net/http"
	"net/url"
	"regexp"
	"testing"

	"muster/internal/mustertest"
)

// TestSessionCommands lists who is signed in, and signs them out, while the server runs
// and while it does not.
func TestSessionCommands(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		f := newFolder(t)
		f.env = []string{"MUSTER_DATABASE=" + db.New(t)}
		s := f.serve()
		f.feed("a quite new passphrase\n", "user", "add", "anna@example.com", "--role", "technician",
			"--password-stdin")
		for range 2 {
			s.signIn("anna@example.com", "a quite new passphrase")
		}
		s.signIn(admin, s.password)
		list := f.must("session", "list")
		for _, want := range []string{
			`ID +USER +ADDRESS +LAST USED +SIGNED IN +BROWSER\n`,
			`1 +anna@example.com +127.0.0.1 +20\d\d-\d\d-\d\d \d\d:\d\d UTC +20\d\d-\d\d-\d\d \d\d:\d\d UTC +Go-http-client/1.1\n`,
			`3 +admin@localhost +`,
		} {
			if !regexp.MustCompile(want).MatchString(list) {
				t.Errorf("session list: got\n%s\nwant %s", list, want)
			}
		}
		if own := f.must("session", "list", "--user",
			"Anna@example.com"); regexp.MustCompile(`admin`).MatchString(own) {
			t.Errorf("session list --user: got\n%s\nwant those of one user", own)
		}
		if got := f.must("session", "end", "1"); got != "Session 1 of anna@example.com ended.\n" {
			t.Errorf("session end: got %q", got)
		}
		f.refused([]string{"session", "end", "1"}, "session 1, after 0 others: there is no session with the id 1")
		f.refused([]string{"session", "end", "one"}, `"one" is not the id of a session`)
		f.refused([]string{"session", "end"}, "which sessions? Give their ids, or --user")
		f.refused([]string{"session", "end", "2", "--user", admin}, "which sessions? Give their ids, or --user")
		f.refused([]string{"session", "end", "--user", "nobody@example.com"}, "there is no user nobody@example.com")
		s.stop()
		if got := f.must("session", "end", "--user",
			"anna@example.com"); got != "Session 2 of anna@example.com ended.\n" {
			t.Errorf("session end --user: got %q", got)
		}
		if list := f.must("session", "list"); regexp.MustCompile(`anna`).MatchString(list) ||
			!regexp.MustCompile(`admin`).MatchString(list) {
			t.Errorf("session list: got\n%s\nwant those of the administrator alone", list)
		}
	})
}

// signIn begins a session of a user, in a browser that forgets it.
func (s *service) signIn(email, password string) {
	s.f.t.Helper()
	form := url.Values{"email": {email}, "password": {password}}.Encode()
	got := s.client("", "").Do(http.MethodPost, "/app/signin", form, "Content-Type",
		"application/x-www-form-urlencoded")
	if got.Status != http.StatusOK { // the page that asks to sign in, to which it is led back
		s.f.t.Fatalf("sign-in of %s: got %d: %s", email, got.Status, got.Body)
	}
}
