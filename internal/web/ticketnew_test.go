package web_test

import (
	"net/http"
	"net/url"
	"testing"

	"muster/internal/mustertest"
)

// TestNewTicket opens a ticket for somebody: their computers are offered, all
// fields are there, and errors are shown at their fields.
func TestNewTicket(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		d := openDesk(t, db)
		for _, name := range []string{"lej-1", "lej-2"} {
			expect(t, "computer", d.admin.Post("/app/computers/new",
				url.Values{"name": {name}, "owner": {"ask@example.com"}}), http.StatusSeeOther)
		}
		page := d.tech.Get("/app/tickets/new?hardwares=2")
		expect(t, "for a computer", page, http.StatusOK, `value="ask@example.com"`, `value="2" checked`,
			"Of ask@example.com:", `value="1"><span>lej-1`, "Open ticket")
		sent := formOn(t, page, "/app/tickets/new")
		for _, name := range []string{
			"name", "description", "requester", "hardwares", "priority", "assignee", "due-at", "category",
			"subcategory", "state", "site", "department", "tag", "other-assets", "resolution", "key",
		} {
			if !sent.Has(name) {
				t.Errorf("the form has no %s", name)
			}
		}
		expect(t, "without a computer", d.tech.Get("/app/tickets/new"), http.StatusOK, "!lej-", "!<details open")
		expect(t, "their computers",
			d.tech.Post("/app/tickets/new", url.Values{"requester": {"ask@example.com"}, "do": {"find:requester"}}),
			http.StatusOK, "lej-1", "lej-2")

		sent.Set("assignee", "tech@example.com")
		sent.Set("state", "Forgotten")
		wrong := d.tech.Post("/app/tickets/new", sent)
		expect(t, "wrong", wrong, http.StatusUnprocessableEntity, `href="#i-name">Subject can&#39;t be blank`,
			`id="i-name-e"`, `<details open`, `id="i-state-e"`, `value="2" checked`,
			`value="tech@example.com" selected`)
		sent = formOn(t, wrong, "/app/tickets/new")
		sent.Set("name", "It hums")
		sent.Set("state", "New")
		made := d.tech.Post("/app/tickets/new", sent)
		expect(t, "right", made, http.StatusSeeOther)
		expect(t, "ticket", d.tech.Get(made.Header.Get("Location")), http.StatusOK, "It hums", "Unlink lej-2",
			"!Unlink lej-1", `value="tech@example.com" selected`, "mailto:ask@example.com")
		expect(t, "for oneself", d.tech.Post("/app/tickets/new", url.Values{"name": {"Mine"}, "requester": {""}}),
			http.StatusSeeOther)
	})
}
