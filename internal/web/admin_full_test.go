//go:build full && browser

package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// gives signs somebody in up to the code of their second factor.
func gives(b *mustertest.Browser, email, password string) {
	b.Open("/app/signin")
	b.Type("Email address", email)
	b.Type("Password", password)
	b.Click("Sign in")
}

// leaves signs out by the person's menu.
func leaves(b *mustertest.Browser) {
	b.ClickOn("button[popovertarget=me]")
	b.In("#me").Click("Sign out")
	b.WaitText("Email address")
}

// TestBrowserOwnAccess changes a person's password, turns on their second factor,
// and signs in with its code and with a recovery code.
func TestBrowserOwnAccess(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		s := mustertest.Start(t, mustertest.Options{})
		const email, password = "tech@example.com", "quite another sentence"
		s.AddUser(email, inventory.Technician, false)
		other := s.SignIn(email)
		b := l.visit(t, s, email)
		b.ClickOn("button[popovertarget=me]")
		b.In("#me").Click("Profile and password")
		b.Type("Current password", "not the password")
		b.Type("New password", password)
		b.Type("New password again", password)
		b.Click("Change password")
		b.WaitText("This is not your current password")
		b.Wait("#password-old:focus")
		inspect(t, b, "password-wrong")
		b.Open("/app/profile/password") // as who loads the page again
		wantURL(t, b, "/app/profile")
		b.Type("Current password", mustertest.AdminPassword)
		b.Type("New password", password)
		b.Type("New password again", password)
		b.Click("Change password")
		b.WaitText("Your password was changed")
		goes(t, "the other device", other.Get("/app/profile"), "/signin?to=%2Fprofile")

		b.In("#main").Click("Second factor")
		b.Click("Set up second factor")
		secret := b.Text("#secret")
		b.Type("Code", "000000")
		b.Click("Turn on second factor")
		b.WaitText("That code is not right")
		inspect(t, b, "factor-wrong")
		if got := b.Text("#secret"); got != secret {
			t.Errorf("the secret after a wrong code: got %s, want %s", got, secret)
		}
		b.Type("Code", mustertest.Code(t, secret, s.Clock.Now()))
		b.Click("Turn on second factor")
		b.WaitText("Your recovery codes")
		inspect(t, b, "recovery-codes")
		codes := strings.Fields(b.Text("#codes"))
		b.Click("I have saved them")
		b.WaitText("10 recovery codes are left")

		s.Clock.Advance(time.Minute)
		leaves(b)
		gives(b, email, password)
		b.WaitText("Enter the code from your app")
		b.Type("Code", "000000")
		b.Click("Sign in")
		b.WaitText("That code is not right")
		b.Type("Code", mustertest.Code(t, secret, s.Clock.Now()))
		b.Click("Sign in")
		b.Wait(".board")
		leaves(b)
		gives(b, email, password)
		b.Click("No phone at hand? Use a recovery code")
		inspect(t, b, "recovery-code")
		b.Type("Recovery code", codes[7])
		b.Click("Sign in")
		b.Wait(".board")
		b.Open("/app/profile/second-factor")
		b.WaitText("9 recovery codes are left")
	})
}

// TestBrowserSignOutEverywhere signs a person out on all devices but the one in hand.
func TestBrowserSignOutEverywhere(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		s := mustertest.Start(t, mustertest.Options{})
		one, two := s.SignIn(server.Administrator), s.SignIn(server.Administrator)
		b := l.visit(t, s, server.Administrator)
		b.Open("/app/profile")
		b.Wait(".badge.good")
		b.Click("Sign out on all other devices")
		b.WaitText("You are signed out on all other devices")
		for _, v := range []*mustertest.Visitor{one, two} {
			goes(t, "another device", v.Get("/app/users"), "/signin?to=%2Fusers")
		}
		b.Open("/app/users")
		b.Wait("table")
	})
}

// TestBrowserUsers adds a user and disables them, which ends their session.
func TestBrowserUsers(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		s := start(t, mustertest.SQLite)
		b := l.visit(t, s, server.Administrator)
		b.Open("/app/users")
		b.ClickOn(".head .primary")
		b.Type("Email required", "new@example.com")
		b.Type("First name", "Nora")
		b.Type("Last name", "Neu")
		b.Select("Role required", "Technician")
		b.Type("Password", "short")
		b.In(".bottom").Click("Add user")
		b.WaitText("Password is too short")
		inspect(t, b, "user-wrong")
		b.Type("Password", mustertest.AdminPassword)
		b.In(".bottom").Click("Add user")
		b.WaitText("Nora Neu was added")
		theirs := l.visit(t, s, "new@example.com")
		theirs.Wait(".board")
		b.Click("Disable user …")
		b.WaitText("They are signed out at once")
		inspect(t, b, "user-disabling")
		b.Click("Disable user")
		b.WaitText("Nora Neu is disabled")
		theirs.Open("/app/computers")
		theirs.WaitText("Email address")
		gives(theirs, "new@example.com", mustertest.AdminPassword)
		theirs.Wait(".notice.bad")
		inspect(t, theirs, "signin-refused")
		b.Click("Enable user")
		b.WaitText("Nora Neu is enabled again")
	})
}

