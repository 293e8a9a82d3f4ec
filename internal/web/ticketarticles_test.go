package web_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"testing"

	"muster/internal/inventory"
	"muster/internal/mustertest"
)

// TestTicketArticles links articles of a technician's own choice with a ticket, by
// name and by number, and takes that back. Who may only read is offered nothing.
func TestTicketArticles(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		d := openDesk(t, db)
		for _, name := range []string{"Telephones", "Twins", "Twins"} {
			d.admin.Post("/app/articles/new", url.Values{"name": {name}, "state": {"Published"}})
		}
		page := d.tech.Get(d.path)
		expect(t, "ticket", page, http.StatusOK, `id="link-articles"`, "Name or number of an article",
			"!Suggested articles", "!Telephones")
		suggested := regexp.MustCompile(`id="l-articles"[^>]*data-suggest="([^"]+)"`).FindStringSubmatch(page.Body)
		if suggested == nil {
			t.Fatalf("got no suggestions in %s", page.Body)
		}
		expect(t, "suggested", d.tech.Get(suggested[1]+"?q=tele"), http.StatusOK, `"label":"Telephones"`, "!Twins")

		link := func(name string) *mustertest.Response {
			return d.tech.Post(d.path+"/article", seen(d.tech.Get(d.path), url.Values{"name": {name}}))
		}
		expect(t, "nothing", link(" "), http.StatusUnprocessableEntity,
			"Enter the name or the number of an article first.")
		expect(t, "unknown", link("Zebras"), http.StatusUnprocessableEntity, "Nothing is called Zebras.")
		expect(t, "unclear", link("Twins"), http.StatusUnprocessableEntity,
			"There are several articles called Twins: enter the number instead.")
		expect(t, "by number", link("#3"), http.StatusSeeOther)
		expect(t, "linked by number", d.tech.Get(d.path), http.StatusOK, "Twins linked", `id="article-3"`, "!article-2")
		expect(t, "by name", link("telephones"), http.StatusSeeOther)
		page = d.tech.Get(d.path)
		expect(t, "linked", page, http.StatusOK, "Telephones linked", "Unlink Telephones", "Unlink Twins")
		undo := regexp.MustCompile(`class="toast">.*?action="([^"]+)"`).FindStringSubmatch(page.Body)
		if undo == nil {
			t.Fatalf("got no undo in %s", page.Body)
		}
		expect(t, "undo", d.tech.Post(html.UnescapeString(undo[1]), url.Values{}), http.StatusSeeOther)
		expect(t, "undone", d.tech.Get(d.path), http.StatusOK, "!Unlink Telephones", "Unlink Twins")

		d.AddUser("look@example.com", inventory.Technician, true)
		expect(t, "who may only read", d.SignIn("look@example.com").Get(d.path), http.StatusOK, "Twins",
			"!link-articles", "!Unlink Twins")
	})
}
