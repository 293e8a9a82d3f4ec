//go:build full && browser

package web_test

import (
	"strings"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestBrowserKinds makes, changes and deletes a record of each kind that has no
// page made by hand.
func TestBrowserKinds(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		s := mustertest.Start(t, mustertest.Options{})
		b := l.visit(t, s, server.Administrator)
		for _, one := range []struct{ section, name, field, first, second string }{
			{"software", "Draughtsman", "Version", "7.1", "7.2"},
			{"printers", "prn-lobby", "Model", "LaserJet 400", "LaserJet 500"},
			{"assets", "Beamer of room 3", "Asset type", "Projector", "Laser projector"},
			{"vendors", "Hansen & Søn <A/S>", "City", "Aarhus", "Odense"},
			{"risks", "No backup of the door", "Description", "Since Monday.", "Since Tuesday."},
			{"contracts", "Care of the lift", "Note", "By hand.", "By machine."},
		} {
			begins(b, one.section)
			saves(b)
			b.WaitText("Name can't be blank")
			b.Axe(t)
			b.Type("Name required", one.name)
			b.Type(one.field, one.first)
			saves(b)
			b.WaitText(one.name + " was added")
			b.In("#main").WaitText(one.first)
			b.In(".record").Click("Edit")
			b.Type(one.field, one.second)
			saves(b)
			b.WaitText(one.name + " was saved")
			b.In("#main").WaitText(one.second)
			deletes(t, b, one.name)
			if got := b.URL(); !strings.HasSuffix(got, "/app/"+one.section) {
				t.Errorf("%s: after it was deleted: got %s", one.section, got)
			}
		}
	})
}

// TestBrowserRisk resolves a risk, opens it again, and ignores it until a day.
func TestBrowserRisk(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		s := mustertest.Start(t, mustertest.Options{})
		b := l.visit(t, s, server.Administrator)
		begins(b, "risks")
		b.Type("Name required", "The door is open")
		b.Select("Severity required", "High")
		saves(b)
		b.WaitText("The door is open was added")
		head := b.In(".record")
		head.Click("Resolve")
		b.WaitText("The door is open is Resolved now")
		head.Click("Reopen")
		b.WaitText("The door is open is Open now")
		head.Click("Ignore …")
		b.Axe(t)
		b.In("#until").Type("Until", "2026-03-01")
		b.In("#until").Click("Ignore")
		b.WaitText("The door is open is Ignored now")
		path := strings.TrimPrefix(pathOf(s, b), "/app")
		if got := s.Admin().Get(path + ".xml"); !strings.Contains(got.Body, "2026-03-01T") {
			t.Errorf("the day until which it is ignored: got %s", got.Body)
		}
		head.Click("Reopen")
		b.WaitText("The door is open is Open now")
		b.Axe(t)
	})
}

// TestBrowserContractTime sees how much is left of a contract, and that another
// end changes it.
func TestBrowserContractTime(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		s := mustertest.Start(t, mustertest.Options{})
		b := l.visit(t, s, server.Administrator)
		begins(b, "contracts")
		b.Type("Name required", "Rent of the copier")
		b.Select("Type required", "Lease")
		b.Type("Start date", "2025-12-31")
		b.Type("End date", "2026-03-03")
		saves(b)
		b.WaitText("31 days left")
		b.In(".ends").WaitText("Dec 31, 2025")
		b.In(".ends").WaitText("Mar 3, 2026")
		b.Wait("svg.bar rect.warn")
		b.Axe(t)
		b.In(".record").Click("Edit")
		b.Type("End date", "2026-01-30")
		saves(b)
		b.WaitText("ended 1 day ago")
		b.In(".record").WaitText("Expired")
		b.Wait("svg.bar rect.bad")
		deletes(t, b, "Rent of the copier")
	})
}
