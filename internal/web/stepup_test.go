package web_test

import (
	"context"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
	"muster/internal/store"
)

// confirms is on the page that asks people for what they sign in with.
const confirms = "Confirm that it's you"

// typedPassword is one that is never on a page.
const typedPassword = "typed into the form"

// confirming returns the form of the page that asks for what somebody signs in with.
func confirming(t *testing.T, what string, asked *mustertest.Response, password, code string) url.Values {
	t.Helper()
	if strings.Contains(html.UnescapeString(asked.Body), typedPassword) {
		t.Errorf("%s: got a password in %s", what, asked.Body)
	}
	return url.Values{
		"step-up": {between(t, asked.Body, `name="step-up" value="`, `"`)}, "step-up-back": {"/profile"},
		"step-up-password": {password}, "step-up-code": {code},
	}
}

// TestStepUpUnasked makes changes in an old session that give nobody access.
func TestStepUpUnasked(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	s.AddUser("tech@example.com", inventory.Technician, false)
	v := s.SignIn(server.Administrator)
	s.Clock.Advance(time.Hour)
	for path, form := range map[string]url.Values{
		"/users/2/edit": {"phone": {"7"}, "role": {"requester"}}, "/users/2/disable": {}, "/users/2/sessions/end": {},
		"/users/new": {"email": {"bare@example.com"}, "key": {"a"}},
	} {
		if got := v.Post("/app"+path, form); got.Status != http.StatusSeeOther {
			t.Errorf("%s: got %d, want 303: %s", path, got.Status, got.Body)
		}
	}
	token := s.Bearer(server.TokenCommand{Email: server.Administrator, Name: "script"})
	if got := token.Do(http.MethodPut, "/users/2.xml",
		"<user><email>tech@example.com</email><title>Dr</title></user>"); got.Status != http.StatusOK {
		t.Errorf("a token: got %d, want 200: %s", got.Status, got.Body)
	}
}

// TestStepUpKept: what was typed is good for the same session, the same form, and for
// half an hour; then it must be typed again.
func TestStepUpKept(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	v, other := s.SignIn(server.Administrator), s.SignIn(server.Administrator)
	s.Clock.Advance(time.Hour)
	form := url.Values{"email": {"kept@example.com"}, "role": {"administrator"}, "first-name": {
		"Ä & \"B\" <c>",
	}, "password": {typedPassword}, "key": {"k"}}
	asked := v.Post("/app/users/new", form)
	wants(t, "asked", asked, http.StatusForbidden, confirms)
	sent := confirming(t, "asked", asked, mustertest.AdminPassword, "")
	for what, got := range map[string]*mustertest.Response{
		"another session": other.Post("/app/users/new", sent), "another form": v.Post("/app/profile/api/tokens", sent),
		"other input": v.Post("/app/users/new",
			url.Values{"step-up": {"AAAA"}, "step-up-password": {mustertest.AdminPassword}}),
	} {
		wants(t, what, got, http.StatusConflict, "enter it again")
	}
	s.Clock.Advance(30*time.Minute - time.Second)
	goes(t, "in time", v.Post("/app/users/new", sent), "/users/2")
	wants(t, "what was kept", v.Get("/app/users/2"), http.StatusOK, `Ä & "B" <c>`)
	goes(t, "the password",
		s.Visitor().Post("/app/signin", url.Values{"email": {"kept@example.com"}, "password": {typedPassword}}), "/")
	s.Clock.Advance(time.Second)
	wants(t, "too late", v.Post("/app/users/new", sent), http.StatusConflict, "enter it again")
	wants(t, "nobody", s.Visitor().Post("/app/users/new", sent), http.StatusSeeOther)
}

