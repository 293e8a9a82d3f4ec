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
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		add(t, s, "/hardwares", "<hardware><name>lej-1</name></hardware>")
		add(t, s, "/vendors", "<vendor><name>Acme</name></vendor>")
		add(t, s, "/contracts", "<contract><name>Support</name><vendor>Acme</vendor><hardwares><hardware><id>1</id></hardware></hardwares></contract>")
		for i := range 9 {
			add(t, s, "/hardwares/1/tickets", fmt.Sprintf("<ticket><name>Help %d</name></ticket>", i))
		}
		add(t, s, "/solutions", "<solution><name>Restart it</name><tickets><ticket><id>1</id></ticket><ticket><id>2</id></ticket></tickets></solution>")
		v := s.SignIn(server.Administrator)
		kept := v.Get("/app/vendors/1/delete")
		if !strings.Contains(kept.Body, "cannot be deleted") || !strings.Contains(kept.Body, `<a href="/app/vendors/1/contracts">1 contract as vendor</a>`) || strings.Contains(kept.Body, "Delete vendor</button>") {
			t.Errorf("vendor: got %s", kept.Body)
		}
		if got := v.Get("/app/users/1/delete"); !strings.Contains(got.Body, "9 tickets as requester") || !strings.Contains(got.Body, "Disable the user instead") {
			t.Errorf("user: got %s", got.Body)
		}
		if got := v.Get("/app/articles/1/delete"); !strings.Contains(got.Body, "lose their link to it") || !strings.Contains(got.Body, "<li>2 tickets</li>") || !strings.Contains(got.Body, "Delete article</button>") {
			t.Errorf("article: got %s", got.Body)
		}
		page := v.Get("/app/computers/1/delete")
		for _, want := range []string{"1 contract<", "9 tickets<", "Type lej-1 to confirm", "Delete computer</button>"} {
			if !strings.Contains(page.Body, want) {
				t.Errorf("computer: got no %q in %s", want, page.Body)
			}
		}
		form := formOn(t, page, "/app/computers/1/delete")
		if got := v.Post("/app/computers/1/delete", form); got.Status != http.StatusUnprocessableEntity {
			t.Errorf("without the name: got %d", got.Status)
		}
		form.Set("confirm", "lej-1")
		if got := v.Post("/app/computers/1/delete", form); got.Status != http.StatusSeeOther {
			t.Errorf("with the name: got %d: %s", got.Status, got.Body)
		}
		if got := v.Get("/app/tickets/1/delete"); strings.Contains(got.Body, "confirm") || !strings.Contains(got.Body, "Delete ticket</button>") {
			t.Errorf("ticket: got %s", got.Body)
		}
	})
}
