//go:build full

package web_test

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
)

var (
	countedLink = regexp.MustCompile(`<a [^>]*?href="([^"]*)"[^>]*? data-total="([0-9]+)"`)
	listTotal   = regexp.MustCompile(`<h1>[^<]*<span class="n">([0-9,]+)`)
)

// TestDashboard follows each number to the list that it counts.
func TestDashboard(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		s.AddUser("tech@example.com", inventory.Technician, false)
		v := s.SignIn("tech@example.com")
		site := regexp.MustCompile(`<option value="([^"]+)"`).FindStringSubmatch(v.Get("/app/").Body)
		for _, path := range []string{"/app/", "/app/?site=" + url.QueryEscape(html.UnescapeString(site[1]))} {
			got := v.Get(path)
			links := countedLink.FindAllStringSubmatch(got.Body, -1)
			if got.Status != http.StatusOK || len(links) < 60 {
				t.Fatalf("%s: got %d with %d numbers: %s", path, got.Status, len(links), got.Body)
			}
			seen, some := map[string]string{}, 0
			for _, link := range links {
				to, want := html.UnescapeString(link[1]), link[2]
				if seen[to] == "" {
					page := v.Get(to)
					found := listTotal.FindStringSubmatch(page.Body)
					if found == nil {
						t.Fatalf("%s: got %d without a total: %s", to, page.Status, page.Body)
					}
					seen[to] = strings.ReplaceAll(found[1], ",", "")
				}
				if seen[to] != want {
					t.Errorf("%s: got %s records, want %s", to, seen[to], want)
				}
				if want != "0" {
					some++
				}
			}
			if some < 20 {
				t.Errorf("%s: got %d numbers that are not 0, want more", path, some)
			}
		}
	})
}

// TestDashboardOfNothing shows a new installation: what to do first, as far as
// the person may, and that charts have nothing to show.
func TestDashboardOfNothing(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	s.AddUser("tech@example.com", inventory.Technician, false)
	s.AddUser("read@example.com", inventory.Technician, true)
	v, tech := s.SignIn(server.Administrator), s.SignIn("tech@example.com")
	const begin, agents = "No computers yet", `<a class="btn primary" href="/app/agents/tokens">Connect agents</a>`
	const file, byHand = `href="/app/import?kind=computers">Import</a>`, `href="/app/computers/new">Add computer</a>`
	for _, path := range []string{"/app/", "/app/?site=*"} {
		expect(t, path, v.Get(path), http.StatusOK, begin, agents, file, byHand, "No licences yet",
			`<h2 id="c-systems">By system</h2></header><div class="in"><p class="quiet">None yet</p></div>`,
			`<h2 id="c-state">Open tickets by state</h2></header><div class="in"><p class="quiet">None</p>`, "!NaN",
			"!Inf")
	}
	if got := v.Get("/app/").Body; strings.Index(got, begin) > strings.Index(got, `class="strip"`) {
		t.Error("what to do first stands below the numbers")
	}
	expect(t, "a technician", tech.Get("/app/"), http.StatusOK, begin, file, byHand, "!"+agents)
	expect(t, "who may only read", s.SignIn("read@example.com").Get("/app/"), http.StatusOK, begin,
		"!"+file, "!"+byHand)
	add(t, s, "/tickets", "<ticket><name>Help</name></ticket>")
	expect(t, "a ticket", tech.Get("/app/"), http.StatusOK, "!"+begin)
}

// TestDashboardOfComputers says nothing of a beginning where there are computers,
// though not at the site that was chosen.
func TestDashboardOfComputers(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	add(t, s, "/hardwares", "<hardware><name>pc</name><site>Leipzig</site></hardware>")
	expect(t, "another site", s.SignIn(server.Administrator).Get("/app/?site=Rotterdam"), http.StatusOK,
		"!No computers yet", "None yet")
}

