package web_test

import (
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

// contains fails the test unless a page has all of some texts.
func contains(t *testing.T, what string, page *mustertest.Response, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(page.Body, text) {
			t.Errorf("%s: got %d, want %s in it: %s", what, page.Status, text, page.Body)
			return
		}
	}
}

// lacks fails the test if a page has one of some texts.
func lacks(t *testing.T, what string, page *mustertest.Response, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if strings.Contains(page.Body, text) {
			t.Errorf("%s: got %s in it, want it not", what, text)
		}
	}
}

// addComputers makes computers through the form, each given by its values.
func addComputers(t *testing.T, v *mustertest.Visitor, computers ...url.Values) (paths []string) {
	t.Helper()
	for _, form := range computers {
		made := v.Post("/app/computers/new", form)
		if made.Status != http.StatusSeeOther {
			t.Fatalf("new computer %v: got %d: %s", form, made.Status, made.Body)
		}
		paths = append(paths, made.Header.Get("Location"))
	}
	return paths
}

// five are computers of two sites.
func five(t *testing.T, v *mustertest.Visitor) []string {
	t.Helper()
	return addComputers(t, v,
		url.Values{"name": {"lej-1"}, "site": {"Leipzig"}, "status": {"Operational"}, "category": {"Laptop"}},
		url.Values{"name": {"lej-2"}, "site": {"Leipzig"}, "status": {"Spare"}, "category": {"Laptop"}},
		url.Values{"name": {"lej-3"}, "site": {"Leipzig"}, "status": {"Spare"}},
		url.Values{"name": {"rot-1"}, "site": {"Rotterdam"}, "status": {"Operational"}, "category": {"Server"}},
		url.Values{"name": {"rot-2"}, "site": {"Rotterdam"}, "status": {"Broken"}},
	)
}

// TestFilters narrows a list by several filters and shows what the others leave.
func TestFilters(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		v := s.SignIn(server.Administrator)
		five(t, v)
		got := v.Get("/app/computers?site=Leipzig&status=Spare")
		contains(t, "two filters", got, "2 of 5", ">lej-2</a>", ">lej-3</a>", "Site <b>Leipzig</b>",
			"Status <b>Spare</b>", `data-n="1"`, ">Show 2</button>",
			`href="/app/computers?status=Spare" aria-label="Remove filter: Site"`)
		lacks(t, "two filters", got, ">lej-1</a>", ">rot-1</a>")
		contains(t, "a filter for nothing", v.Get("/app/computers?category="), ">lej-3</a>", ">rot-2</a>",
			"Category <b>None</b>")
		contains(t, "days", v.Get("/app/computers?recently_added=7"), "Added <b>in the last 7 days</b>", "Last report",
			"never")
		contains(t, "no match", v.Get("/app/computers?site=Dresden&q=nothing"), "Nothing matches", "Site <b>Dresden</b>",
			"“nothing”")
		asked := v.Get("/app/computers?add=operating_system&site=Leipzig")
		contains(t, "the filter that is asked for", asked, `<form class="asked" id="asked"`,
			`type="hidden" name="site" value="Leipzig"`)
		lacks(t, "the filter that is asked for", asked, `popover id="asked"`)
		contains(t, "a part", v.Get("/app/computers?add=mac_address"), `name="mac_address"`, "MAC address")
		contains(t, "a range", v.Get("/app/tickets?due_at_from=2026-01-01&due_at_to=2026-02-01"),
			"Due <b>1 Jan 2026 to 1 Feb 2026</b>", `name="due_at_to"`)
		contains(t, "when it was created", v.Get("/app/tickets?created_at_from=2026-01-01"),
			"Created <b>from 1 Jan 2026</b>")
		contains(t, "when something was done", v.Get("/app/activity?created_at_from=2026-01-01"),
			"When <b>from 1 Jan 2026</b>")
		if got := v.Get("/app/computers?nonsense=1"); got.Status != http.StatusBadRequest {
			t.Errorf("an unknown filter: got %d, want 400", got.Status)
		}
	})
}

