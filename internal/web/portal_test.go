package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestPortal lets a requester read articles, open a ticket, follow and answer it,
// close it and reopen the ticket, and see nothing of others.
func TestPortal(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		d := openDesk(t, db)
		d.admin.Post("/app/computers/new",
			url.Values{"name": {"lej-1"}, "owner": {"ask@example.com"}, "model": {"Latitude 7440"}})
		d.admin.Post("/app/computers/new", url.Values{"name": {"lej-2"}, "owner": {server.Administrator}})
		d.admin.Post("/app/articles/new", url.Values{
			"name": {"What to do when printers smell"}, "state": {"Published"}, "description": {"Open a **window**."},
		})
		d.admin.Post("/app/articles/new", url.Values{"name": {"Printers smell: for us"}, "state": {"Internal"}})
		d.admin.Post("/app/tickets/new", url.Values{"name": {"Not yours"}, "requester": {server.Administrator}})

		expect(t, "home", d.ask.Get("/app/"), http.StatusOK, "How can we help?", "The printer smells", "Received",
			"lej-1", "!lej-2", "!Not yours", "!/app/computers", "!autofocus")
		expect(t, "search", d.ask.Get("/app/portal?q=printers+smell"), http.StatusOK, "1 article may help",
			"What to do when", "!for us")
		expect(t, "search by some words", d.ask.Get("/app/portal?q=my+printer+explodes"), http.StatusOK,
			"What to do when")
		expect(t, "search in vain", d.ask.Get("/app/portal?q=zebra"), http.StatusOK, "No article has these words")
		expect(t, "article", d.ask.Get("/app/help/1"), http.StatusOK, "<strong>window</strong>")
		expect(t, "article of the desk", d.ask.Get("/app/help/2"), http.StatusNotFound)
		for staffs, theirs := range map[string]string{
			"/app/tickets/1": "/requests/1", "/app/tickets/2": "/requests/2", "/app/articles/1": "/help/1",
			"/app/articles/2": "/help/2",
		} {
			goes(t, "link of staff", d.ask.Get(staffs), theirs)
			expect(t, "link of staff to staff", d.tech.Get(staffs), http.StatusOK)
		}
		expect(t, "computer", d.ask.Get("/app/devices/1"), http.StatusOK, "Latitude 7440")
		expect(t, "computer of another", d.ask.Get("/app/devices/2"), http.StatusNotFound)
		expect(t, "ticket of another", d.ask.Get("/app/requests/2"), http.StatusNotFound, "!/app/computers")
		expect(t, "answer to another's ticket", d.ask.Post("/app/requests/2/reply", url.Values{"body": {"Mine now."}}),
			http.StatusNotFound)

		expect(t, "ticket without a word",
			d.ask.Post("/app/requests", url.Values{"name": {" "}, "description": {"What I wrote"}}),
			http.StatusUnprocessableEntity, "What I wrote", `href="#i-name">Subject can&#39;t be blank</a>`,
			`name="name" value=" " required aria-invalid="true" aria-describedby="i-name-e" autofocus>`,
			`id="i-name-e"`)
		expect(t, "ticket as it was typed",
			d.ask.Post("/app/requests", url.Values{"do": {"restore"}, "name": {"Lost words"}, "description": {
				"What I typed",
			}, "hardwares": {""}, "key": {"k"}}), http.StatusOK,
			`value="Lost words"`, "What I typed</textarea>", `name="key" value="k"`, "autofocus",
			"!<option value=\"1\" selected", "!/app/requests/3")
		made := d.ask.Post("/app/requests",
			url.Values{"name": {"No sound"}, "description": {"Since today."}, "hardwares": {"1"}, "state": {"Closed"}})
		expect(t, "ticket", made, http.StatusSeeOther)
		path := made.Header.Get("Location")
		page := d.ask.Get(path)
		expect(t, "own ticket", page, http.StatusOK, "No sound", "Since today.", "lej-1", "Received", "was sent",
			"Look here for the answer.", "!reopen the ticket")
		expect(t, "ticket about another's computer",
			d.ask.Post("/app/requests", url.Values{"name": {"x"}, "hardwares": {"2"}}), http.StatusUnprocessableEntity,
			"does not exist",
			`name="hardwares" aria-invalid="true" aria-describedby="i-hardwares-e" autofocus>`,
			`<span class="error" id="i-hardwares-e">`)

		tech := strings.Replace(path, "requests", "tickets", 1)
		d.tech.Post(tech+"/reply", url.Values{"kind": {"note"}, "body": {"A user's mistake"}})
		d.tech.Post(tech+"/reply", url.Values{"kind": {"reply"}, "body": {"Turn it up"}, "state": {"Awaiting Input"}})
		expect(t, "closing what has changed",
			d.ask.Post(path+"/reply", seen(page, url.Values{"do": {"close"}, "body": {"Thanks anyway"}})),
			http.StatusConflict, "omething new", "Thanks anyway</textarea>")
		expect(t, "closing it without a word", d.ask.Post(path+"/reply", seen(page, url.Values{"do": {"close"}})),
			http.StatusConflict, "omething new")
		page = d.ask.Get(path)
		expect(t, "answered ticket", page, http.StatusOK, "We need your answer", "Turn it up", "!mistake")
		expect(t, "as staff see it", d.tech.Get(path), http.StatusOK, "Turn it up", "!mistake")
		expect(t, "empty answer", d.ask.Post(path+"/reply", seen(page, url.Values{"body": {""}})),
			http.StatusUnprocessableEntity, "Write something first")
		expect(t, "answer", d.ask.Post(path+"/reply", seen(page, url.Values{"body": {"Still silent"}})),
			http.StatusSeeOther)
		expect(t, "closing", d.ask.Post(path+"/reply",
			seen(d.ask.Get(path), url.Values{"do": {"close"}, "body": {"Solved"}})), http.StatusSeeOther)
		page = d.ask.Get(path)
		expect(t, "closed ticket", page, http.StatusOK, "Closed", "Still silent", "Solved", "The ticket is closed",
			"reopen the ticket")
		expect(t, "opening again", d.ask.Post(path+"/reply", seen(page, url.Values{"do": {"reopen"}})),
			http.StatusSeeOther)
		expect(t, "open ticket", d.ask.Get("/app/requests"), http.StatusOK, "No sound", "Received", "!Not yours")
	})
}

// TestPortalTheme switches the theme of the portal by its button, without a script.
func TestPortalTheme(t *testing.T) {
	t.Parallel()
	d := openDesk(t, mustertest.SQLite)
	for _, one := range []struct{ offers, gets string }{
		{"dark", ` data-theme="dark"`}, {"light", ` data-theme="light"`}, {"dark", ` data-theme="dark"`},
	} {
		form := `<form method="post" action="/app/preferences"><input type="hidden" name="to" value="/requests"><button class="btn plain icon" name="theme" value="` + one.offers + `"`
		expect(t, "button for "+one.offers, d.ask.Get("/app/requests"), http.StatusOK, form)
		goes(t, one.offers, d.ask.Post("/app/preferences", url.Values{"to": {"/requests"}, "theme": {one.offers}}),
			"/requests")
		expect(t, "page in "+one.offers, d.ask.Get("/app/requests"), http.StatusOK, one.gets)
	}
}
