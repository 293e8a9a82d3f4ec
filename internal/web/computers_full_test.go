//go:build full && browser

package web_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// addFilter adds a filter to a list by its menu and ticks a value.
func addFilter(b *mustertest.Browser, title, value string) {
	b.Click("Filter")
	b.In("#add-filter").Click(title)
	b.In("#asked").Click(value)
	b.Wait("#asked :checked")
	b.ClickOn("#asked .btn.primary")
	b.WaitGone("#asked")
}

// total returns how many records a list has, as it says.
func total(b *mustertest.Browser) string {
	n, _, _ := strings.Cut(b.Text("h1 .n"), " ")
	return n
}

// TestBrowserComputers works the list of computers: filters, views, order,
// columns, files, labels, and a change of many.
func TestBrowserComputers(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		s := start(t, mustertest.SQLite)
		s.AddUser("tech@example.com", inventory.Technician, false)
		b := l.visit(t, s, server.Administrator)
		b.Open("/app/computers")
		narrowComputers(t, b)
		saveViews(t, s, b)
		lookOfComputers(t, b)
		handOut(t, b)
		changeAll(t, b)
	})
}

// narrowComputers combines filters, whose names in the address are those of the
// API, and opens a view.
func narrowComputers(t *testing.T, b *mustertest.Browser) {
	t.Helper()
	addFilter(b, "Site", "Boston")
	boston := total(b)
	addFilter(b, "Status", "Operational")
	for _, want := range []string{"site=Boston", "status=Operational"} {
		if got := b.URL(); !strings.Contains(got, want) {
			t.Errorf("address of two filters: got %s, want %s in it", got, want)
		}
	}
	if got := total(b); got == boston || got == "0" {
		t.Errorf("both filters: got %s computers, and %s with one", got, boston)
	}
	b.ClickOn(`.chip button[popovertarget="f-site"]`)
	b.Wait("#f-site:popover-open")
	inspect(t, b.In("#f-site"), "computers-facet")
	b.In("#f-site").Click("London")
	b.Wait("#f-site [value=London]:checked")
	shown := strings.TrimPrefix(b.Text("#f-site .btn.primary"), "Show ")
	b.ClickOn("#f-site .btn.primary")
	b.WaitGone("#f-site:popover-open")
	if got := total(b); got != shown {
		t.Errorf("two sites: got %s computers, and the filter told %s", got, shown)
	}
	b.Click("Remove filter: Status")
	wantURL(t, b, "/app/computers?site=London&site=Boston")
	b.ClickOn(`.tabs a[href$="?status=Spare"]`)
	wantURL(t, b, "/app/computers?status=Spare")
}

// saveViews saves what is shown for oneself, and then for everybody.
func saveViews(t *testing.T, s *mustertest.Server, b *mustertest.Browser) {
	t.Helper()
	for _, one := range []struct {
		path, name string
		shared     bool
	}{{"/app/computers?site=Boston", "Ours", false}, {"/app/computers?site=London", "Theirs", true}} {
		b.Open(one.path)
		b.In(".tabs").Click("Save view")
		b.Type("Name of the view", one.name)
		b.Check("Visible to everyone", one.shared)
		b.In("#save-view").Click("Save view")
		b.WaitText("The view " + one.name + " was saved")
	}
	b.In(".tabs").Wait(`a[href$="?site=Boston"]`)
	tech := s.SignIn("tech@example.com").Get("/app/computers")
	contains(t, "another's list", tech, ">Theirs <")
	lacks(t, "another's list", tech, ">Ours <")
}

// lookOfComputers sorts the list, chooses columns and how many rows there are.
func lookOfComputers(t *testing.T, b *mustertest.Browser) {
	t.Helper()
	b.Open("/app/computers")
	sortBy(b, "site")
	wantURL(t, b, "sort_by=site&sort_order=ASC")
	sortBy(b, "site")
	wantURL(t, b, "sort_by=site&sort_order=DESC")
	openTool(b, "Columns")
	b.In("#columns").Check("Serial number", true)
	b.In("#columns").Check("Department", false)
	inspect(t, b.In("#columns"), "computers-columns")
	b.Click("Show these")
	b.In("tbody").Wait(".extra")
	sortBy(b, "serial_number")
	wantURL(t, b, "sort_by=serial_number&sort_order=ASC")
	if got := b.Count(`a[href*="sort_by=department"]`); got != 0 {
		t.Errorf("columns: got that of the department, want none")
	}
	b.Select("Rows", "25")
	if got := b.Count("tbody tr"); got != 25 || !strings.Contains(b.URL(), "per_page=25") {
		t.Errorf("rows: got %d at %s, want 25", got, b.URL())
	}
	openTool(b, "Columns")
	b.Click("Default columns")
	b.WaitGone("tbody .extra")
}

