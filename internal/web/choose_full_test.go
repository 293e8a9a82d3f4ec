//go:build full && browser

package web_test

import (
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestBrowserFirstPassword follows a first administrator from the printed password to
// the page that they asked for.
func TestBrowserFirstPassword(t *testing.T) {
	t.Parallel()
	eachLook(t, allLooks, func(t *testing.T, l look) {
		s := mustertest.Start(t, mustertest.Options{Printed: true})
		s.Bearer(server.TokenCommand{Email: server.Administrator, Name: "nightly job"})
		b := l.browser(t, s)
		b.Open("/app/computers")
		b.Type("Email address", server.Administrator)
		b.Type("Password", s.Password)
		b.Click("Sign in")
		b.WaitText("Choose your own password")
		inspect(t, b, "choose")
		b.Type("New password", s.Password)
		b.Type("New password again", s.Password)
		b.Click("Choose password")
		b.WaitText("Password is the one that was printed: choose another")
		inspect(t, b, "choose-refused")
		b.Type("New password", ownPassword)
		b.Type("New password again", ownPassword)
		b.Check("Keep them: I know which programs use them", true)
		b.Click("Choose password")
		b.WaitText("This is your password from now on, for the API too.")
		b.WaitText("No computers yet")
	})
}
