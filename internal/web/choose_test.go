package web_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// ownPassword is the password that the first administrator chooses.
const ownPassword = "violets in the gutter"

// printedSignIn signs the first administrator in with the password that was printed.
func printedSignIn(s *mustertest.Server) *mustertest.Visitor {
	v := s.Visitor()
	v.Post("/app/signin", url.Values{"email": {server.Administrator}, "password": {s.Password}})
	return v
}

// chosen is the form with a password that is chosen.
func chosen(password string) url.Values {
	return url.Values{"new": {password}, "again": {password}}
}

// TestFirstPassword asks a first administrator for a password of their own before
// anything else; the API takes the printed one until then.
func TestFirstPassword(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db, Printed: true})
		other, v := printedSignIn(s), s.Visitor()
		script := s.Bearer(server.TokenCommand{Email: server.Administrator, Name: "script"})
		in := url.Values{"email": {server.Administrator}, "password": {s.Password}, "to": {"/computers?site=Lyon"}}
		goes(t, "sign in", v.Post("/app/signin", in), "/computers?site=Lyon")
		for target, to := range map[string]string{
			"/app/computers?site=Lyon": "?to=%2Fcomputers%3Fsite%3DLyon", "/app/": "",
			"/app/profile": "?to=%2Fprofile", "/app/profile/second-factor": "?to=%2Fprofile%2Fsecond-factor",
			"/app/tokens": "?to=%2Ftokens", "/app/sessions": "?to=%2Fsessions",
			"/app/search/instant?q=x": "?to=%2Fsearch%2Finstant%3Fq%3Dx",
		} {
			goes(t, target, v.Get(target), "/password"+to)
		}
		goes(t, "a form", v.Post("/app/vendors/new", url.Values{"name": {"Acme"}}), "/password")
		goes(t, "a token", v.Post("/app/tokens",
			url.Values{"user": {server.Administrator}, "name": {"x"}, "days": {"0"}}), "/password")
		page := v.Get("/app/password?to=/computers%3Fsite=Lyon")
		wants(t, "the page", page, http.StatusOK, "Choose your own password",
			`name="to" value="/computers?site=Lyon"`, "Your tokens are revoked with it", "Sign out")
		expect(t, "the API meanwhile",
			s.Admin().Do(http.MethodPost, "/hardwares", "<hardware><name>one</name></hardware>"), http.StatusCreated)

		wants(t, "two", v.Post("/app/password", url.Values{"new": {ownPassword}, "again": {"another one"}}),
			http.StatusUnprocessableEntity, "The two new passwords are not the same.")
		wants(t, "short", v.Post("/app/password", chosen("short")), http.StatusUnprocessableEntity,
			"Password is too short")
		wants(t, "the printed one", v.Post("/app/password", chosen(s.Password)), http.StatusUnprocessableEntity,
			"Password is the one that was printed: choose another")
		goes(t, "still asked", v.Get("/app/"), "/password")
		form := chosen(ownPassword)
		form.Set("to", "/computers?site=Lyon")
		goes(t, "a password", v.Post("/app/password", form), "/computers?site=Lyon")

		wants(t, "a page", v.Get("/app/computers?site=Lyon"), http.StatusOK,
			"This is your password from now on, for the API too. 1 token was revoked.")
		goes(t, "asked again", v.Get("/app/password"), "/")
		goes(t, "chosen again", v.Post("/app/password", chosen("another sentence here")), "/")
		wants(t, "what was done", v.Get("/app/"), http.StatusOK, "A password of your own was chosen before")
		goes(t, "another session", other.Get("/app/"), "/signin")
		expect(t, "the printed one", s.Admin().Get("/hardwares"), http.StatusUnauthorized)
		expect(t, "the new one", s.Client(server.Administrator, ownPassword).Get("/hardwares"), http.StatusOK)
		expect(t, "the token", script.Get("/hardwares"), http.StatusUnauthorized)
	})
}

// TestFirstPasswordElsewhere: who has another password, set in whichever way, is not
// asked, nor is anybody but the first administrator.
func TestFirstPasswordElsewhere(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		for name, set := range map[string]func(*mustertest.Server){
			"by the command": func(s *mustertest.Server) {
				s.User(server.UserCommand{Do: "passwd", Email: server.Administrator, Password: ownPassword})
			},
			"over the API": func(s *mustertest.Server) {
				expect(t, "PUT", s.Admin().Do(http.MethodPut, "/users/1",
					"<user><password>"+ownPassword+"</password></user>"), http.StatusOK)
			},
		} {
			s := mustertest.Start(t, mustertest.Options{On: db, Printed: true})
			s.AddUser("anna@example.com", inventory.Administrator, false)
			expect(t, "another administrator", s.SignIn("anna@example.com").Get("/app/"), http.StatusOK)
			set(s)
			s.Password = ownPassword
			expect(t, name, printedSignIn(s).Get("/app/"), http.StatusOK)
		}
	})
}

// TestFirstPasswordLate: who has waited gives the printed password once more, can sign
// out, and keeps tokens if they say so; a second factor that they must have comes after.
func TestFirstPasswordLate(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{Printed: true})
	gone := printedSignIn(s)
	goes(t, "sign out", gone.Post("/app/signout", url.Values{}), "/signin")
	goes(t, "signed out", gone.Get("/app/password"), "/signin?to=%2Fpassword")

	script := s.Bearer(server.TokenCommand{Email: server.Administrator, Name: "script"})
	s.Settings(server.SettingCommand{Do: "set", Name: "second-factor", Value: "everyone"})
	v := printedSignIn(s)
	v.Language = "de"
	wants(t, "in German", v.Get("/app/password"), http.StatusOK, "Wählen Sie ein eigenes Passwort")
	v.Language = ""
	s.Clock.Advance(11 * time.Minute)
	form := chosen(ownPassword)
	form.Set("keep-tokens", "true")
	asked := v.Post("/app/password", form)
	wants(t, "late", asked, http.StatusForbidden, "Confirm that it's you")
	proof := url.Values{"step-up": {between(t, asked.Body, `name="step-up" value="`, `"`)}, "step-up-password": {
		s.Password,
	}}
	goes(t, "confirmed", v.Post("/app/password", proof), "/")
	goes(t, "what comes after", v.Get("/app/"), "/profile/second-factor")
	expect(t, "the token", script.Get("/hardwares"), http.StatusOK)
}

// TestFirstPasswordExposed: over plain HTTP, where no password is taken, the page says
// how to set it.
func TestFirstPasswordExposed(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t,
		mustertest.Options{Printed: true, Change: func(cfg *server.Config) { cfg.PlainHTTP = true }})
	v := printedSignIn(s)
	goes(t, "a page", v.Get("/app/"), "/password")
	page := v.Get("/app/password")
	wants(t, "the page", page, http.StatusOK, "muster user passwd", server.Administrator)
	lacks(t, "the page", page, `name="new"`)
	wants(t, "a password", v.Post("/app/password", chosen(ownPassword)), http.StatusUnprocessableEntity,
		"muster user passwd")
}
