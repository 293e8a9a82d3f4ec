//go:build full && browser

package web_test

import (
	"net/http"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// marta is a technician of the demo.
const marta = "marta.nowak@northmere.example"

// TestBrowserSessions looks for a person among the sessions, ends one, and then all of
// theirs.
func TestBrowserSessions(t *testing.T) {
	t.Parallel()
	eachLook(t, allLooks, func(t *testing.T, l look) {
		s := start(t, mustertest.SQLite)
		s.User(server.UserCommand{Do: "passwd", Email: marta, Password: mustertest.AdminPassword})
		s.Bearer(server.TokenCommand{Email: marta, Name: "import"}).Get("/hardwares")
		one, other := s.SignIn(marta), s.SignIn(marta)
		b := l.visit(t, s, server.Administrator)
		b.Open("/app/sessions")
		inspect(t, b, "sessions-list")
		b.Type("Find a person", marta)
		b.Press("Enter")
		b.WaitText("End all sessions of Marta Nowak")
		inspect(t, b, "sessions-person")
		b.ClickOn("tbody tr:first-child .end button")
		b.WaitText("The session of Marta Nowak was ended")
		b.Click("End all sessions of Marta Nowak …")
		inspect(t, b, "sessions-ask")
		b.Click("End all sessions")
		b.WaitText("Marta Nowak is signed out on all devices")
		for _, v := range []*mustertest.Visitor{one, other} {
			expect(t, "a page of theirs", v.Get("/app/computers"), http.StatusSeeOther)
		}
		b.Open("/app/tokens?user=" + marta)
		inspect(t, b, "tokens-person")
	})
}
