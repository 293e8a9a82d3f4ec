package web_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// between returns the text of a page between two others.
func between(t *testing.T, page, before, after string) string {
	t.Helper()
	_, rest, found := strings.Cut(page, before)
	text, _, ended := strings.Cut(rest, after)
	if !found || !ended {
		t.Fatalf("got no %q … %q in %s", before, after, page)
	}
	return html.UnescapeString(text)
}

// wants fails unless a page has a status and texts.
func wants(t *testing.T, what string, got *mustertest.Response, status int, texts ...string) {
	t.Helper()
	if got.Status != status {
		t.Fatalf("%s: got %d to %q, want %d: %s", what, got.Status, got.Header.Get("Location"), status, got.Body)
	}
	for _, text := range texts {
		if !strings.Contains(html.UnescapeString(got.Body), text) {
			t.Errorf("%s: got no %q in %s", what, text, got.Body)
		}
	}
}

// goes fails unless an answer leads to a path of the application.
func goes(t *testing.T, what string, got *mustertest.Response, path string) {
	t.Helper()
	if got.Status != http.StatusSeeOther || got.Header.Get("Location") != "/app"+path {
		t.Fatalf("%s: got %d to %q, want 303 to /app%s: %s", what, got.Status, got.Header.Get("Location"),
			path, got.Body)
	}
}

// TestOwnPassword changes a person's password, which ends their other sessions.
func TestOwnPassword(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		s.AddUser("ask@example.com", inventory.Requester, true)
		v, other := s.SignIn("ask@example.com"), s.SignIn("ask@example.com")
		script := s.Bearer(server.TokenCommand{Email: "ask@example.com", Name: "SCRIPT"})
		wants(t, "profile", v.Get("/app/profile"), http.StatusOK, "ask@example.com", "This device",
			"Sign out on all other devices", "SCRIPT", "Never used", "No program has used it yet.")
		s.Client("ask@example.com", mustertest.AdminPassword).Get("/tickets.xml")
		wants(t, "profile with a program", v.Get("/app/profile"), http.StatusOK, "A program last used it")
		wants(t, "page of the user", s.SignIn(server.Administrator).Get("/app/users/2"), http.StatusOK, "Set, used")
		const password = "quite another sentence"
		keep := []string{"true"}
		change := func(old, new, again string) *mustertest.Response {
			return v.Post("/app/profile/password",
				url.Values{"old": {old}, "new": {new}, "again": {again}, "keep-tokens": keep})
		}
		wants(t, "wrong", change("not the password", password, password), http.StatusUnprocessableEntity,
			"This is not your current password")
		wants(t, "unlike", change(mustertest.AdminPassword, password, password+"!"), http.StatusUnprocessableEntity,
			"not the same")
		wants(t, "short", change(mustertest.AdminPassword, "short", "short"), http.StatusUnprocessableEntity,
			"minimum is 12")
		wants(t, "common", change(mustertest.AdminPassword, "Password1234", "Password1234"),
			http.StatusUnprocessableEntity, "is among those that are guessed first")
		v.Language = "de"
		wants(t, "auf Deutsch", change(mustertest.AdminPassword, "Example-2026!", "Example-2026!"),
			http.StatusUnprocessableEntity, `darf "example" nicht enthalten: Namen, Adressen`)
		v.Language = ""
		goes(t, "change", change(mustertest.AdminPassword, password, password), "/profile")
		wants(t, "profile after it", v.Get("/app/profile"), http.StatusOK, "Your password was changed")
		for what, c := range map[string]*mustertest.Client{
			"the API": s.Client("ask@example.com", password), "a token that was kept": script,
		} {
			if got := c.Get("/tickets.xml"); got.Status != http.StatusOK {
				t.Errorf("%s: got %d, want 200", what, got.Status)
			}
		}
		if got := s.Client("ask@example.com",
			mustertest.AdminPassword).Get("/tickets.xml"); got.Status != http.StatusUnauthorized {
			t.Errorf("the API with the old password: got %d, want 401", got.Status)
		}
		goes(t, "the other device", other.Get("/app/profile"), "/signin?to=%2Fprofile")
		if got := s.Visitor().Post("/app/signin",
			url.Values{"email": {"ask@example.com"}, "password": {password}}); got.Status != http.StatusSeeOther {
			t.Errorf("sign-in with the new password: got %d", got.Status)
		}
		keep = nil
		goes(t, "change again", change(password, mustertest.AdminPassword, mustertest.AdminPassword), "/profile")
		wants(t, "profile after that", v.Get("/app/profile"), http.StatusOK, "1 token was revoked")
		if got := script.Get("/tickets.xml"); got.Status != http.StatusUnauthorized {
			t.Errorf("a token that was not kept: got %d, want 401", got.Status)
		}
	})
}

