package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// start starts a server with an invented organisation.
func start(t *testing.T, db mustertest.Database) *mustertest.Server {
	t.Helper()
	return mustertest.Start(t, mustertest.Options{On: db, Change: func(cfg *server.Config) { cfg.Demo = true }})
}

// TestSignIn goes through the door of the application and out again.
func TestSignIn(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		v := s.Visitor()
		for _, test := range []struct{ target, location string }{
			{"/", "/app/"}, {"/app", "/app/"}, {"/app/", "/app/signin"},
			{"/app/computers?site=HQ", "/app/signin?to=%2Fcomputers%3Fsite%3DHQ"},
		} {
			if got := v.Get(test.target); got.Status != http.StatusSeeOther ||
				got.Header.Get("Location") != test.location {
				t.Errorf("%s: got %d to %s, want 303 to %s", test.target, got.Status, got.Header.Get("Location"),
					test.location)
			}
		}
		wrong := v.Post("/app/signin", url.Values{"email": {server.Administrator}, "password": {"not the password"}})
		if wrong.Status != http.StatusUnprocessableEntity || !strings.Contains(wrong.Body, "or the password is not right") ||
			len(wrong.Header["Set-Cookie"]) > 0 {
			t.Errorf("wrong password: got %d with cookies %v", wrong.Status, wrong.Header["Set-Cookie"])
		}
		right := v.Post("/app/signin",
			url.Values{"email": {server.Administrator}, "password": {mustertest.AdminPassword}, "to": {"/users"}})
		cookie := right.Header.Get("Set-Cookie")
		if right.Status != http.StatusSeeOther || right.Header.Get("Location") != "/app/users" {
			t.Fatalf("right password: got %d to %s", right.Status, right.Header.Get("Location"))
		}
		for _, part := range []string{"__Host-muster=", "Path=/", "HttpOnly", "Secure", "SameSite=Lax"} {
			if !strings.Contains(cookie, part) {
				t.Errorf("cookie: got %s, want %s in it", cookie, part)
			}
		}
		if got := v.Get("/app/users"); got.Status != http.StatusOK ||
			!strings.Contains(got.Body, server.Administrator) {
			t.Errorf("users: got %d", got.Status)
		}
		if got := v.Post("/app/signout", url.Values{}); got.Status != http.StatusSeeOther {
			t.Errorf("sign-out: got %d, want 303", got.Status)
		}
		if got := v.Get("/app/users"); got.Status != http.StatusSeeOther {
			t.Errorf("users after the sign-out: got %d, want 303", got.Status)
		}
	})
}

// TestSignInLimit counts wrong passwords of one user together, however the address is typed.
func TestSignInLimit(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{Change: func(cfg *server.Config) { cfg.LoginLimit = 2 }})
	try := func(email, password string) *mustertest.Response {
		return s.Visitor().Post("/app/signin", url.Values{"email": {email}, "password": {password}})
	}
	for _, email := range []string{server.Administrator, " " + strings.ToUpper(server.Administrator)} {
		expect(t, email, try(email, "not the password"), http.StatusUnprocessableEntity, "or the password is not right")
	}
	expect(t, "the right password in other letters", try("Admin@LocalHost ", mustertest.AdminPassword),
		http.StatusTooManyRequests, "too many failed sign-ins of this user")
	s.Clock.Advance(time.Hour)
	expect(t, "after an hour", try(server.Administrator, mustertest.AdminPassword), http.StatusSeeOther)
}

