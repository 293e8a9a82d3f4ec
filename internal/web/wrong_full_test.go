//go:build full && browser

package web_test

import (
	"testing"

	"muster/internal/inventory"
	"muster/internal/mustertest"
)

// TestBrowserWrong opens what is not there, and what is not for everybody, and
// signs in with a wrong password: each page helps on.
func TestBrowserWrong(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	s.AddUser("tech@example.com", inventory.Technician, false)
	eachLook(t, looks, func(t *testing.T, l look) {
		b := l.browser(t, s)
		b.Open("/app/users")
		b.Wait("#mail:focus")
		b.Axe(t)
		gives(b, "tech@example.com", "not the password")
		b.WaitText("or the password is not right")
		b.Wait("#pw:focus")
		b.Axe(t)
		b.Type("Password", mustertest.AdminPassword)
		b.Click("Sign in")
		b.Wait("#main")
		b.Open("/app/users")
		b.WaitText("This page is not for your role")
		b.Axe(t)
		b.Open("/app/computers/77")
		b.WaitText("There is nothing here")
		b.Axe(t)
		b.In("#main").Type("Search everything", "lost")
		b.Press("Enter")
		b.WaitText("Nothing matches")
		b.Open("/app/nowhere")
		b.Click("Back to the start")
		b.Wait(".board")
	})
}