// TestDevices signs a person out on one device, then on all others.
func TestDevices(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	v, second, third := s.SignIn(server.Administrator), s.SignIn(server.Administrator), s.SignIn(server.Administrator)
	ends := regexp.MustCompile(`/profile/devices/\d+/end`).FindAllString(v.Get("/app/profile").Body, -1)
	if len(ends) != 2 {
		t.Fatalf("got %v, want two other devices", ends)
	}
	goes(t, "one", v.Post("/app"+ends[0], url.Values{}), "/profile")
	goes(t, "the second", second.Get("/app/users"), "/signin?to=%2Fusers")
	wants(t, "the third", third.Get("/app/users"), http.StatusOK)
	goes(t, "all", v.Post("/app/profile/devices/end", url.Values{}), "/profile")
	goes(t, "the third after it", third.Get("/app/users"), "/signin?to=%2Fusers")
	wants(t, "this one", v.Get("/app/users"), http.StatusOK)
}

// TestSecondFactor sets up a second factor, signs in with a code and a recovery
// code, and turns it off.
func TestSecondFactor(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		v := s.SignIn(server.Administrator)
		wants(t, "off", v.Get("/app/profile/second-factor"), http.StatusOK, "Set up second factor")
		begun := v.Post("/app/profile/second-factor", url.Values{})
		wants(t, "begin", begun, http.StatusOK, `class="qr"`)
		secret, address := between(t, begun.Body, `name="secret" value="`, `"`),
			between(t, begun.Body, `name="address" value="`, `"`)
		wrong := v.Post("/app/profile/second-factor/confirm",
			url.Values{"code": {"000000"}, "secret": {secret}, "address": {address}})
		wants(t, "wrong code", wrong, http.StatusUnprocessableEntity, "That code is not right", secret, `class="qr"`)
		on := v.Post("/app/profile/second-factor/confirm",
			url.Values{"code": {mustertest.Code(t, secret, s.Clock.Now())}})
		wants(t, "right code", on, http.StatusOK, "recovery codes")
		codes := strings.Fields(between(t, on.Body, `id="codes">`, "<"))
		if len(codes) != 10 {
			t.Fatalf("got %v, want ten recovery codes", codes)
		}
		wants(t, "on", v.Get("/app/profile/second-factor"), http.StatusOK, "10 recovery codes are left")

		s.Clock.Advance(60e9)
		again := s.Visitor()
		credentials := url.Values{"email": {server.Administrator}, "password": {mustertest.AdminPassword}, "to": {
			"/users",
		}}
		goes(t, "password", again.Post("/app/signin", credentials), "/signin/code?to=%2Fusers")
		goes(t, "a page without the code", again.Get("/app/users"), "/signin/code?to=%2Fusers")
		wants(t, "code page", again.Get("/app/signin/code?to=%2Fusers"), http.StatusOK, "authenticator app",
			`value="/users"`)
		wants(t, "wrong code at the door", again.Post("/app/signin/code", url.Values{"code": {"000000"}}),
			http.StatusUnprocessableEntity, "not right")
		goes(t, "code", again.Post("/app/signin/code",
			url.Values{"code": {mustertest.Code(t, secret, s.Clock.Now())}, "to": {"/users"}}), "/users")
		wants(t, "users", again.Get("/app/users"), http.StatusOK)

		lost := s.Visitor()
		goes(t, "password again", lost.Post("/app/signin", credentials), "/signin/code?to=%2Fusers")
		wants(t, "recovery page", lost.Get("/app/signin/code?recovery"), http.StatusOK, "Recovery code")
		goes(t, "recovery code", lost.Post("/app/signin/code", url.Values{"code": {codes[3]}}), "/")
		wants(t, "used again", v.Get("/app/profile/second-factor"), http.StatusOK, "9 recovery codes are left")
		anew := v.Post("/app/profile/second-factor/codes", url.Values{})
		wants(t, "new codes", anew, http.StatusOK, "Your recovery codes")
		if strings.Contains(anew.Body, codes[4]) {
			t.Error("new codes: got one of the old ones")
		}
		goes(t, "off", v.Post("/app/profile/second-factor/end", url.Values{}), "/profile/second-factor")
		wants(t, "off again", v.Post("/app/profile/second-factor/end", url.Values{}), http.StatusUnprocessableEntity,
			"has no second factor")
	})
}