// TestBrowserTokens makes a token that is shown once, and revokes it.
func TestBrowserTokens(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		s := start(t, mustertest.SQLite)
		b := l.visit(t, s, server.Administrator)
		b.Open("/app/tokens")
		b.Type("User required", server.Administrator)
		b.Type("Name required", "nightly export")
		b.Select("Valid for required", "A year")
		b.Check("For reading only", true)
		b.Click("Create token")
		b.WaitText("it is shown only once")
		secret := b.Text("#secret-0")
		bearer := func() int {
			return s.Anonymous().Do(http.MethodGet, "/hardwares.xml", "", "Authorization", "Bearer "+secret).Status
		}
		if got := bearer(); got != http.StatusOK {
			t.Errorf("the API with the token: got %d", got)
		}
		inspect(t, b, "token-once")
		copies(t, b, secret)
		b.Click("Done")
		b.WaitText("nightly export")
		if got := b.Text("#main"); strings.Contains(got, secret) {
			t.Errorf("the list tells the secret: %s", got)
		}
		b.Click("Revoke nightly export")
		b.Click("Revoke token")
		b.WaitText("The token was revoked")
		if got := bearer(); got != http.StatusUnauthorized {
			t.Errorf("the API with the revoked token: got %d", got)
		}
	})
}

// copies presses the button that copies a secret, where the browser lets pages do
// that and where it does not.
func copies(t *testing.T, b *mustertest.Browser, secret string) {
	t.Helper()
	line := b.In(".row:has(#secret-0)")
	b.Eval("Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: async (text) => { globalThis.copied = text } } })", nil)
	line.ClickOn("[data-copy]")
	b.In(".toasts > [role=status] > .toast:has([href$='#check'])").WaitText("Copied")
	var got string
	if b.Eval("copied", &got); got != secret {
		t.Errorf("copied: got %q, want %q", got, secret)
	}
	b.Eval("Object.defineProperty(navigator, 'clipboard', { value: undefined })", nil)
	line.WaitText("Copy")
	line.ClickOn("[data-copy]")
	b.In(".toasts > [role=alert] > .warn:has([href$='#warn'])").WaitText("The text is selected")
	if b.Eval("getSelection().toString().trim()", &got); got != secret {
		t.Errorf("selected: got %q, want %q", got, secret)
	}
	if got := line.Text("[data-copy]"); strings.Contains(got, "✓") {
		t.Errorf("the button says that it was copied: %s", got)
	}
}

// TestBrowserAgents makes an agent token with the lines for agents, and reads why
// a report was refused.
func TestBrowserAgents(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		s := mustertest.Start(t, mustertest.Options{})
		b := l.visit(t, s, server.Administrator)
		b.Open("/app/agents")
		b.In(".card").Click("Connect agents")
		b.Type("Name", "laptops Lyon")
		b.Type("Site", "Lyon")
		b.Click("Create agent token")
		b.WaitText("Agent token laptops Lyon")
		for _, text := range []string{
			"/etc/ocsinventory/ocsinventory-agent.cfg", "GLPI-Agent-x64.msi", "muster agent run",
		} {
			b.WaitText(text)
		}
		inspect(t, b, "agent-lines")
		address := b.Text("#secret-0")
		_, secret, _ := strings.Cut(address, "agent:")
		secret, _, _ = strings.Cut(secret, "@")
		post := func(body string) {
			s.Anonymous().Do(http.MethodPost, "/ocsinventory/t/"+secret, body, "User-Agent",
				"OCS-NG_unified_unix_agent_v2.10.0")
		}
		post(agentReport("PF0ABCDE", "4C4C4544-0042-3510-8052-B4C04F4D3331"))
		post("this is no report")
		b.Click("Done")
		b.Click("Last reports")
		b.In("table").WaitText("lap")
		b.Click("Refused")
		b.In("table").WaitText("laptops Lyon")
		b.In("table").WaitText("127.0.0.1")
		inspect(t, b, "agent-refusal")
	})
}

// TestBrowserSettings changes a setting; one that is refused keeps what was typed,
// and loading the page again shows the settings.
func TestBrowserSettings(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		s := mustertest.Start(t, mustertest.Options{})
		b := l.visit(t, s, server.Administrator)
		b.Open("/app/settings")
		b.Type("Hours between reports", "a day")
		b.Click("Save Hours between reports")
		b.WaitText("Hours between reports must be a number from 1 to 720")
		b.Wait("#i-agent-hours:focus")
		inspect(t, b, "settings-refused")
		wantURL(t, b, "/app/settings")
		b.Type("Hours between reports", "48")
		b.Click("Save Hours between reports")
		b.WaitText("Hours between reports was saved")
		b.Select("Who must have a second factor", "Administrators and technicians")
		b.Click("Save Who must have a second factor")
		b.WaitText("Set up a second factor")
		inspect(t, b, "factor-due")
	})
}

// TestBrowserAbout verifies the audit trail.
func TestBrowserAbout(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		s := start(t, mustertest.SQLite)
		b := l.visit(t, s, server.Administrator)
		b.Open("/app/about")
		b.WaitText("Not verified in the last 30 days")
		b.Eval("document.querySelector('h1').id = 'same'", nil)
		b.Click("Verify audit trail")
		b.WaitText("records fit, verified")
		b.Wait("#verify:focus")
		b.Wait("#same") // the page was not left
		b.Wait("#said:not(:empty)")
		inspect(t, b, "about-verified")
	})
}
