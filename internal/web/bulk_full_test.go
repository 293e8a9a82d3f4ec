//go:build full && browser

package web_test

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"muster/internal/desk"
	"muster/internal/mustertest"
	"muster/internal/server"
	"muster/internal/store"
)

// TestBrowserBulk changes the site of computers that are ticked, by Enter in
// the field, and takes it back by the toast.
func TestBrowserBulk(t *testing.T) {
	eachLook(t, looks, func(t *testing.T, l look) {
		s := start(t, mustertest.SQLite)
		b := l.visit(t, s, server.Administrator)
		b.Open("/app/computers?site=Boston")
		before := b.Text("h1 .n")
		b.Check("Select BOS-LT-0003", true)
		b.Check("Select BOS-LT-0006", true)
		inspect(t, b, "bulk")
		b.In(".bulk").Click("Site")
		b.In("#to-site").Type("Site", "Lon")
		b.Wait(`#to-site:has(option[value="London"])`)
		inspect(t, b.In("#to-site"), "bulk-site")
		b.In("#to-site").Type("Site", "Lyon")
		b.Press("Enter")
		b.WaitText("2 records")
		b.Click("Undo")
		b.WaitText("as they were")
		b.Open("/app/computers?site=Boston")
		if got := b.Text("h1 .n"); got != before {
			t.Errorf("after the undo: got %s computers, want %s", got, before)
		}
	})
}

// TestBrowserBulkForgotten tells who follows the progress of a change that nothing
// is known of it any more, and does not ask for ever.
func TestBrowserBulkForgotten(t *testing.T) {
	eachLook(t, looks, func(t *testing.T, l look) {
		s := start(t, mustertest.SQLite)
		b := l.visit(t, s, server.Administrator)
		b.Open("/app/computers?site=Boston")
		b.Check("Select BOS-LT-0003", true)
		b.In(".bulk").Click("Owner")
		b.In("#to-owner").Type("Owner", "nobody@example.com")
		b.Press("Enter")
		b.WaitText("1 record could not be changed")
		b.Shot("bulk-failed")
		b.Axe(t)
		b.Expect("404")
		b.Eval(`document.querySelector('main .stack').setAttribute('data-running', ''), history.replaceState(null, '', location.pathname + '?job=none'),
			import(document.querySelector('script[src*="bulk.js"]').src + '?again'), 0`, nil)
		b.WaitText("nothing is known of this change any more")
	})
}

// TestBrowserBulkOfMost asks before it changes more records than can be undone, and
// shows how far it is.
func TestBrowserBulkOfMost(t *testing.T) {
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	table := "Name\n"
	for i := range desk.MaxUndo + 1 {
		table += fmt.Sprintf("pc-%d\n", i)
	}
	path := v.Upload("/app/import", url.Values{"kind": {"computers"}}, "c.csv", table).Header.Get("Location")
	form := formOn(t, v.Get(path), path)
	form.Set("do", "check")
	v.Post(path, form)
	mustertest.Within(t, 5*time.Minute, "the check ends", func() bool { return !strings.Contains(v.Get(path).Body, "data-running") })
	v.Post(path, url.Values{"do": {"write"}, "mode": {"all"}})
	mustertest.Within(t, 5*time.Minute, "the import ends", func() bool { return strings.Contains(v.Get(path).Body, "10,001 added") })

	windows := []*mustertest.Browser{wide.visit(t, s, server.Administrator), phoneDark.visit(t, s, server.Administrator)}
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
	goOn := holdWriter(t, s)
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

// holdWriter keeps a server on SQLite from writing until release is called.
func holdWriter(t *testing.T, s *mustertest.Server) (release func()) {
	t.Helper()
	held, end, ended := make(chan struct{}), make(chan struct{}), make(chan error)
	begin := sync.OnceFunc(func() { close(held) })
	go func() {
		ended <- s.Store().Update(context.Background(), func(*store.Tx) error {
			begin()
			<-end
			return nil
		})
	}()
	<-held
	release = sync.OnceFunc(func() {
		close(end)
		if err := <-ended; err != nil {
			t.Errorf("hold the writer: %v", err)
		}
	})
	t.Cleanup(release)
	return release
}