// TestSignInKnown: too many wrong passwords of a person do not shut them out where they were let in before: from that
// address, or in that browser. What is known from elsewhere is no way around.
func TestSignInKnown(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		const most = 2
		s := mustertest.Start(t, mustertest.Options{On: db, Change: func(cfg *server.Config) {
			cfg.LoginLimit, cfg.Proxies = most, []string{"127.0.0.1", "::1"}
		}})
		s.AddUser("ann@example.com", inventory.Technician, false)
		s.AddUser("bob@example.com", inventory.Technician, false)
		at := func(address string) *mustertest.Visitor {
			v := s.Visitor()
			v.Address = address
			return v
		}
		signIn := func(v *mustertest.Visitor, email, password string) *mustertest.Response {
			return v.Post("/app/signin", url.Values{"email": {email}, "password": {password}})
		}
		laptop := at("198.51.100.1")
		goes(t, "at home", signIn(laptop, "ann@example.com", mustertest.AdminPassword), "/")
		bobs := at("203.0.113.9")
		goes(t, "Bob", signIn(bobs, "bob@example.com", mustertest.AdminPassword), "/")
		s.Clock.Advance(24 * time.Hour)
		for i := range 5 * most {
			signIn(at(fmt.Sprintf("192.0.2.%d", i)), "ann@example.com", "wrong")
		}
		expect(t, "from a new address", signIn(at("192.0.2.99"), "ann@example.com", mustertest.AdminPassword),
			http.StatusTooManyRequests, "too many failed sign-ins of this user")
		goes(t, "from her address, in a new browser",
			signIn(at("198.51.100.1"), "ann@example.com", mustertest.AdminPassword), "/")
		laptop.Address = "192.0.2.50"
		goes(t, "in her browser, elsewhere", signIn(laptop, "ann@example.com", mustertest.AdminPassword), "/")
		bobs.Address = "192.0.2.51"
		expect(t, "in the browser of another", signIn(bobs, "ann@example.com", mustertest.AdminPassword),
			http.StatusTooManyRequests, "too many failed sign-ins of this user")
		for range most {
			signIn(at("198.51.100.1"), "ann@example.com", "wrong")
		}
		expect(t, "too many from her address", signIn(at("198.51.100.1"), "ann@example.com", mustertest.AdminPassword),
			http.StatusTooManyRequests, "of this user from this address")
		laptop.Address = "198.51.100.1"
		goes(t, "in her browser there", signIn(laptop, "ann@example.com", mustertest.AdminPassword), "/")
		s.Clock.Advance(31 * 24 * time.Hour)
		for i := range 5 * most {
			signIn(at(fmt.Sprintf("192.0.2.%d", i)), "ann@example.com", "wrong")
		}
		expect(t, "a month later", signIn(laptop, "ann@example.com", mustertest.AdminPassword),
			http.StatusTooManyRequests, "too many failed sign-ins of this user")
	})
}

// TestSignInLeadsNowhereElse takes no address of another site as the way back.
func TestSignInLeadsNowhereElse(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	for _, to := range []string{
		"https://evil.example/", "//evil.example", "/\\evil.example", "evil", "/a\r\nSet-Cookie: x=y",
	} {
		got := s.Visitor().Post("/app/signin",
			url.Values{"email": {server.Administrator}, "password": {mustertest.AdminPassword}, "to": {to}})
		if got.Status != http.StatusSeeOther || got.Header.Get("Location") != "/app/" {
			t.Errorf("%q: got %d to %s, want 303 to /app/", to, got.Status, got.Header.Get("Location"))
		}
	}
}

// TestPages asks for the list, a record and the forms of every section.
func TestPages(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		v := s.SignIn(server.Administrator)
		for _, path := range []string{"computers", "articles", "software", "printers", "assets", "contracts",
			"vendors", "risks", "activity", "users"} {
			pages := []string{"", "/1"}
			if path != "activity" {
				pages = append(pages, "/new", "/1/edit", "/1/delete")
			}
			for _, page := range pages {
				got := v.Get("/app/" + path + page)
				if got.Status != http.StatusOK || !strings.HasSuffix(strings.TrimSpace(got.Body), "</html>") {
					t.Errorf("/%s%s: got %d: %s", path, page, got.Status, got.Body)
				}
				if got.Header.Get("Content-Security-Policy") == "" || got.Header.Get("Cache-Control") != "no-store" {
					t.Errorf("/%s%s: got the headers %v", path, page, got.Header)
				}
			}
		}
	})
}

