package web_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/server"
	"muster/internal/store"
)

// TestActivity shows what was done as people read it.
func TestActivity(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		v := s.SignIn(server.Administrator)
		add(t, s, "/contracts", `<contract><name>Care of the lift</name><end-date>2026-03-31</end-date></contract>`)
		form := url.Values{"version": {"1"}, "end-date": {"2027-03-31"}, "items": {""}, "items.0.name": {
			`The "new" lift`,
		}, "items.0.version": {"2"}}
		goes(t, "change", v.Post("/app/contracts/1/edit", form), "/contracts/1")
		page := v.Get("/app/activity?record_type=contract")
		wants(t, "activity", page, http.StatusOK, `href="/app/contracts/1">Care of the lift`, "<del>31 Mar 2026</del>",
			"<ins>31 Mar 2027</ins>", `<ins>The "new" lift 2</ins>`, "Details")
		if strings.Contains(page.Body, "2026-03-31") {
			t.Errorf("got a day as the API writes it: %s", page.Body)
		}

		s.AddUser("tech@example.com", inventory.Technician, false)
		tech := s.SignIn("tech@example.com")
		for path, link := range map[string]string{
			"/app/activity": `href="/app/contracts/1"`, "/app/activity?record_type=user": ">Details<",
		} {
			got := tech.Get(path)
			wants(t, path, got, http.StatusOK, "tech@example.com", link)
			if strings.Contains(got.Body, `href="/app/users`) {
				t.Errorf("%s: got a link to a user, whose page is not for technicians: %s", path, got.Body)
			}
		}
		wants(t, "activity to administrators", v.Get("/app/activity?record_type=user"), http.StatusOK,
			`href="/app/users/2">tech@example.com</a>`)
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
	expect(t, "search", v.Get("/app/search?q=Tom+%26+Jerry"), http.StatusOK, "Nothing matches",
		`href="/app/activity?q=Tom%20%26%20Jerry">Search the activity for these words</a>`)
	expect(t, "activity", v.Get("/app/activity?q=Tom%20%26%20Jerry"), http.StatusOK, "Tom &amp; Jerry", "2 of ")
	expect(t, "no words", v.Get("/app/search"), http.StatusOK, "!Search the activity")
}

// TestManyChangesOfARecord: the page of an audit record pages its changes, and the
// activity counts those that it does not show.
func TestManyChangesOfARecord(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	ctx := context.Background()
	changes := make([]inventory.AuditChange, 20_000)
	for i := range changes {
		changes[i] = inventory.AuditChange{
			Field: "softwares", To: fmt.Sprintf("name: \"program %d\", install-path: %q", i, strings.Repeat("x", 200)),
		}
	}
	record := &inventory.Audit{
		Action: inventory.Reported, Message: "Report with 20000 changes: softwares 20000 added",
		RecordType: "hardware", RecordName: "PC",
		RecordID: kind.Some[int64](1), Origin: "agent", Changes: changes,
	}
	err := s.Store().Update(ctx, func(tx *store.Tx) error {
		return tx.Append(ctx, inventory.Audits.Schema, []any{record}, s.Clock.Now())
	})
	if err != nil {
		t.Fatal(err)
	}
	path := fmt.Sprintf("/app/activity/%d", len(s.Audits()))
	first := v.Get(path)
	expect(t, "the first changes", first, http.StatusOK, "Report with 20,000 changes: softwares 20,000 added",
		`<span class="n">20,000</span>`, "program 99&#34;", "!program 100&#34;", "1–100 of 20,000",
		`href="`+path+`?page=2"`)
	expect(t, "the next ones", v.Get(path+"?page=2"), http.StatusOK, "program 100&#34;", "!program 99&#34;",
		"101–200 of 20,000")
	expect(t, "the last ones", v.Get(path+"?page=9999"), http.StatusOK, "program 19999&#34;")
	expect(t, "the activity", v.Get("/app/activity"), http.StatusOK, "program 3", "19,996")
	if len(first.Body) > 200_000 {
		t.Errorf("got a page of %d bytes", len(first.Body))
	}
}
