//go:build full

package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestImportExported brings back what the lists of a whole organisation export, with
// all columns: in no language and zone is a row refused, or does it change anything.
func TestImportExported(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{Change: func(cfg *server.Config) { cfg.Demo = true }})
	v := s.SignIn(server.Administrator)
	for _, c := range []struct {
		section, key string
		kind         *kind.Schema
	}{
		{"computers", "usual", inventory.Computers.Schema},
		{"software", "usual", inventory.Softwares.Schema},
		{"printers", "usual", inventory.Printers.Schema},
		{"assets", "usual", inventory.OtherAssets.Schema},
		{"contracts", "usual", inventory.Contracts.Schema},
		{"vendors", "usual", inventory.Vendors.Schema},
		{"articles", "usual", inventory.Solutions.Schema},
		{"users", "usual", inventory.Users.Schema},
		{"tickets", "number", inventory.Tickets.Schema},
		{"risks", "name", inventory.Risks.Schema},
	} {
		var columns []string
		for _, f := range c.kind.Fields {
			columns = append(columns, f.Name)
		}
		v.SetCookie("__Host-columns-"+c.section, strings.Join(columns, "."))
		for _, person := range []struct{ language, zone, all, same string }{
			{"en", "America/New_York", "All", "Same"}, {"de", "Europe/Berlin", "Alle", "Gleich"},
		} {
			v.SetCookie("lang", person.language)
			v.SetCookie("zone", person.zone)
			for _, file := range []string{"export.csv", "export.xlsx"} {
				what := fmt.Sprintf("%s of %s in %s", file, c.section, person.language)
				path, preview := check(t, v, c.section, file, v.Get("/app/"+c.section+"/"+file).Body,
					map[string]string{"key": c.key})
				all, same := counted(preview, person.all), counted(preview, person.same)
				if all == "" || same != all {
					t.Errorf("%s: got %s rows, of which nothing changes by %s; changes:\n%.2000s\nproblems:\n%.2000s",
						what, all, same, rowsText(v.Get(path+"?show=1").Body), rowsText(v.Get(path+"?show=3").Body))
				}
				v.Post(path, url.Values{"do": {"stop"}})
			}
		}
	}
}

// TestImportExportedAlike imports what exports do not distinguish: people and records
// that are called alike, names with commas and of digits, an hour that a day has twice,
// and a status that is called like another one in the person's language.
func TestImportExportedAlike(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	for _, email := range []string{"one@example.com", "two@example.com"} {
		add(t, s, "/users", "<user><email>"+email+
			"</email><first-name>Anna</first-name><last-name>Berg</last-name><role>technician</role><password>correct horse battery</password></user>")
	}
	expect(t, "a status", v.Post("/app/settings", url.Values{"name": {"statuses"}, "value": {"Reserve"}}),
		http.StatusSeeOther)
	addComputers(t, v, url.Values{"name": {"twin"}, "asset-id": {"A-1"}, "status": {"Reserve"}},
		url.Values{"name": {"twin"}, "asset-id": {"A-2"}, "status": {"Spare"}},
		url.Values{"name": {"big, blue"}, "asset-id": {"A-3"}}, url.Values{"name": {"1"}, "asset-id": {"A-4"}})
	add(t, s, "/tickets", "<ticket><name>t</name><assignee>two@example.com</assignee><due-at>2026-10-25T00:30:00Z</due-at>"+
		"<hardwares><hardware><id>2</id></hardware><hardware><id>3</id></hardware><hardware><id>4</id></hardware></hardwares></ticket>")
	v.SetCookie("lang", "de")
	v.SetCookie("zone", "Europe/Berlin")
	for section, key := range map[string]string{"tickets": "number", "computers": "usual"} {
		for _, file := range []string{"export.csv", "export.xlsx"} {
			_, preview := check(t, v, section, file, v.Get("/app/"+section+"/"+file+"?sort_by=id").Body,
				map[string]string{"key": key})
			if all, same := counted(preview, "Alle"), counted(preview, "Gleich"); all == "" || all != same {
				t.Errorf("%s of %s: got %s rows, of which nothing changes by %s: %s", file, section, all, same,
					rowsText(preview))
			}
		}
	}
}

// counted returns the number behind a choice of the rows of a preview.
func counted(preview, choice string) string {
	_, rest, _ := strings.Cut(preview, ">"+choice+` <span class="n">`)
	number, _, _ := strings.Cut(rest, "<")
	return number
}

// rowsText returns what the rows of a preview say.
func rowsText(body string) string {
	_, rest, _ := strings.Cut(body, "<tbody role=\"rowgroup\">")
	rest, _, _ = strings.Cut(rest, "</tbody>")
	return strings.Join(strings.Fields(regexp.MustCompile("<[^>]*>").ReplaceAllString(rest, " ")), " ")
}
