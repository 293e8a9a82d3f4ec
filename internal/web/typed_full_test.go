//go:build full && browser

package web_test

import (
	"net/url"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestBrowserTyped gives people back what they have typed into a form that was
// sent after their session had ended, and nobody else.
func TestBrowserTyped(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		s := start(t, mustertest.SQLite)
		s.AddUser("tech@example.com", inventory.Technician, false)
		b := l.visit(t, s, server.Administrator)
		types := func(name string) {
			b.Open("/app/contracts/new")
			b.Type("Name required", name)
			b.In("[data-items=items]").Click("Add row")
			row(b, "items", "1").Type("Name", "Desk")
			goes(t, "end of the session", s.SignIn(server.Administrator).Post("/app/profile/devices/end",
				url.Values{}), "/profile")
			b.In(".bottom").Click("Add contract")
			b.WaitText("Email address")
		}
		comes := func(email string) {
			b.Type("Email address", email)
			b.Type("Password", mustertest.AdminPassword)
			b.Click("Sign in")
			b.Wait("form[data-form]")
			wantURL(t, b, "/app/contracts/new")
		}
		value := func(selector string) (text string) {
			b.Eval("document.querySelector('"+selector+"')?.value ?? 'none'", &text)
			return text
		}

		types("Lease of desks")
		comes(server.Administrator)
		b.Shot("typed")
		b.Axe(t)
		b.Click("Restore")
		b.Wait(`#i-name[value="Lease of desks"]`)
		b.Wait(`[data-items=items] tbody input[value="Desk"]`)
		b.In(".bottom").Click("Add contract")
		b.WaitText("Lease of desks was added")
		b.Open("/app/contracts/new")
		if b.Count("[data-discard]") != 0 {
			t.Error("what was saved is offered once more")
		}

		types("Rent of desks")
		comes(server.Administrator)
		b.Click("Discard")
		b.WaitGone("[data-discard]")
		b.Open("/app/contracts/new")
		if b.Count("[data-discard]") != 0 || value("#i-name") != "" {
			t.Error("what was discarded is offered once more")
		}

		types("Secret desks")
		comes("tech@example.com")
		var kept string
		b.Eval("JSON.stringify(sessionStorage)", &kept)
		if b.Count("[data-discard]") != 0 || strings.Contains(kept, "Secret desks") {
			t.Errorf("another person: got %s", kept)
		}
	})
}

// TestBrowserTypedSecrets keeps no password that is typed into a form, and nothing
// after a sign-out.
func TestBrowserTypedSecrets(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		s := start(t, mustertest.SQLite)
		b := l.visit(t, s, server.Administrator)
		b.Open("/app/users/new")
		b.Type("First name", "Nora")
		b.Type("Password", "quite another sentence")
		b.In(".bottom").Click("Add user")
		b.WaitText("Email can't be blank")
		var kept string
		if b.Eval("JSON.stringify(sessionStorage)", &kept); !strings.Contains(kept, "Nora") ||
			strings.Contains(kept, "sentence") {
			t.Errorf("kept: got %s, want the name and no password", kept)
		}
		b.Expect("dialog (beforeunload)")
		leaves(b)
		if b.Eval("JSON.stringify(sessionStorage)", &kept); strings.Contains(kept, "Nora") {
			t.Errorf("after the sign-out: got %s", kept)
		}
	})
}

// TestBrowserTypedRequest gives requesters back what they have typed into the form
// of a ticket that was sent after their session had ended, and nobody else.
func TestBrowserTypedRequest(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		d := busyDesk(t)
		b := l.visit(t, d.Server, "ask@example.com")
		sends := func() {
			b.Type("What is it about?", "The fan is loud")
			b.Select("Which computer?", "None of mine")
			b.Type("What happens, and since when?", "It took an hour to write this.")
			goes(t, "end of the session", d.SignIn("ask@example.com").Post("/app/profile/devices/end", url.Values{}),
				"/profile")
			b.Click("Send")
			b.WaitText("Email address")
		}
		comes := func(email string) {
			b.Type("Email address", email)
			b.Type("Password", mustertest.AdminPassword)
			b.Click("Sign in")
			b.Wait("#new")
			wantURL(t, b, "/app/portal")
		}
		b.Open("/app/portal")
		sends()
		comes("ask@example.com")
		b.Wait("#new [data-discard]")
		inspect(t, b, "portal-typed")
		b.Click("Restore")
		b.Wait(`#i-name[value="The fan is loud"]:focus`)
		if got := value(b, "#i-description"); got != "It took an hour to write this." {
			t.Errorf("the description: got %q", got)
		}
		if got := value(b, "#i-hardwares"); got != "" {
			t.Errorf("the computer: got %q", got)
		}
		inspect(t, b, "portal-restored")
		b.Click("Send")
		b.WaitText("was sent")
		b.WaitText("It took an hour to write this.")

		b.Open("/app/portal")
		if b.Count("[data-discard]") != 0 {
			t.Error("what was sent is offered once more")
		}
		sends()
		comes("tech@example.com")
		var kept string
		if b.Eval("JSON.stringify(sessionStorage)", &kept); b.Count("[data-discard]") != 0 ||
			strings.Contains(kept, "an hour") {
			t.Errorf("another person: got %s", kept)
		}
	})
}
