package web_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// navLink finds a link of the navigation with its number.
func navLink(t *testing.T, body, path string) string {
	t.Helper()
	found := regexp.MustCompile(`<li><a href="/app` + path + `" title=.*?</a>`).FindString(body)
	if found == "" {
		t.Errorf("navigation: got no %s", path)
	}
	return found
}

// TestNavigation: the navigation marks the current page, and counts what is to be done.
func TestNavigation(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		s.AddUser("tech@example.com", inventory.Technician, false)
		v := s.SignIn("tech@example.com")
		for _, form := range []url.Values{{"name": {"a"}}, {"name": {"b"}, "state": {"Closed"}}} {
			if got := v.Post("/app/tickets/new", form); got.Status != http.StatusSeeOther {
				t.Fatalf("new ticket: got %d: %s", got.Status, got.Body)
			}
		}
		body := v.Get("/app/computers").Body
		if got := navLink(t, body, "/tickets"); !strings.Contains(got, `<span class="n">1</span>`) ||
			strings.Contains(got, "aria-current") {
			t.Errorf("tickets: got %s, want 1 open one", got)
		}
		if got := navLink(t, body, "/computers"); !strings.Contains(got, `<span class="n">0</span>`) ||
			!strings.Contains(got, `aria-current="page"`) {
			t.Errorf("computers: got %s, want that it is here", got)
		}
		if strings.Contains(body, `href="/app/users"`) ||
			!strings.Contains(body, `placeholder="Search computers, tickets, articles …"`) {
			t.Error("a technician: got a link to users, or the promise to find them")
		}
		if body := s.SignIn(server.Administrator).Get("/app/computers").Body; !strings.Contains(body,
			`placeholder="Search computers, tickets, people …"`) {
			t.Error("an administrator: got no promise to find people")
		}
	})
}

// TestPreferences keeps how pages look in the browser, also without scripts.
func TestPreferences(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	if got := v.Post("/app/preferences",
		url.Values{"theme": {"dark"}, "nav": {"collapsed"}, "keys": {"off"}, "density": {"huge"}, "to": {
			"/computers?q=x",
		}}); got.Header.Get("Location") != "/app/computers?q=x" {
		t.Fatalf("got %d to %s", got.Status, got.Header.Get("Location"))
	}
	html := regexp.MustCompile(`<html [^>]*>`)
	if got := html.FindString(v.Get("/app/computers").Body); got != `<html lang="en" data-theme="dark" data-nav="collapsed" data-keys="off">` {
		t.Errorf("got %s", got)
	}
	v.Post("/app/preferences", url.Values{"theme": {"system"}, "nav": {"open"}, "keys": {"on"}})
	if got := html.FindString(v.Get("/app/preferences").Body); got != `<html lang="en">` {
		t.Errorf("back to the beginning: got %s", got)
	}
	if got := v.Get("/app/keys"); got.Status != http.StatusOK ||
		!strings.Contains(got.Body, "<kbd>Shift</kbd><kbd>X</kbd>") {
		t.Errorf("keys: got %d", got.Status)
	}
}

// TestMenuOfNew offers in the menu of new records all kinds that people can make.
func TestMenuOfNew(t *testing.T) {
	t.Parallel()
	v := mustertest.Start(t, mustertest.Options{}).SignIn(server.Administrator)
	page := v.Get("/app/preferences")
	for _, path := range []string{"tickets", "articles", "computers", "software", "printers", "assets", "contracts",
		"vendors", "risks", "users"} {
		expect(t, path, page, http.StatusOK, `<li><a href="/app/`+path+`/new"`)
		expect(t, path, v.Get("/app/"+path+"/new"), http.StatusOK)
	}
}

// TestReadersMakeNothing leaves the menu out by which records are made.
func TestReadersMakeNothing(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	s.AddUser("reader@example.com", inventory.Technician, true)
	if got := s.SignIn("reader@example.com").Get("/app/computers").Body; strings.Contains(got, `/new"`) {
		t.Error("got ways to make records, want none")
	}
}

// TestZone writes times as the browser has them.
func TestZone(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	path := v.Post("/app/computers/new", url.Values{"name": {"a"}}).Header.Get("Location")
	for zone, want := range map[string]string{
		"Asia/Kathmandu": "0545", "Europe/Berlin": "CE", "../../etc/passwd": "UTC", "Local": "UTC", "": "UTC",
	} {
		v.SetCookie("zone", zone)
		if got := v.Get(path).Body; !regexp.MustCompile(`<time datetime="[^"]*Z" title="[^"]*` +
			regexp.QuoteMeta(want)).MatchString(got) {
			t.Errorf("%s: got no time in %s", zone, want)
		}
	}
}

// TestTriesLeft: the page says how many tries are left before a pause, and how long the
// pause is.
func TestTriesLeft(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{Change: func(cfg *server.Config) { cfg.LoginLimit = 3 }})
	v := s.Visitor()
	if got := v.Get("/app/signin").Body; !strings.Contains(got, "Sign in to "+strings.TrimPrefix(s.Base, "https://")) {
		t.Errorf("the page: got no name of the server in %s", got)
	}
	for _, want := range []string{
		"2 more tries before", "1 more try before", "paused now, for up to an hour", "Try again in",
	} {
		if got := v.Post("/app/signin",
			url.Values{"email": {server.Administrator}, "password": {"wrong"}}); !strings.Contains(got.Body, want) {
			t.Errorf("got %d without %q: %s", got.Status, want, got.Body)
		}
	}
}

// TestEmpty says of each section what to do first.
func TestEmpty(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	for path, want := range map[string]string{
		"articles": "No articles yet", "computers": "Connect an agent to this server", "software": "when computers report",
		"printers": "No printers yet", "assets": "No other assets yet", "contracts": "No contracts yet",
		"vendors": "No vendors yet", "risks": "No risks",
	} {
		if got := v.Get("/app/" + path); got.Status != http.StatusOK || !strings.Contains(got.Body, want) {
			t.Errorf("%s: got %d without %q", path, got.Status, want)
		}
	}
}