// TestDashboardOfManyLicences counts more licences than are read at once, and
// says that this week is not over.
func TestDashboardOfManyLicences(t *testing.T) {
	t.Parallel()
	const many = 260
	s := mustertest.Start(t, mustertest.Options{})
	admin := s.Admin()
	for i := range many {
		doc := fmt.Sprintf("<contract><name>Licence %d</name><type>SoftwareLicense</type></contract>", i)
		if got := admin.Do(http.MethodPost, "/contracts.xml", doc); got.Status != http.StatusCreated {
			t.Fatalf("licence %d: got %d: %s", i, got.Status, got.Body)
		}
	}
	got := s.SignIn(server.Administrator).Get("/app/").Body
	for _, want := range []string{"0 of 260 over-used", `data-total="260"`, "so far: 0 created", "This week so far"} {
		if !strings.Contains(got, want) {
			t.Errorf("got %s, want %q in it", got, want)
		}
	}
}

// TestUnsited says of what the chosen site does not narrow that it is of all.
func TestUnsited(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	add(t, s, "/hardwares", "<hardware><name>pc</name><site>Leipzig</site></hardware>")
	v := s.SignIn(server.Administrator)
	const note = `<span class="n">of all sites</span>`
	expect(t, "one site", v.Get("/app/?site=Leipzig"), http.StatusOK, ">Open risks by severity</h2>"+note,
		">Latest activity</h2>"+note,
		`<span class="l">Open risks</span><span class="n">0</span><span class="d">of all sites</span>`)
	expect(t, "all sites", v.Get("/app/"), http.StatusOK, "!of all sites", "need attention")
}

// TestOverUsed leads from the number of over-used licences to the list of these,
// of one site too, and to its view.
func TestOverUsed(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		v := s.SignIn(server.Administrator)
		add(t, s, "/hardwares", "<hardware><name>pc</name><site>Leipzig</site></hardware>")
		add(t, s, "/hardwares/1/softwares", "<software><name>Draw</name></software>")
		licence := func(name, rest string, seats int) {
			add(t, s, "/contracts",
				fmt.Sprintf("<contract><name>%s</name><type>SoftwareLicense</type>%s<items><item><name>Draw</name><quantity>%d</quantity></item></items></contract>", name, rest, seats))
		}
		licence("Too few", "<site>Leipzig</site>", 0)
		licence("Too few elsewhere", "<site>Rotterdam</site>", 0)
		licence("Long over", "<end-date>2020-01-01</end-date>", 0)
		licence("Enough", "", 5)
		const list = "/app/contracts?compliance=Over-used&status=Active"
		expect(t, "dashboard", v.Get("/app/"), http.StatusOK,
			`href="`+html.EscapeString(list)+`" data-total="2">2 of 3 over-used</a>`)
		expect(t, "of a site", v.Get("/app/?site=Leipzig"), http.StatusOK,
			`site=Leipzig&amp;status=Active" data-total="1">1 of 1 over-used</a>`)
		expect(t, "list", v.Get(list), http.StatusOK, "2 of 4", ">Too few</a>", ">Too few elsewhere</a>",
			"!>Long over</a>", "!>Enough</a>", `aria-current="page">Over-used <span class="n">2</span>`,
			"Compliance <b>Over-used</b>")
		expect(t, "menu", v.Get("/app/contracts?add=compliance"), http.StatusOK, `value="Over-used" data-n="3"`,
			`value="Compliant" data-n="1"`)
	})
}

// TestEndingInTheZone: the dashboard and a contract's page count the days until its end
// in the person's time zone.
func TestEndingInTheZone(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	add(t, s, "/contracts", "<contract><name>Yesterday's</name><end-date>2026-01-30</end-date></contract>")
	v := s.SignIn(server.Administrator)
	v.SetCookie("zone", "Pacific/Pago_Pago") // where the day before that of the tests' clock is not over
	wants(t, "contract", v.Get("/app/contracts/1"), http.StatusOK, "ends today")
	wants(t, "dashboard", v.Get("/app/"), http.StatusOK, "Yesterday's", `<span class="is-bad">today</span>`)
}
