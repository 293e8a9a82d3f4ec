//go:build full && browser

package web_test

import (
	"net/url"
	"strings"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestBrowserComputer reads a computer's page by its tabs, changes it, and goes
// from it to a ticket and to its duplicate.
func TestBrowserComputer(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		s := start(t, mustertest.SQLite)
		b := l.visit(t, s, server.Administrator)
		b.Open("/app/computers?site=Boston")
		b.ClickOn("tbody tr:nth-child(2) a.name")
		name := b.Text("h1")
		b.Click("Next in the list")
		b.Click("Previous in the list")
		if got := b.Text("h1"); got != name {
			t.Errorf("next and back: got %s, want %s", got, name)
		}
		path := strings.TrimPrefix(strings.Split(b.URL(), "?")[0], s.Base)
		readTabs(t, b)
		editComputer(t, s, b, path)
		travelInTime(t, b, name)
		b.ClickOn(".tabs a:first-child")
		b.Click("Open ticket")
		b.WaitText(name)
		b.Type("Subject required", "The fan hums")
		b.Click("Open ticket")
		b.Wait(`.ticket [aria-label="Unlink ` + name + `"]`)
		b.Open(path + "?tab=tickets")
		b.WaitText("The fan hums")
		b.Open(path)
		mergeInBrowser(t, b)
	})
}

// readTabs opens the parts of a computer's page and looks for software.
func readTabs(t *testing.T, b *mustertest.Browser) {
	t.Helper()
	for _, tab := range []string{"hardware", "software", "tickets", "risks", "contracts", "history"} {
		b.ClickOn(`.tabs a[href*="tab=` + tab + `"]`)
		b.Wait(`.tabs a[href*="tab=` + tab + `"][aria-current]`)
		b.Shot("computer-" + tab + "-" + lookOf(b).name)
	}
	b.ClickOn(`.tabs a[href*="tab=software"]`)
	visible := b.Count("tbody tr")
	program := b.Text("tbody tr:last-child .name")
	b.Type("Find software", program)
	b.Press("Enter")
	b.Wait(`.list-tools input[name=q]:not([value=""])`)
	if got := b.Count("tbody tr"); got == 0 || got >= visible {
		t.Errorf("software by its name: got %d of %d", got, visible)
	}
	b.Click("Hidden: updates and system parts")
	b.Wait(`a[href*="view=system"][aria-current]`)
	if got := b.Text("main"); strings.Contains(got, program) {
		t.Errorf("hidden software: got %s among it", program)
	}
}

// editComputer changes facts where they stand: one that the agent reports is
// marked, and released, as its drives are; one that somebody else sets meanwhile
// is not overwritten.
func editComputer(t *testing.T, s *mustertest.Server, b *mustertest.Browser, path string) {
	t.Helper()
	b.ClickOn(".tabs a:first-child")
	setFact(b, "Domain", "office.example")
	b.Wait(`#fact-domain form[action$="/release"]`)
	inspect(t, b, "computer-fact-set")
	b.Click("Release Domain: follow the agent's reports again")
	b.WaitText("Domain follows the agent's reports again")
	b.WaitGone(`#fact-domain form`)
	s.SignIn(server.Administrator).Post(path+"/edit",
		url.Values{"drives": {""}, "drives.0.name": {"X:"}, "drives.0.total-space": {"1000"}})
	b.Open(path + "?tab=hardware")
	b.WaitText("X:")
	inspect(t, b, "computer-part-set")
	b.Click("Release Drives: follow the agent's reports again")
	b.WaitText("Drives follow the agent's reports again")
	b.WaitGone(".held")
	b.ClickOn(".tabs a:first-child")
	b.ClickOn("#fact-department .pencil")
	b.Wait("#fact-department.open")
	b.In("#fact-department").Type("Department", "Sal")
	b.Wait(`#fact-department:has(option[value="Sales"])`)
	inspect(t, b, "computer-fact")
	s.SignIn(server.Administrator).Post(path+"/edit", url.Values{"department": {"Elsewhere"}})
	b.Expect("409")
	b.In("#fact-department").Type("Department", "Workshop")
	b.In("#fact-department").Click("Save")
	b.WaitText("Someone set this to “Elsewhere” in the meantime")
	inspect(t, b, "computer-fact-conflict")
	b.In("#fact-department").Click("Save")
	b.WaitText("Department was saved")
	b.In(".toast:last-child").Click("Undo")
	b.WaitText("was changed back")
	setFact(b, "Department", "Workshop")
}