// TestSecondFactorRequired leads people to set it up who must have one, and to
// nothing else.
func TestSecondFactorRequired(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	s.AddUser("tech@example.com", inventory.Technician, false)
	v := s.SignIn("tech@example.com")
	s.Settings(server.SettingCommand{Do: "set", Name: "second-factor", Value: "staff"})
	goes(t, "a page", v.Get("/app/computers"), "/profile/second-factor?to=%2Fcomputers")
	goes(t, "a change", v.Post("/app/computers/new", url.Values{"name": {"x"}}), "/profile/second-factor")
	goes(t, "another page of their own", v.Get("/app/profile"), "/profile/second-factor?to=%2Fprofile")
	asked := v.Get("/app/profile/second-factor")
	wants(t, "what is due", asked, http.StatusOK, "Set up a second factor", "Sign out")
	if strings.Contains(asked.Body, `class="nav"`) {
		t.Error("what is due: got the navigation, want nothing else")
	}
	secret := between(t, v.Post("/app/profile/second-factor", url.Values{}).Body, `name="secret" value="`, `"`)
	wants(t, "confirm", v.Post("/app/profile/second-factor/confirm",
		url.Values{"code": {mustertest.Code(t, secret, s.Clock.Now())}}), http.StatusOK, "recovery codes")
	wants(t, "the page", v.Get("/app/computers"), http.StatusOK)
}

// TestOwnAPI makes an API password and a token, which work, and revokes the token.
func TestOwnAPI(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		s.AddUser("tech@example.com", inventory.Technician, false)
		v := s.SignIn("tech@example.com")
		wants(t, "page", v.Get("/app/profile/api"), http.StatusOK,
			"curl --digest --user 'tech@example.com' --cacert 'ca.pem' "+s.Base+"/hardwares.xml")
		made := v.Post("/app/profile/api/password", url.Values{})
		wants(t, "API password", made, http.StatusOK, "shown only once", "curl --digest --user 'tech@example.com:")
		password := between(t, made.Body, `id="secret-0">`, "<")
		if got := s.Client("tech@example.com", password).Get("/hardwares.xml"); got.Status != http.StatusOK {
			t.Errorf("the API with its password: got %d", got.Status)
		}
		form := url.Values{"name": {"nightly"}, "days": {"30"}, "read-only": {"true"}}
		token := v.Post("/app/profile/api/tokens", form)
		wants(t, "token", token, http.StatusOK, "curl --oauth2-bearer muster_")
		secret := between(t, token.Body, `id="secret-0">`, "<")
		bearer := func() int {
			return s.Anonymous().Do(http.MethodGet, "/hardwares.xml", "", "Authorization", "Bearer "+secret).Status
		}
		if got := bearer(); got != http.StatusOK {
			t.Errorf("the API with the token: got %d", got)
		}
		wants(t, "the same name", v.Post("/app/profile/api/tokens", form), http.StatusUnprocessableEntity, "already")
		list := v.Get("/app/profile/api")
		wants(t, "list", list, http.StatusOK, "nightly", "2 Mar 2026")
		if strings.Contains(list.Body, secret) {
			t.Error("list: got the secret")
		}
		revoke := "/app" + regexp.MustCompile(`/profile/api/tokens/\d+/revoke`).FindString(list.Body)
		wants(t, "confirmation", v.Get(revoke), http.StatusOK, "Revoke the token nightly?")
		goes(t, "revoke", v.Post(revoke, url.Values{}), "/profile/api")
		if got := bearer(); got != http.StatusUnauthorized {
			t.Errorf("the API with the revoked token: got %d, want 401", got)
		}
	})
}

// TestRequestersOwnPages leads requesters from the portal to what is their own.
func TestRequestersOwnPages(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	s.AddUser("ask@example.com", inventory.Requester, false)
	v := s.SignIn("ask@example.com")
	home := v.Get("/app/")
	for _, path := range []string{"/profile", "/profile/api", "/preferences"} {
		wants(t, "portal", home, http.StatusOK, `href="/app`+path+`"`)
		wants(t, path, v.Get("/app"+path), http.StatusOK)
	}
	wants(t, "second factor", v.Get("/app/profile"), http.StatusOK, `href="/app/profile/second-factor"`)
	if strings.Contains(home.Body, `href="/app/keys"`) {
		t.Error("portal: got the keys of the desk, want none")
	}
}