// TestChange makes, changes and deletes a record through its forms.
func TestChange(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		v := s.SignIn(server.Administrator)
		if got := v.Post("/app/computers/new",
			url.Values{"name": {""}}); got.Status != http.StatusUnprocessableEntity ||
			!strings.Contains(got.Body, "Name can&#39;t be blank") {
			t.Errorf("without a name: got %d", got.Status)
		}
		made := v.Post("/app/computers/new", url.Values{"name": {"lej-1"}, "site": {"Leipzig"}, "status": {"Spare"}})
		if made.Status != http.StatusSeeOther {
			t.Fatalf("new: got %d: %s", made.Status, made.Body)
		}
		path := made.Header.Get("Location")
		if got := v.Get(path); !strings.Contains(got.Body, "lej-1 was added") ||
			!strings.Contains(got.Body, "Leipzig") {
			t.Errorf("record: got %d: %s", got.Status, got.Body)
		}
		if got := v.Post(path+"/edit",
			url.Values{"site": {"Rotterdam"}, "version": {"1"}}); got.Status != http.StatusSeeOther {
			t.Errorf("change: got %d: %s", got.Status, got.Body)
		}
		late := v.Post(path+"/edit", url.Values{"site": {"Dresden"}, "version": {"1"}})
		if late.Status != http.StatusConflict || !strings.Contains(late.Body, "Dresden") ||
			!strings.Contains(late.Body, "in the meantime") {
			t.Errorf("change of an old version: got %d", late.Status)
		}
		if got := v.Get(path); !strings.Contains(got.Body, "Rotterdam") ||
			!strings.Contains(got.Body, "Administrator") && !strings.Contains(got.Body, server.Administrator) {
			t.Errorf("record after the change: got %s", got.Body)
		}
		if got := v.Post(path+"/delete", url.Values{"version": {"2"}}); got.Status != http.StatusSeeOther {
			t.Errorf("delete: got %d: %s", got.Status, got.Body)
		}
		if got := v.Get(path); got.Status != http.StatusNotFound {
			t.Errorf("record after the deletion: got %d, want 404", got.Status)
		}
	})
}

// TestRoles shows a page only to the roles that have access to it.
func TestRoles(t *testing.T) {
	t.Parallel()
	s := start(t, mustertest.SQLite)
	s.AddUser("tech@example.com", inventory.Technician, false)
	s.AddUser("ask@example.com", inventory.Requester, false)
	for _, test := range []struct {
		email, path string
		want        int
	}{
		{"tech@example.com", "/app/computers", http.StatusOK},
		{"tech@example.com", "/app/users", http.StatusForbidden},
		{"ask@example.com", "/app/computers", http.StatusForbidden},
		{"ask@example.com", "/app/tickets", http.StatusForbidden},
		{"ask@example.com", "/app/tickets/new", http.StatusForbidden},
		{"ask@example.com", "/app/tickets/1/edit", http.StatusForbidden},
		{"ask@example.com", "/app/tickets/1/events", http.StatusForbidden},
		{"ask@example.com", "/app/computers/1", http.StatusForbidden},
		{"ask@example.com", "/app/tickets/x", http.StatusNotFound},
		{"ask@example.com", "/app/", http.StatusOK},
	} {
		if got := s.SignIn(test.email).Get(test.path); got.Status != test.want {
			t.Errorf("%s of %s: got %d, want %d", test.path, test.email, got.Status, test.want)
		}
	}
}

// TestOtherSites keeps pages of other sites from changing anything.
func TestOtherSites(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	got := s.Anonymous().Do(http.MethodPost, "/app/signin", "email=a&password=b", "Content-Type",
		"application/x-www-form-urlencoded", "Sec-Fetch-Site", "cross-site")
	if got.Status != http.StatusForbidden || !strings.Contains(got.Body, "another site") {
		t.Errorf("got %d: %s", got.Status, got.Body)
	}
}
