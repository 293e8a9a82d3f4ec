//go:build full && browser

package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestBrowserArticles publishes an article, takes it back, and deletes it; a
// ticket that it is linked to names it before it goes itself.
func TestBrowserArticles(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		s := mustertest.Start(t, mustertest.Options{})
		v := s.SignIn(server.Administrator)
		made := v.Post("/app/tickets/new", url.Values{"name": {"The printer smells"}})
		expect(t, "ticket", made, http.StatusSeeOther)
		ticket := made.Header.Get("Location")
		b := l.visit(t, s, server.Administrator)
		begins(b, "articles")
		b.Type("Name required", "When printers smell")
		b.Type("Description", "Open a **window**.")
		picks(b, "tickets", "smells", "The printer smells")
		saves(b)
		b.WaitText("When printers smell was added")
		b.In(".record").Click("Publish")
		b.WaitText("When printers smell is Published now")
		b.Axe(t)
		path := strings.Replace(pathOf(s, b), "articles", "help", 1)
		expect(t, "published", v.Get(path), http.StatusOK, "<strong>window</strong>")
		b.In(".record").Click("Unpublish")
		b.WaitText("When printers smell is Internal now")

		b.Open(ticket + "/delete")
		b.WaitText("These are kept, but no longer linked to it:")
		b.WaitText("1 article")
		b.Axe(t)
		b.Click("Keep ticket")
		b.Open(strings.Replace(path, "help", "articles", 1))
		deletes(t, b, "When printers smell")
		b.Open(ticket + "/delete")
		if got := b.Text(".ask"); strings.Contains(got, "article") {
			t.Errorf("the ticket after the article is gone: got %s", got)
		}
		b.ClickOn(".ask .btn.danger")
		b.WaitText("The printer smells was deleted")
	})
}
