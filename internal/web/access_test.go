package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestSessionsPage shows who is signed in, finds people, and ends one session and all
// of a person.
func TestSessionsPage(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		s.AddUser("anna+desk@example.com", inventory.Technician, false)
		s.AddUser("look@example.com", inventory.Administrator, true)
		admin, anna, phone := s.SignIn(server.Administrator), s.SignIn("anna+desk@example.com"),
			s.SignIn("anna+desk@example.com")
		all := admin.Get("/app/sessions")
		wants(t, "all", all, http.StatusOK, "Sessions", "anna+desk@example.com", server.Administrator, "127.0.0.1",
			"This device", "/sessions/2/end")
		lacks(t, "all", all, "/sessions/1/end", "/sessions/end")
		found := admin.Get("/app/sessions?user=NNA")
		wants(t, "part of the name", found, http.StatusOK, "anna+desk@example.com")
		lacks(t, "part of the name", found, "This device", "/sessions/end")
		wants(t, "nobody", admin.Get("/app/sessions?user=%25"), http.StatusOK, "Nothing of “%”", "Show all")
		wants(t, "no text", admin.Get("/app/sessions?user=%00"), http.StatusBadRequest)
		wants(t, "a person", admin.Get("/app/sessions?user=anna%2Bdesk@example.com"), http.StatusOK,
			"/app/sessions/end?user=anna%2Bdesk%40example.com", "End all sessions of anna+desk@example.com")

		goes(t, "end", admin.Post("/app/sessions/2/end", url.Values{"user": {"nna"}}), "/sessions?user=nna")
		goes(t, "signed out", anna.Get("/app/computers"), "/signin?to=%2Fcomputers")
		expect(t, "another browser", phone.Get("/app/computers"), http.StatusOK)
		wants(t, "what was done", admin.Get("/app/sessions"), http.StatusOK,
			"The session of anna+desk@example.com was ended")
		expect(t, "end again", admin.Post("/app/sessions/2/end", url.Values{}), http.StatusNotFound)
		expect(t, "end no number", admin.Post("/app/sessions/x/end", url.Values{}), http.StatusNotFound)

		wants(t, "all of a person?", admin.Get("/app/sessions/end?user=anna%2Bdesk@example.com"), http.StatusOK,
			"End all sessions of anna+desk@example.com?")
		goes(t, "all of a person", admin.Post("/app/sessions/end", url.Values{"user": {"anna+desk@example.com"}}),
			"/sessions")
		goes(t, "signed out everywhere", phone.Get("/app/computers"), "/signin?to=%2Fcomputers")
		expect(t, "all of nobody", admin.Post("/app/sessions/end", url.Values{}), http.StatusNotFound)
		expect(t, "all of nobody", admin.Get("/app/sessions/end?user=*"), http.StatusNotFound)
		wants(t, "the trail", admin.Get("/app/users/2"), http.StatusOK, "Session from 127.0.0.1 ended",
			"Signed out on all devices")

		reader := s.SignIn("look@example.com")
		seen := reader.Get("/app/sessions")
		wants(t, "a reader", seen, http.StatusOK, server.Administrator, "This device")
		lacks(t, "a reader", seen, "/end\"")
		expect(t, "a reader ends", reader.Post("/app/sessions/1/end", url.Values{}), http.StatusForbidden)
		expect(t, "not theirs", s.SignIn("anna+desk@example.com").Get("/app/sessions"), http.StatusForbidden)
	})
}

// TestTokensOfAPerson finds the tokens of a person, with last use and address, and
// revokes them all.
func TestTokensOfAPerson(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		s.AddUser("anna@example.com", inventory.Technician, false)
		s.AddUser("look@example.com", inventory.Administrator, true)
		script := s.Bearer(server.TokenCommand{Email: "anna@example.com", Name: "night job"})
		s.Bearer(server.TokenCommand{Email: server.Administrator, Name: "other program"})
		expect(t, "the API", script.Get("/hardwares"), http.StatusOK)
		admin := s.SignIn(server.Administrator)
		one := admin.Get("/app/tokens?user=anna@example.com")
		wants(t, "of one", one, http.StatusOK, "night job", "127.0.0.1", "/app/tokens/end?user=anna%40example.com",
			"Revoke all tokens of anna@example.com")
		lacks(t, "of one", one, "other program")
		seen := s.SignIn("look@example.com").Get("/app/tokens")
		wants(t, "a reader", seen, http.StatusOK, "night job", "other program")
		lacks(t, "a reader", seen, "/revoke")
		wants(t, "all?", admin.Get("/app/tokens/end?user=anna@example.com"), http.StatusOK,
			"Revoke all tokens of anna@example.com?")
		goes(t, "all", admin.Post("/app/tokens/end", url.Values{"user": {"anna@example.com"}}), "/tokens")
		expect(t, "the API afterwards", script.Get("/hardwares"), http.StatusUnauthorized)
		rest := admin.Get("/app/tokens")
		wants(t, "the rest", rest, http.StatusOK, "other program", "All tokens of anna@example.com were revoked")
		lacks(t, "the rest", rest, "night job")
	})
}

// TestSessionsPaged: a page shows some of many sessions.
func TestSessionsPaged(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	for i := range 30 {
		s.AddUser(fmt.Sprintf("user%d@example.com", i), inventory.Requester, false)
		s.SignIn(fmt.Sprintf("user%d@example.com", i))
	}
	admin := s.SignIn(server.Administrator)
	first, second := admin.Get("/app/sessions?per_page=25"), admin.Get("/app/sessions?per_page=25&page=2")
	for page, want := range map[*mustertest.Response]int{first: 25, second: 6} {
		if got := strings.Count(page.Body, "<tr><td>"); got != want {
			t.Errorf("got %d rows, want %d", got, want)
		}
	}
	goes(t, "a page that is not there", admin.Get("/app/sessions?per_page=25&page=9"), "/sessions?per_page=25&page=2")
}
