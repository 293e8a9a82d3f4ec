//go:build full && browser

package web_test

import (
	"net/url"
	"strings"
	"testing"

	"muster/internal/server"
)

// writers are those who write answers in a ticket, and where.
func (d *deskOf) writers() []writer {
	return []writer{
		{"tech@example.com", d.path, "#answer", ".composer .btn.primary"},
		{"ask@example.com", strings.Replace(d.path, "tickets", "requests", 1), "#r-body", "#r-send"},
	}
}

type writer struct{ email, path, area, send string }

// TestBrowserDraftUnsent keeps an answer that could not be sent until its own
// writer has said something, whatever others say meanwhile.
func TestBrowserDraftUnsent(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		d := busyDesk(t)
		for _, w := range d.writers() {
			b := l.visit(t, d.Server, w.email)
			b.Open(w.path)
			b.Type("Your answer", "It took an hour to write this.")
			b.Eval("document.querySelector('form[data-draft]').action = '/app/nowhere', 0", nil)
			b.ClickOn(w.send)
			b.Wait("[data-wrong]")
			d.change(t, d.admin, "/reply", url.Values{"kind": {"reply"}, "body": {"I was faster."}})
			b.Open(w.path)
			b.WaitText("I was faster.")
			if got := value(b, w.area); got != "It took an hour to write this." {
				t.Errorf("%s: what was not sent: got %q", w.email, got)
			}
			b.ClickOn(w.send)
			b.Wait(".toast")
			b.Open(w.path)
			if got := value(b, w.area); got != "" {
				t.Errorf("%s: what was sent: got %q", w.email, got)
			}
		}
	})
}

// TestBrowserDraftOwn gives drafts of answers back to who wrote them, and to
// nobody else who signs in to the same tab, after a sign-out or without one.
func TestBrowserDraftOwn(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		d := busyDesk(t)
		for _, w := range d.writers() {
			b := l.visit(t, d.Server, w.email)
			empty := func(what string) {
				t.Helper()
				b.Open(w.path)
				var kept string
				b.Eval("JSON.stringify(sessionStorage)", &kept)
				if got := value(b, w.area); got != "" || strings.Contains(kept, "secret") {
					t.Errorf("%s: %s: got %q and kept %s", w.email, what, got, kept)
				}
			}
			ends := func() {
				t.Helper()
				goes(t, "end of the session", d.SignIn(w.email).Post("/app/profile/devices/end", url.Values{}),
					"/profile")
				b.Open("/app/profile")
				b.WaitText("Email address")
			}
			b.Open(w.path)
			b.Type("Your answer", "My secret")
			ends()
			signIn(b, w.email)
			b.Open(w.path)
			if got := value(b, w.area); got != "My secret" {
				t.Errorf("%s: who wrote it: got %q", w.email, got)
			}
			ends()
			signIn(b, server.Administrator)
			empty("another person")
			b.Type("Your answer", "Another secret")
			leaves(b)
			signIn(b, server.Administrator)
			empty("after a sign-out")
		}
	})
}
