package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/mustertest"
)

// TestForStaffAlone: whoever has a computer sees neither its notes nor when its
// technical contact signed in and at what number they answer, in no document and
// by no search.
func TestForStaffAlone(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		anna, tech := s.AddUser("anna@example.com", inventory.Requester, false),
			s.AddUser("tech@example.com", inventory.Technician, false)
		tech.Get("/hardwares") // so that they have a last sign-in
		equal(t, "the phone", s.Admin().Do("PUT", "/users/3", "<user><phone>555-0173</phone></user>").Status,
			http.StatusOK)
		var many string
		for i := range 63 {
			many += fmt.Sprintf(" word%d", i)
		}
		create(t, tech, "<name>mine shared</name><notes>leased, shared with Zebra"+many+
			"</notes><owner>anna@example.com</owner><technical-contact>tech@example.com</technical-contact>")

		for _, format := range []string{".xml", ".json"} {
			own, all := anna.Get("/hardwares/1"+format), tech.Get("/hardwares/1"+format)
			for _, hidden := range []string{"Zebra", "555-0173", "2026-01-31T09:30:00Z\"}", "<last-login>"} {
				if strings.Contains(own.Body, hidden) {
					t.Errorf("the computer%s: got %q in what its owner sees:\n%s", format, hidden, own.Body)
				}
			}
			for _, shown := range []string{"Zebra", "555-0173", "tech@example.com"} {
				equal(t, format+" for staff has "+shown, strings.Contains(all.Body, shown), true)
			}
			equal(t, format+": the contact's address", strings.Contains(own.Body, "tech@example.com"), true)
		}
		for q, want := range map[string]string{"zebra": "", "zeb": "", "leased": "", "mine zebra": "", "mine": "1",
			"shared": "1", "shar": "1", "shared mine": "1", "§zebra": ""} {
			for _, list := range []string{
				"/hardwares?q=", "/hardwares?sort_by=name&q=", "/hardwares?status=operational&q=",
				"/hardwares.json?after=0&q=",
			} {
				total := fmt.Sprint(len(strings.Fields(want)))
				own := anna.Get(list + url.QueryEscape(q))
				equal(t, list+q, []any{own.Status, own.Header.Get("X-Total-Count")}, []any{http.StatusOK, total})
				equal(t, list+q+" for staff", tech.Get(list+url.QueryEscape(q)).Header.Get("X-Total-Count"), "1")
			}
		}
		equal(t, "64 words", tech.Get("/hardwares?q="+url.QueryEscape("mine "+many)).Header.Get("X-Total-Count"), "1")
		equal(t, "64 words for the owner",
			anna.Get("/hardwares?q="+url.QueryEscape("mine "+many)).Header.Get("X-Total-Count"), "0")
		for _, param := range []string{
			"notes=x", "sort_by=notes", "technical_contact=x", "sort_by=technical_contact", "phone=5",
		} {
			equal(t, param, anna.Get("/hardwares?"+param).Status, http.StatusBadRequest)
		}
	})
}