// handOut exports the list, prints its labels and shows its line for the API.
func handOut(t *testing.T, b *mustertest.Browser) {
	t.Helper()
	for name, begins := range map[string]string{"CSV": "\uFEFFName,", "Excel (.xlsx)": "PK"} {
		b.Open("/app/computers?site=Boston")
		file, content := b.Download(func() { openTool(b, "Export"); b.In("#export").Click(name) })
		if !strings.HasPrefix(file, "computers-") || !bytes.HasPrefix(content, []byte(begins)) {
			t.Errorf("%s: got the file %s: %.60q", name, file, content)
		}
	}
	b.Open("/app/computers?site=Boston")
	openTool(b, "API")
	b.Wait("#api:popover-open")
	inspect(t, b.In("#api"), "computers-api")
	if got := b.Text("#curl"); !strings.Contains(got, "curl --digest") || !strings.Contains(got, "/hardwares.xml?") ||
		!strings.Contains(got, "site=Boston") {
		t.Errorf("line for the API: got %s", got)
	}
	b.ClickOn("h1") // beside it, which closes it
	b.WaitGone("#api:popover-open")
	want := total(b)
	openTool(b, "Export")
	b.Click("Labels with codes")
	if got := total(b); got != want || b.Count(".labels svg path") == 0 {
		t.Errorf("labels: got %s, want %s", got, want)
	}
	inspect(t, b, "labels")
}

// changeAll changes the status of all that a filter finds, and takes it back.
func changeAll(t *testing.T, b *mustertest.Browser) {
	t.Helper()
	b.Open("/app/computers?status=Operational")
	want := total(b)
	tickAll(b, want)
	b.In(".bulk").Click("Status")
	b.In("#to-status").Select("Status", "Spare")
	inspect(t, b.In("#to-status"), "bulk-status")
	b.In("#to-status").Click("Set")
	b.WaitText("Status: set to Spare for " + want + " records")
	inspect(t, b, "bulk-done")
	b.Click("Undo")
	b.WaitText(want + " records were changed back")
	b.Click("Back to the list")
	if got := total(b); got != want {
		t.Errorf("after the undo: got %s computers, want %s", got, want)
	}
}

// TestBrowserComputersWithoutScripts finds computers, opens and changes one, and changes
// several, where no script runs.
func TestBrowserComputersWithoutScripts(t *testing.T) {
	t.Parallel()
	s := start(t, mustertest.SQLite)
	b := scriptless.visit(t, s, server.Administrator)
	b.Open("/app/computers")
	addFilter(b, "Site", "Boston")
	wantURL(t, b, "/app/computers?site=Boston")
	want := total(b)
	b.ClickOn(`thead a[href*="sort_by=status"]`)
	b.Wait(`th[aria-sort="ascending"]`)
	b.Open("/app/computers?site=Boston")
	b.Check("Select BOS-LT-0003", true)
	b.Check("Select BOS-LT-0006", true)
	b.In(".bulk").Click("Site")
	b.In("#to-site").Type("Site", "Lyon")
	b.In("#to-site").Click("Set")
	b.WaitText("Site: set to Lyon for 2 records")
	b.Click("Undo")
	b.WaitText("2 records were changed back")
	if got := total(b); got != want {
		t.Errorf("after the undo: got %s computers, want %s", got, want)
	}
	b.ClickOn("tbody tr:first-child a.name")
	setFact(b, "Department", "Workshop")
	b.WaitText("Department was saved")
	b.In(".record").Click("Edit")
	b.Type("Tag", "bench")
	b.Click("Save computer")
	b.WaitText("bench")
	if got := s.SignIn(server.Administrator).Get("/app/computers?department=Workshop"); got.Status != http.StatusOK ||
		!strings.Contains(got.Body, "BOS-LT-0003") {
		t.Errorf("changed: got %d", got.Status)
	}
}
