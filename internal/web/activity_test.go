package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestActivity tells what was done as people read it.
func TestActivity(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		v := s.SignIn(server.Administrator)
		add(t, s, "/contracts", `<contract><name>Care of the lift</name><end-date>2026-03-31</end-date></contract>`)
		form := url.Values{"version": {"1"}, "end-date": {"2027-03-31"}, "items": {""}, "items.0.name": {`The "new" lift`}, "items.0.version": {"2"}}
		goes(t, "change", v.Post("/app/contracts/1/edit", form), "/contracts/1")
		page := v.Get("/app/activity?record_type=contract")
		wants(t, "activity", page, http.StatusOK, `href="/app/contracts/1">Care of the lift`, "<del>31 Mar 2026</del>", "<ins>31 Mar 2027</ins>", `<ins>The "new" lift 2</ins>`, "Details")
		if strings.Contains(page.Body, "2026-03-31") {
			t.Errorf("got a day as the API writes it: %s", page.Body)
		}

		s.AddUser("tech@example.com", inventory.Technician, false)
		tech := s.SignIn("tech@example.com")
		for path, link := range map[string]string{"/app/activity": `href="/app/contracts/1"`, "/app/activity?record_type=user": ">Details<"} {
			told := tech.Get(path)
			wants(t, path, told, http.StatusOK, "tech@example.com", link)
			if strings.Contains(told.Body, `href="/app/users`) {
				t.Errorf("%s: got a link to a user, whose page is not for technicians: %s", path, told.Body)
			}
		}
		wants(t, "activity to administrators", v.Get("/app/activity?record_type=user"), http.StatusOK, `href="/app/users/2">tech@example.com</a>`)
	})
}

// TestSearchTheActivity leads from a search over all kinds to the same words in
// the activity, which also knows what is there no more.
func TestSearchTheActivity(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	add(t, s, "/hardwares", "<hardware><name>Tom &amp; Jerry</name></hardware>")
	if got := s.Admin().Do("DELETE", "/hardwares/1.xml", ""); got.Status != http.StatusOK {
		t.Fatalf("delete: got %d: %s", got.Status, got.Body)
	}
	expect(t, "search", v.Get("/app/search?q=Tom+%26+Jerry"), http.StatusOK, "Nothing matches", `href="/app/activity?q=Tom%20%26%20Jerry">Search the activity for these words</a>`)
	expect(t, "activity", v.Get("/app/activity?q=Tom%20%26%20Jerry"), http.StatusOK, "Tom &amp; Jerry", "2 of ")
	expect(t, "no words", v.Get("/app/search"), http.StatusOK, "!Search the activity")
}
