package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestDelete names what refers to a record and what becomes of it.
func TestDelete(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		add(t, s, "/hardwares", "<hardware><name>lej-1</name></hardware>")
		add(t, s, "/vendors", "<vendor><name>Acme</name></vendor>")
		add(t, s, "/contracts",
			"<contract><name>Support</name><vendor>Acme</vendor><hardwares><hardware><id>1</id></hardware></hardwares></contract>")
		for i := range 9 {
			add(t, s, "/hardwares/1/tickets", fmt.Sprintf("<ticket><name>Help %d</name></ticket>", i))
		}
		add(t, s, "/hardwares/1/softwares", "<software><name>Editor</name><version>1.0</version></software>")
		add(t, s, "/solutions",
			"<solution><name>Restart it</name><tickets><ticket><id>1</id></ticket><ticket><id>2</id></ticket></tickets></solution>")
		v := s.SignIn(server.Administrator)
		kept := v.Get("/app/vendors/1/delete")
		if !strings.Contains(kept.Body, "cannot be deleted") ||
			!strings.Contains(kept.Body,
				`<a href="/app/vendors/1/contracts">1 contract as vendor</a><ul class="bullets"><li><a href="/app/contracts/1">Support</a></li>`) || strings.Contains(kept.Body, "Delete vendor</button>") {
			t.Errorf("vendor: got %s", kept.Body)
		}
		if got := v.Get("/app/users/1/delete"); !strings.Contains(got.Body, "9 tickets as requester") ||
			!strings.Contains(got.Body, "Disable the user instead") {
			t.Errorf("user: got %s", got.Body)
		}
		if got := v.Get("/app/articles/1/delete"); !strings.Contains(got.Body, "no longer linked to it") ||
			!strings.Contains(got.Body,
				`<li>2 tickets<ul class="bullets"><li><a href="/app/tickets/1">#1 Help 0</a></li><li><a href="/app/tickets/2">#2 Help 1</a></li>`) || !strings.Contains(got.Body, "Delete article</button>") {
			t.Errorf("article: got %s", got.Body)
		}
		page := v.Get("/app/computers/1/delete")
		for _, want := range []string{
			`<a href="/app/computers/1?tab=contracts">1 contract</a>`, `<a href="/app/contracts/1">Support</a>`,
			`<a href="/app/computers/1?tab=tickets">9 tickets</a>`,
			`<a href="/app/tickets/1">#1 Help 0</a>`, `<a href="/app/tickets/5">#5 Help 4</a>`,
			`<a href="/app/computers/1?tab=tickets">and 4 more</a>`,
			`<a href="/app/computers/1?tab=software">1 software</a>`, `<a href="/app/software/1">Editor 1.0</a>`,
			"Type lej-1 to confirm", "Delete computer</button>",
		} {
			if !strings.Contains(page.Body, want) {
				t.Errorf("computer: got no %q in %s", want, page.Body)
			}
		}
		if strings.Contains(page.Body, "Help 5") {
			t.Errorf("computer: got more than five tickets by their names in %s", page.Body)
		}
		if got := v.Get("/app/software/1/delete"); !strings.Contains(got.Body,
			`<a href="/app/software/1/computers">1 computer</a><ul class="bullets"><li><a href="/app/computers/1">lej-1</a></li>`) {
			t.Errorf("software: got %s", got.Body)
		}
		form := formOn(t, page, "/app/computers/1/delete")
		if got := v.Post("/app/computers/1/delete", form); got.Status != http.StatusUnprocessableEntity {
			t.Errorf("without the name: got %d", got.Status)
		}
		form.Set("confirm", "lej-1")
		if got := v.Post("/app/computers/1/delete", form); got.Status != http.StatusSeeOther {
			t.Errorf("with the name: got %d: %s", got.Status, got.Body)
		}
		if got := v.Get("/app/tickets/1/delete"); strings.Contains(got.Body, "confirm") ||
			!strings.Contains(got.Body, "Delete ticket</button>") {
			t.Errorf("ticket: got %s", got.Body)
		}
	})
}
