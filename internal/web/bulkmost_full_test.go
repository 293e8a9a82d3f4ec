//go:build full && browser && deep

package web_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"muster/internal/desk/bulk"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestBrowserBulkOfMost asks before it changes more records than can be undone, and
// shows how far it is.
func TestBrowserBulkOfMost(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	table := "Name\n"
	for i := range bulk.MaxUndo + 1 {
		table += fmt.Sprintf("pc-%d\n", i)
	}
	path := v.Upload("/app/import", url.Values{"kind": {"computers"}}, "c.csv", table).Header.Get("Location")
	form := formOn(t, v.Get(path), path)
	form.Set("do", "check")
	v.Post(path, form)
	mustertest.Within(t, 5*time.Minute, "the check ends",
		func() bool { return !strings.Contains(v.Get(path).Body, "data-running") })
	v.Post(path, url.Values{"do": {"write"}, "mode": {"all"}})
	mustertest.Within(t, 5*time.Minute, "the import ends",
		func() bool { return strings.Contains(v.Get(path).Body, "10,001 added") })

	windows := []*mustertest.Browser{
		wide.visit(t, s, server.Administrator), phoneDark.visit(t, s, server.Administrator),
	}
	ask := func(b *mustertest.Browser) {
		b.Open("/app/computers")
		tickAll(b, "10,001")
		b.In(".bulk").Click("Site")
		b.In("#to-site").Type("Site", "Leipzig")
		b.In("#to-site").Click("Set")
		b.WaitText("Set Site of 10,001 records to “Leipzig”?")
	}
	for _, b := range windows {
		ask(b)
		inspect(t, b, "bulk-sure")
		b.Click("Keep")
		b.Wait("tbody .tick")
	}
	b := windows[0]
	if b.Open("/app/computers?site=Leipzig"); b.Count("tbody .tick") != 0 {
		t.Error("what was kept is changed")
	}
	ask(b)
	b.Click("Change all")
	b.Wait("main [data-running] progress")
	running := strings.TrimPrefix(b.URL(), s.Base)
	goOn := lockWriter(t, s)
	for _, other := range windows {
		other.Open(running)
		other.Wait("main [data-running] progress")
		inspect(t, other, "bulk-running")
	}
	goOn()
	b.Patience = 5 * time.Minute
	b.WaitText("Site: set to Leipzig for 10,001 records")
	if b.Count(`form[action*="undo"]`) != 0 {
		t.Error("it offers to undo what cannot be undone")
	}
	if b.Open("/app/computers?site=Leipzig"); total(b) != "10,001" {
		t.Errorf("changed: got %s computers, want 10,001", total(b))
	}
}
