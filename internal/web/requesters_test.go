package web_test

import (
	"net/http"
	"net/url"
	"testing"

	"muster/internal/inventory"
	"muster/internal/mustertest"
)

// TestRequestersPreferences offers requesters what the portal has, and keeps what
// they had chosen beyond that.
func TestRequestersPreferences(t *testing.T) {
	t.Parallel()
	d := openDesk(t, mustertest.SQLite)
	expect(t, "a technician's", d.tech.Get("/app/preferences"), http.StatusOK, `name="theme"`, `name="lang"`,
		`name="density"`, `name="nav"`, `name="keys"`)
	expect(t, "a requester's", d.ask.Get("/app/preferences"), http.StatusOK, `name="theme"`, `name="lang"`,
		`!name="density"`, `!name="nav"`, `!name="keys"`)
	d.ask.Post("/app/preferences", url.Values{"density": {"compact"}, "keys": {"off"}})
	expect(t, "save", d.ask.Post("/app/preferences", url.Values{"theme": {"dark"}, "to": {"/preferences"}}),
		http.StatusSeeOther)
	expect(t, "saved", d.ask.Get("/app/preferences"), http.StatusOK, `data-theme="dark"`, `data-density="compact"`,
		`data-keys="off"`)
}

// TestPortalOfReaders: people who may only read see why they cannot open tickets.
func TestPortalOfReaders(t *testing.T) {
	t.Parallel()
	d := openDesk(t, mustertest.SQLite)
	d.AddUser("look@example.com", inventory.Requester, true)
	expect(t, "who may only read", d.SignIn("look@example.com").Get("/app/portal"), http.StatusOK,
		"Your account is read-only, so you cannot open tickets.", "!What is it about?")
	expect(t, "nothing found", d.SignIn("look@example.com").Get("/app/portal?q=zebra"), http.StatusOK,
		"No article has these words.", "!Open a ticket below")
	expect(t, "who may write", d.ask.Get("/app/portal"), http.StatusOK, "!You may only read here", "What is it about?")
}