// TestLastFilter offers to remove the filter that was added last, wherever its
// field stands among the others, and keeps the order in which they were added.
func TestLastFilter(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	five(t, v)
	for _, one := range []struct{ asked, chips, last string }{
		{"site=Dresden&status=Spare", "Site <b>Dresden</b> · Status <b>Spare</b>", "site=Dresden"},
		{"status=Spare&site=Dresden", "Status <b>Spare</b> · Site <b>Dresden</b>", "status=Spare"},
		{"status=Spare&site=Dresden&sort_by=name&category=Laptop", "",
			"status=Spare&amp;site=Dresden&amp;sort_by=name"},
		{"status=Spare&site=Dresden&q=none", "“none”  · Status <b>Spare</b> · Site <b>Dresden</b>",
			"status=Spare&amp;site=Dresden"},
		{"q=none&site=Dresden", "", "q=none"},
	} {
		contains(t, one.asked, v.Get("/app/computers?"+one.asked), one.chips,
			`href="/app/computers?`+one.last+`">Remove the last filter</a>`)
	}
	add(t, s, "/tickets", "<ticket><name>Help</name></ticket>")
	contains(t, "a range", v.Get("/app/tickets?state=Closed&category=Other&due_at_from=2026-01-01&due_at_to=2026-02-01"),
		`href="/app/tickets?state=Closed&amp;category=Other">Remove the last filter</a>`)
	got := v.Get("/app/computers?status=Spare&site=Leipzig&per_page=25")
	contains(t, "what leads on", got, `?status=Spare&amp;site=Leipzig&amp;per_page=25&amp;sort_by=name`,
		`?status=Spare&amp;site=Leipzig&amp;per_page=25&amp;add=category`,
		`<input type="hidden" name="status" value="Spare"><input type="hidden" name="site" value="Leipzig"><input type="hidden" name="per_page" value="25"><input class="input" type="search" name="q"`)
	record := regexp.MustCompile(`<a class="name" href="(/app/computers/[^"]+)">lej-2`).FindStringSubmatch(got.Body)
	if record == nil {
		t.Fatalf("got no link to lej-2 in %s", got.Body)
	}
	contains(t, "back", v.Get(html.UnescapeString(record[1])),
		`href="/app/computers?status=Spare&amp;site=Leipzig&amp;per_page=25"`)
}

// TestAPILine shows how a list is read through the API, as a command that can be pasted
// into a shell.
func TestAPILine(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	got := v.Get("/app/computers?site=O%27Hara&per_page=25")
	contains(t, "the line", got, "curl --digest --user &#39;admin@localhost&#39; --cacert &#39;ca.pem&#39;",
		"ca.pem is in the data folder", "/hardwares.xml?page=1&amp;per_page=25&amp;site=O%27Hara&amp;sort_by=name&#39;")
}

// TestColumns chooses the columns of a list and goes back to the usual ones.
func TestColumns(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	five(t, v)
	head := func(title string) string { return ">" + title + "</a></th>" }
	contains(t, "at first", v.Get("/app/computers"), head("Status"), head("Site"))
	set := v.Post("/app/computers/look", url.Values{"column": {"serial-number", "status", "nonsense"}, "density": {
		"compact",
	}, "to": {"/computers?site=Leipzig"}})
	if set.Status != http.StatusSeeOther || set.Header.Get("Location") != "/app/computers?site=Leipzig" {
		t.Fatalf("choice: got %d to %s", set.Status, set.Header.Get("Location"))
	}
	got := v.Get("/app/computers")
	contains(t, "chosen", got, head("Serial number"), head("Status"), ">lej-1</a>", `data-density="compact"`)
	lacks(t, "chosen", got, head("Site"))
	lacks(t, "another section", v.Get("/app/assets"), head("Serial number"))
	v.Post("/app/computers/look", url.Values{"usual": {"yes"}, "column": {"status"}})
	contains(t, "the usual ones", v.Get("/app/computers"), head("Site"))
}

// TestPager turns the pages of a list and sorts it.
func TestPager(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	five(t, v)
	got := v.Get("/app/computers?per_page=2&page=2&sort_by=name&sort_order=DESC")
	contains(t, "page 2", got, "3–4 of 5", `aria-sort="descending"`, ">lej-3</a>", ">lej-2</a>", "page=3",
		"?n=3&amp;list=")
	lacks(t, "page 2", got, ">rot-2</a>", ">lej-1</a>")
	for label, want := range map[string]string{
		"First": "1–2 of 5", "Previous": "1–2 of 5", "Next": "5–5 of 5", "Last": "5–5 of 5",
	} {
		link := regexp.MustCompile(`href="([^"]+)"[^>]* aria-label="` + label + ` page"`).FindStringSubmatch(got.Body)
		if link == nil {
			t.Fatalf("got no link to the %s page in %s", label, got.Body)
		}
		contains(t, label, v.Get(html.UnescapeString(link[1])), want, `aria-sort="descending"`)
	}
}

// TestFirstComputers: an empty list of computers says how to add some.
func TestFirstComputers(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	s.AddUser("tech@example.com", inventory.Technician, false)
	s.AddUser("read@example.com", inventory.Technician, true)
	const agents, file = `href="/app/agents/tokens">Connect agents</a>`, `href="/app/import?kind=computers">Import</a>`
	contains(t, "an administrator", s.SignIn(server.Administrator).Get("/app/computers"),
		`<a class="btn primary" `+agents+`<a class="btn" `+file+
			`<a class="btn" href="/app/computers/new">Add computer</a>`)
	tech := s.SignIn("tech@example.com").Get("/app/computers")
	contains(t, "a technician", tech, file, ">Add computer</a>")
	lacks(t, "a technician", tech, agents)
	lacks(t, "who may only read", s.SignIn("read@example.com").Get("/app/computers"), agents, file, ">Add computer</a>")
}
