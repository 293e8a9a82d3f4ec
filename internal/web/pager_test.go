//go:build full

package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestFarPages asks for pages far behind the last one everywhere: there is a page,
// or a refusal, and nothing breaks.
func TestFarPages(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	add(t, s, "/hardwares", "<hardware><name>lej-1</name></hardware>")
	add(t, s, "/hardwares/1/softwares", "<software><name>Writer</name></software>")
	add(t, s, "/tickets", "<ticket><name>The fan hums</name><hardwares><hardware><id>1</id></hardware></hardwares></ticket>")
	add(t, s, "/vendors", "<vendor><name>Acme</name></vendor>")
	add(t, s, "/contracts",
		"<contract><name>Lease</name><type>Lease</type><vendor>Acme</vendor><hardwares><hardware><id>1</id></hardware></hardwares></contract>")
	s.Clock.Advance(48 * time.Hour)
	v := s.SignIn(server.Administrator)
	var paths []string
	for _, section := range []string{"tickets", "articles", "computers", "software", "printers", "assets", "contracts",
		"vendors", "risks", "activity", "users"} {
		paths = append(paths, section+"?", section+"/1?tab=x&n=")
	}
	for _, tab := range []string{
		"", "hardware", "software", "software&view=system", "tickets", "risks", "contracts", "history",
	} {
		paths = append(paths, "computers/1?tab="+tab, "computers/1?on=2026-01-31&tab="+tab)
	}
	paths = append(paths, "software/1/computers?", "vendors/1/contracts?", "contracts/1/computers?", "agents?",
		"agents/refused?", "agents/duplicates?", "requests?", "portal?", "search?q=lej")
	for _, path := range paths {
		for _, number := range []string{"2", "2147483647", "2147483648", "50000000000000000", "9223372036854775807",
			"99999999999999999999", "-1", "x"} {
			query := "&page=" + number
			if strings.HasSuffix(path, "n=") {
				query = number
			}
			if got := v.Get("/app/" + path + query); got.Status >= http.StatusInternalServerError {
				t.Errorf("%s%s: got %d: %s", path, query, got.Status, got.Body)
			}
		}
	}
}

// TestPastTheEnd leads from a page behind the last one to that, so that a list
// with records is not shown as empty.
func TestPastTheEnd(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	for _, path := range ids(five(t, v)) {
		add(t, s, "/hardwares/"+path+"/softwares", "<software><name>Writer</name></software>")
	}
	add(t, s, "/tickets", "<ticket><name>The fan hums</name><hardwares><hardware><id>1</id></hardware></hardwares></ticket>")
	goes(t, "a list", v.Get("/app/computers?per_page=2&page=9&site=Leipzig"),
		"/computers?per_page=2&page=2&site=Leipzig")
	goes(t, "a list behind an id", v.Get("/app/computers?after=99"), "/computers?page=1")
	goes(t, "a related list", v.Get("/app/software/1/computers?per_page=2&page=9"),
		"/software/1/computers?per_page=2&page=3")
	goes(t, "the reports of agents", v.Get("/app/agents?per_page=2&page=9"), "/agents?per_page=2&page=3")
	for _, tab := range []string{"software", "tickets", "history"} {
		goes(t, tab, v.Get("/app/computers/1?page=50000000000000000&tab="+tab), "/computers/1?page=1&tab="+tab)
	}
	wants(t, "nothing at all", v.Get("/app/vendors?page=9"), http.StatusOK, "No vendors yet")
	wants(t, "nothing in a tab", v.Get("/app/computers/1?tab=risks&page=9"), http.StatusOK, "None")
	wants(t, "no match", v.Get("/app/computers?site=Dresden&page=9"), http.StatusOK, "Nothing matches")
}
