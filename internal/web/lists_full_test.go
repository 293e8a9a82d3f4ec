//go:build full && browser

package web_test

import (
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// asks opens a filter by the menu, for somebody to fill in.
func asks(b *mustertest.Browser, title string) *mustertest.Browser {
	b.Click("Filter")
	b.In("#add-filter").Click(title)
	b.Wait("#asked")
	return b.In("#asked")
}

// filters applies the filter that was filled in, and returns the address then.
func filters(b *mustertest.Browser) string {
	b.ClickOn("#asked .btn.primary")
	b.WaitGone("#asked")
	return b.URL()
}

// TestBrowserFilters narrows lists by words, by days and by a range of time.
func TestBrowserFilters(t *testing.T) {
	t.Parallel()
	s := start(t, mustertest.SQLite)
	eachLook(t, looks, func(t *testing.T, l look) {
		b := l.visit(t, s, server.Administrator)
		b.Open("/app/computers")
		all := total(b)
		asks(b, "Name").Type("Name", "BOS-*")
		if got := filters(b); !strings.Contains(got, "name=BOS-") || total(b) == all {
			t.Errorf("by words: got %s of %s at %s", total(b), all, got)
		}
		b.In(".chip").WaitText("BOS-*")
		asks(b, "Added in the last … days").Type("Days", "400")
		if got := filters(b); !strings.Contains(got, "recently_added=400") {
			t.Errorf("by days: got %s", got)
		}
		b.In(".list-tools").WaitText("in the last 400 days")
		b.Axe(t)

		b.Open("/app/tickets?state=New&state=Assigned&state=Closed")
		all = total(b)
		form := asks(b, "Created")
		form.Type("From", "2025-06-01")
		form.Type("To", "2026-01-15")
		if got := filters(b); !strings.Contains(got, "created_at_from=2025-06-01") ||
			!strings.Contains(got, "created_at_to=2026-01-15") || total(b) == all || total(b) == "0" {
			t.Errorf("by a range: got %s of %s at %s", total(b), all, got)
		}
		b.In(".list-tools").WaitText("Jun 1, 2025 to Jan 15, 2026")
		b.Click("Remove filter: Created")
		if got := total(b); got != all {
			t.Errorf("without the range: got %s, want %s", got, all)
		}
		b.Open("/app/tickets?created_at_from=2025-06-01T08:00:00Z&created_at_to=2026-01-15T16:30:00Z")
		b.ClickOn("[popovertarget=f-created_at]")
		b.Wait("#f-created_at input[type=datetime-local]")
		b.In("#f-created_at").WaitText("From")
		var beside int
		if b.Eval("document.querySelector('#f-created_at').scrollWidth - document.querySelector('#f-created_at').clientWidth", &beside); beside > 0 {
			t.Errorf("a range of times: its form is %d pixels wider than it shows", beside)
		}
		b.In("#f-created_at").Axe(t) // what is below it shows through its edges
		b.Shot("time-range-" + l.name)
		narrowed := total(b)
		b.ClickOn("#f-created_at .btn.primary")
		b.WaitGone("#f-created_at:popover-open")
		if got := b.URL(); !strings.Contains(got,
			"created_at_from=2025-06-01T08%3A00%3A00Z&created_at_to=2026-01-15T16%3A30%3A00Z") || total(b) != narrowed {
			t.Errorf("the same range again: got %s at %s, want %s", total(b), got, narrowed)
		}
		b.Open("/app/tickets?state=New&state=Assigned&state=Closed")
		asks(b, "Subject").Type("Subject", "nothing is called so")
		filters(b)
		b.WaitText("Nothing matches")
		b.Axe(t)
		b.Click("Remove filter: Subject")
		b.Wait("tbody tr")
	})
}

// TestBrowserChangeView renames a view that was saved for everybody, keeps it for
// oneself, and removes it.
func TestBrowserChangeView(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		s := start(t, mustertest.SQLite)
		s.AddUser("tech@example.com", inventory.Technician, false)
		tech := s.SignIn("tech@example.com")
		b := l.visit(t, s, server.Administrator)
		b.Open("/app/computers?site=Boston")
		b.In(".tabs").Click("Save view")
		b.Type("Name of the view", "Over there")
		b.Check("Visible to everyone", true)
		b.In("#save-view").Click("Save view")
		b.WaitText("The view Over there was saved")
		contains(t, "another's list", tech.Get("/app/computers"), ">Over there <")
		b.Click("Change the view Over there")
		b.Type("Name of the view", "At home")
		b.Check("Visible to everyone", false)
		b.In("#save-view").Click("Save")
		b.WaitText("The view At home was saved")
		b.In(".tabs [aria-current]").WaitText("At home")
		lacks(t, "another's list", tech.Get("/app/computers"), "Over there", "At home")
		b.Click("Change the view At home")
		b.In("#save-view").Click("Remove view")
		b.WaitText("Remove the view At home?")
		b.Axe(t)
		b.In("#main").Click("Remove view")
		b.WaitText("The view was removed")
		if got := b.Text(".tabs"); strings.Contains(got, "At home") {
			t.Errorf("views after the removal: got %s", got)
		}
	})
}