// setFact changes a fact of a computer where it stands.
func setFact(b *mustertest.Browser, label, value string) {
	id := "#fact-" + strings.ToLower(label)
	b.ClickOn(id + " .pencil")
	b.In(id).Type(label, value)
	b.In(id).Click("Save")
	b.WaitGone(id + " .fact")
	b.WaitText(value)
}

// TestBrowserFactsKept loses nothing that somebody writes about a fact: it is saved
// when another one is opened, unless that is refused, and a long text stays on
// Escape.
func TestBrowserFactsKept(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		s := start(t, mustertest.SQLite)
		b := l.visit(t, s, server.Administrator)
		b.Open("/app/computers/5")
		b.ClickOn("#fact-department .pencil")
		b.In("#fact-department").Type("Department", "Workshop")
		b.ClickOn("#fact-site .pencil")
		b.Wait("#fact-site.open")
		b.WaitText("Department was saved")
		b.In("#fact-department").WaitText("Workshop")
		b.ClickOn("#fact-owner .pencil")
		b.Wait("#fact-owner.open")
		b.Expect("422")
		b.In("#fact-owner").Type("Owner", "nobody@example.com")
		b.ClickOn("#fact-site .pencil")
		b.WaitText("no user is called nobody@example.com")
		b.Wait("#fact-owner.open input:focus")
		b.In("#fact-owner").Click("Cancel")
		b.WaitGone("#fact-owner.open")
		b.ClickOn("#fact-notes .pencil")
		b.In("#fact-notes").Type("Notes", "A long story")
		b.Press("Escape")
		b.In("#fact-notes").Click("Save")
		b.WaitText("Notes was saved")
		b.WaitText("A long story")
		b.ClickOn("#fact-notes .pencil")
		b.Wait("#fact-notes textarea:focus")
		b.Press("Escape")
		b.WaitGone("#fact-notes textarea")
	})
}

// travelInTime shows the computer as it was on a day before and comes back.
func travelInTime(t *testing.T, b *mustertest.Browser, name string) {
	t.Helper()
	b.ClickOn(`.tabs a[href*="tab=history"]`)
	b.WaitText("Workshop")
	var day string
	b.Eval("new Date(Date.parse(document.querySelector('#on').max) - 86400000).toISOString().slice(0, 10)", &day)
	b.Type("As it was on", day)
	b.Click("Show")
	b.WaitText("Free space is the current one") // which the form does not say
	inspect(t, b, "computer-past")
	if got := b.Text("main"); strings.Contains(got, "Workshop") || !strings.Contains(got, name) {
		t.Errorf("as it was: got the department of now, or another computer: %s", got)
	}
	b.Click("Back to now")
	b.WaitText("Workshop")
}

// mergeInBrowser makes the computer one with another.
func mergeInBrowser(t *testing.T, b *mustertest.Browser) {
	t.Helper()
	b.In(".record").Click("More")
	b.Click("Merge with another")
	b.Type("The same computer once more", "BOS-LT-0003")
	b.Wait(`.field:has(#other-l option[label="BOS-LT-0003"])`)
	inspect(t, b, "computer-merge")
	b.Click("Compare")
	b.WaitText("Merge BOS-LT-0003 and ")
	inspect(t, b, "computer-merge-sure")
	b.Click("Merge computers")
	b.WaitText("are one computer now")
}
