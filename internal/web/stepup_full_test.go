//go:build full && browser

package web_test

import (
	"net/url"
	"testing"
	"time"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestBrowserStepUp makes an administrator an hour after signing in, on a phone and
// without scripts: the password is asked for again, first a wrong one is given, and
// nothing that was typed is lost.
func TestBrowserStepUp(t *testing.T) {
	t.Parallel()
	everyLook(t, []look{phoneDark, scriptless}, func(t *testing.T, l look) {
		s := mustertest.Start(t, mustertest.Options{})
		b := l.visit(t, s, server.Administrator)
		b.Open("/app/users/new")
		b.Type("Email required", "nora@example.com")
		b.Type("First name", "Nora")
		b.Select("Role required", "Administrator")
		b.Type("Password", typedPassword)
		s.Clock.Advance(time.Hour)
		saves(b)
		b.WaitText(confirms)
		inspect(t, b, "step-up")
		b.Type("Password", "not the password")
		b.Click("Confirm")
		b.WaitText("This is not your password")
		inspect(t, b, "step-up-wrong")
		b.Type("Password", mustertest.AdminPassword)
		b.Click("Confirm")
		b.WaitText("Nora was added")
		goes(t, "with the password that was typed",
			s.Visitor().Post("/app/signin", url.Values{"email": {"nora@example.com"}, "password": {typedPassword}}),
			"/")
		b.Open("/app/profile/api")
		b.Click("Create API password")
		b.WaitText("it is shown only once") // nobody is asked twice
	})
}
