package web_test

import (
	"net/http"
	"net/url"
	"testing"

	"muster/internal/inventory"
	"muster/internal/mustertest"
)

// TestHelpers offers a ticket to those who can work on it, and still names who
// has it and no longer can.
func TestHelpers(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		d := openDesk(t, db)
		d.AddUser("look@example.com", inventory.Technician, true)
		d.AddUser("gone@example.com", inventory.Technician, false)
		if got := d.Admin().Do("PUT", "/users/5.xml",
			"<user><disabled>true</disabled></user>"); got.Status != http.StatusOK {
			t.Fatalf("disable: got %d: %s", got.Status, got.Body)
		}
		for _, path := range []string{d.path, "/app/tickets/new"} {
			expect(t, path, d.tech.Get(path), http.StatusOK, `<option value="tech@example.com"`,
				`!<option value="look@example.com"`, `!<option value="gone@example.com"`,
				`!<option value="ask@example.com"`)
		}
		suggested := d.tech.Get("/app/suggest/tickets/assignee?q=example.com")
		expect(t, "suggested", suggested, http.StatusOK, "tech@example.com", "!look@example.com", "!gone@example.com",
			"!ask@example.com")
		expect(t, "who may ask", d.tech.Get("/app/suggest/tickets/requester?q=ask"), http.StatusOK, "ask@example.com")

		expect(t, "given", d.tech.Post(d.path+"/set",
			seen(d.tech.Get(d.path), url.Values{"assignee": {"look@example.com"}})), http.StatusSeeOther)
		expect(t, "who has it", d.tech.Get(d.path), http.StatusOK, `<option value="look@example.com" selected`)
	})
}
