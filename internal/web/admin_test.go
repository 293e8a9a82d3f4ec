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

// TestUserAccess disables, enables and signs out a user, sets their password and
// resets their second factor; the last administrator stays.
func TestUserAccess(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		s.AddUser("tech@example.com", inventory.Technician, false)
		admin, tech := s.SignIn(server.Administrator), s.SignIn("tech@example.com")
		wants(t, "edit", admin.Get("/app/users/2/edit"), http.StatusOK, `name="keep-tokens"`)
		lacks(t, "new", admin.Get("/app/users/new"), "keep-tokens")
		wants(t, "page", admin.Get("/app/users/2"), http.StatusOK, "tech@example.com", "Disable user …",
			"Signed-in devices")
		goes(t, "sign out", admin.Post("/app/users/2/sessions/end", url.Values{}), "/users/2")
		goes(t, "signed out", tech.Get("/app/computers"), "/signin?to=%2Fcomputers")

		wants(t, "disable?", admin.Get("/app/users/2/disable"), http.StatusOK, "Disable", "You can enable them again")
		goes(t, "disable", admin.Post("/app/users/2/disable", url.Values{}), "/users/2")
		wants(t, "disabled", admin.Get("/app/users/2"), http.StatusOK, "is disabled", "Enable user")
		credentials := url.Values{"email": {"tech@example.com"}, "password": {mustertest.AdminPassword}}
		wants(t, "sign in", s.Visitor().Post("/app/signin", credentials), http.StatusUnprocessableEntity)
		goes(t, "enable", admin.Post("/app/users/2/enable", url.Values{}), "/users/2")

		wants(t, "short password", admin.Post("/app/users/2/password", url.Values{"password": {"short"}}),
			http.StatusUnprocessableEntity, "minimum is 12")
		made := admin.Post("/app/users/2/password", url.Values{"password": {""}})
		wants(t, "made-up password", made, http.StatusOK, "shown only once")
		credentials.Set("password", between(t, made.Body, `id="secret-0">`, "<"))
		tech = s.Visitor()
		goes(t, "sign in with it", tech.Post("/app/signin", credentials), "/")

		secret := between(t, tech.Post("/app/profile/second-factor", url.Values{}).Body, `name="secret" value="`, `"`)
		wants(t, "second factor", tech.Post("/app/profile/second-factor/confirm",
			url.Values{"code": {mustertest.Code(t, secret, s.Clock.Now())}}), http.StatusOK)
		wants(t, "page with it", admin.Get("/app/users/2"), http.StatusOK, "Reset second factor …", "10 left")
		wants(t, "reset?", admin.Get("/app/users/2/second-factor/reset"), http.StatusOK, "lost their phone")
		goes(t, "reset", admin.Post("/app/users/2/second-factor/reset", url.Values{}), "/users/2")
		goes(t, "sign in without a code", s.Visitor().Post("/app/signin", credentials), "/")

		const last = "is the last enabled administrator who can sign in"
		wants(t, "disable the last", admin.Post("/app/users/1/disable", url.Values{}), http.StatusConflict, last,
			"Disable user")
		wants(t, "the last as a technician", admin.Post("/app/users/1/edit", url.Values{"role": {"technician"}}),
			http.StatusUnprocessableEntity, last, "Save")
	})
}

// TestTokens makes a token for a user and revokes it.
func TestTokens(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		s.AddUser("tech@example.com", inventory.Technician, false)
		admin := s.SignIn(server.Administrator)
		wants(t, "none", admin.Get("/app/tokens"), http.StatusOK, "No tokens yet")
		form := url.Values{"user": {"tech@example.com"}, "name": {"export"}, "days": {"0"}}
		made := admin.Post("/app/tokens", form)
		wants(t, "token", made, http.StatusOK, "curl --oauth2-bearer muster_", "tech@example.com")
		secret := between(t, made.Body, `id="secret-0">`, "<")
		if got := s.Anonymous().Do(http.MethodGet, "/hardwares.xml", "", "Authorization",
			"Bearer "+secret).Status; got != http.StatusOK {
			t.Errorf("the API with the token: got %d", got)
		}
		form.Set("user", "nobody@example.com")
		wants(t, "of nobody", admin.Post("/app/tokens", form), http.StatusUnprocessableEntity, "nobody@example.com")
		list := admin.Get("/app/tokens")
		wants(t, "list", list, http.StatusOK, "export", "tech@example.com", "Read and change")
		if strings.Contains(list.Body, secret) {
			t.Error("list: got the secret")
		}
		wants(t, "revoke?", admin.Get("/app/tokens/1/revoke"), http.StatusOK, "Revoke the token export?")
		goes(t, "revoke", admin.Post("/app/tokens/1/revoke", url.Values{}), "/tokens")
		wants(t, "not theirs", s.SignIn("tech@example.com").Get("/app/tokens"), http.StatusForbidden)
	})
}