// TestStepUpGuesses counts wrong passwords of a session as those of a sign-in, and
// other sites' pages are refused.
func TestStepUpGuesses(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{Change: func(cfg *server.Config) { cfg.LoginLimit = 3 }})
	v := s.SignIn(server.Administrator)
	s.Clock.Advance(time.Hour)
	const path = "/app/profile/api/password"
	sent := confirming(t, "asked", v.Post(path, url.Values{}), "not the password", "")
	for range 3 {
		wants(t, "wrong", v.Post(path, sent), http.StatusUnprocessableEntity, "This is not your password")
	}
	sent.Set("step-up-password", mustertest.AdminPassword)
	wants(t, "right, after too many", v.Post(path, sent), http.StatusTooManyRequests)
	s.SignIn(server.Administrator) // is not shut out
	s.Clock.Advance(15 * time.Minute)
	wants(t, "right, later", v.Post(path, sent), http.StatusOK, "shown only once")
	forged := s.Anonymous().Do(http.MethodPost, path, sent.Encode(), "Content-Type",
		"application/x-www-form-urlencoded", "Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site")
	wants(t, "forged", forged, http.StatusForbidden, "another site")
}

// TestStepUpImport asks before users are written, and not before they are checked.
func TestStepUpImport(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	s.Clock.Advance(time.Hour)
	begun := v.Upload("/app/import", url.Values{"kind": {"users"}}, "people.csv",
		"Email,Role\nboss@example.com,administrator\n")
	job := begun.Header.Get("Location")
	form := url.Values{"do": {"check"}, "key": {"usual"}}
	for _, m := range regexp.MustCompile(`name="(column\.\d+)"`).FindAllStringSubmatch(v.Get(job).Body, -1) {
		form.Set(m[1], map[string]string{"column.0": "email", "column.1": "role"}[m[1]])
	}
	wants(t, "check", v.Post(job, form), http.StatusSeeOther)
	write := url.Values{"do": {"write"}, "mode": {"good"}}
	asked := v.Post(job, write)
	wants(t, "write", asked, http.StatusForbidden, confirms)
	wants(t, "confirmed", v.Post(job, confirming(t, "write", asked, mustertest.AdminPassword, "")), http.StatusSeeOther)
	mustertest.Eventually(t, "the administrator", func() bool {
		return strings.Contains(v.Get("/app/users").Body, "boss@example.com")
	})
}

// TestStepUpImportAgain asks before an import of users that was stopped is tried again, however it was confirmed before.
func TestStepUpImportAgain(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	path := v.Upload("/app/import", url.Values{"kind": {"users"}}, "people.csv", "Email,Role\nboss@example.com,administrator\n").
		Header.Get("Location")
	wants(t, "check", v.Post(path, url.Values{"do": {"check"}, "key": {"usual"}, "column.0": {"email"}, "column.1": {"role"}}),
		http.StatusSeeOther)
	mustertest.Eventually(t, "it is checked", func() bool { return strings.Contains(v.Get(path).Body, "Import 1 row") })
	wants(t, "write", v.Post(path, url.Values{"do": {"write"}, "mode": {"good"}}), http.StatusSeeOther)
	mustertest.Eventually(t, "it is written", func() bool { return strings.Contains(v.Get(path).Body, "1 added") })
	id := path[strings.LastIndex(path, "/")+1:]
	err := s.Store().Update(context.Background(), func(tx *store.Tx) error { // as if it was stopped before its first row
		return tx.Exec(context.Background(), "UPDATE jobs SET state = 'stopped' WHERE id = $1", id)
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Clock.Advance(time.Hour)
	asked := v.Post("/app/jobs/"+id+"/retry", url.Values{})
	wants(t, "retry", asked, http.StatusForbidden, confirms)
	wants(t, "confirmed", v.Post("/app/jobs/"+id+"/retry", confirming(t, "retry", asked, mustertest.AdminPassword, "")),
		http.StatusSeeOther)
}

// TestStepUpGerman asks in the person's language.
func TestStepUpGerman(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	v.Language = "de"
	s.Clock.Advance(time.Hour)
	wants(t, "German", v.Post("/app/profile/api/password", url.Values{}), http.StatusForbidden,
		"Bestätigen Sie, dass Sie es sind", "Ihre Eingaben bleiben erhalten")
}
