//go:build full && browser

package web_test

import (
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestBrowserUserAccess makes a user, changes them and how they come in. They have
// done something and so cannot be deleted; one who has not can.
func TestBrowserUserAccess(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	eachLook(t, looks, func(t *testing.T, l look) {
		email := filepath.Base(t.Name()) + "@example.com"
		b := l.visit(t, s, server.Administrator)
		begins(b, "users")
		b.Type("Email required", email)
		b.Type("First name", "Nora")
		b.Type("Last name", "Neu")
		b.Select("Role required", "Technician")
		b.Type("Password", mustertest.AdminPassword)
		saves(b)
		b.WaitText("Nora Neu was added")
		path := pathOf(s, b)
		b.In(".record").Click("Edit")
		b.Type("Title", "Trainee")
		saves(b)
		b.WaitText("Nora Neu was saved")
		b.In("#main").WaitText("Trainee")

		theirs := s.SignIn(email)
		b.Open(path)
		b.Axe(t)
		b.Click("Sign out on all devices")
		b.WaitText("Nora Neu is signed out on all devices")
		goes(t, "signed out", theirs.Get("/app/computers"), "/signin?to=%2Fcomputers")
		password := givePassword(t, s, b, email)
		resetFactor(t, s, b, path, url.Values{"email": {email}, "password": {password}})

		b.Click("Disable user …")
		b.Click("Disable user")
		b.WaitText("Nora Neu is disabled")
		wants(t, "sign in of the disabled",
			s.Visitor().Post("/app/signin", url.Values{"email": {email}, "password": {password}}),
			http.StatusUnprocessableEntity)
		b.In(".record").Click("More")
		b.In("#more").Click("Delete …")
		b.WaitText("It cannot be deleted while these refer to it:")
		b.Axe(t)
		b.Click("Keep user")

		begins(b, "users")
		b.Type("Email required", "idle@example.com")
		saves(b)
		b.WaitText("idle@example.com was added")
		deletes(t, b, "idle@example.com")
	})
}

// givePassword sets a password that is refused, one that is good, and one that is
// made up, which it returns.
func givePassword(t *testing.T, s *mustertest.Server, b *mustertest.Browser, email string) string {
	t.Helper()
	b.Type("New password", "short")
	b.Click("Set password")
	b.WaitText("minimum is 12")
	b.Wait("#password:focus")
	b.Type("New password", "quite another sentence")
	b.Click("Set password")
	b.WaitText("Nora Neu has a new password, and is signed out")
	goes(t, "sign in with it",
		s.Visitor().Post("/app/signin", url.Values{"email": {email}, "password": {"quite another sentence"}}), "/")
	b.Click("Set password")
	b.WaitText("it is shown only once")
	b.Axe(t)
	password := b.Text("#secret-0")
	b.Click("Done")
	return password
}

// resetFactor lets somebody turn on a second factor and takes it away, so that
// they come in without a code.
func resetFactor(t *testing.T, s *mustertest.Server, b *mustertest.Browser, path string, credentials url.Values) {
	t.Helper()
	theirs := s.Visitor()
	goes(t, "sign in", theirs.Post("/app/signin", credentials), "/")
	secret := between(t, theirs.Post("/app/profile/second-factor", url.Values{}).Body, `name="secret" value="`, `"`)
	wants(t, "second factor", theirs.Post("/app/profile/second-factor/confirm",
		url.Values{"code": {mustertest.Code(t, secret, s.Clock.Now())}}), http.StatusOK)
	b.Open(path)
	b.Click("Reset second factor …")
	b.WaitText("when they have lost their phone")
	b.Axe(t)
	b.Click("Reset second factor")
	b.WaitText("The second factor of Nora Neu was reset")
	goes(t, "sign in without a code", s.Visitor().Post("/app/signin", credentials), "/")
}

// TestBrowserOwnAPI makes an API password and a token of a technician's own, which
// work, and revokes the token.
func TestBrowserOwnAPI(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		s := mustertest.Start(t, mustertest.Options{})
		const email = "tech@example.com"
		s.AddUser(email, inventory.Technician, false)
		b := l.visit(t, s, email)
		b.ClickOn("button[popovertarget=me]")
		b.In("#me").Click("Your API access")
		b.Click("Create API password")
		b.WaitText("it is shown only once")
		b.Axe(t)
		if got := s.Client(email, b.Text("#secret-0")).Get("/hardwares.xml"); got.Status != http.StatusOK {
			t.Errorf("the API with its password: got %d", got.Status)
		}
		b.Click("Done")
		b.Type("Name required", "nightly")
		b.Select("Valid for required", "30 days")
		b.Click("Create token")
		b.WaitText("it is shown only once")
		secret := b.Text("#secret-0")
		bearer := func() int {
			return s.Anonymous().Do(http.MethodGet, "/hardwares.xml", "", "Authorization", "Bearer "+secret).Status
		}
		if got := bearer(); got != http.StatusOK {
			t.Errorf("the API with the token: got %d", got)
		}
		b.Click("Done")
		b.Axe(t)
		b.Click("Revoke nightly")
		b.WaitText("Revoke the token nightly?")
		b.Click("Revoke token")
		b.WaitText("The token was revoked")
		if got := bearer(); got != http.StatusUnauthorized {
			t.Errorf("the API with the revoked token: got %d", got)
		}
	})
}

// TestBrowserAgentTokens makes an agent token, with which agents report computers
// that may be one: two are kept apart, two are merged; then it is revoked.
func TestBrowserAgentTokens(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		s := mustertest.Start(t, mustertest.Options{})
		b := l.visit(t, s, server.Administrator)
		b.Open("/app/agents/tokens")
		b.Type("Name", "lyon")
		b.Click("Create agent token")
		b.WaitText("Agent token lyon")
		address, err := url.Parse(strings.TrimSpace(b.Text("#secret-0")))
		if err != nil {
			t.Fatal(err)
		}
		secret, _ := address.User.Password()
		post := func(body string) int {
			return s.Anonymous().Do(http.MethodPost, "/ocsinventory/t/"+secret, body, "User-Agent",
				"OCS-NG_unified_unix_agent_v2.10.0").Status
		}
		for _, name := range []string{"lap", "desk"} {
			for i, serial := range []string{"PF0ABCDE", "PF0FFFFF"} {
				report := agentReport(name+serial, "4C4C4544-0042-3510-8052-"+strings.Repeat([]string{"B", "C"}[i],
					8)+map[string]string{"lap": "3331", "desk": "3332"}[name])
				if got := post(strings.ReplaceAll(report, ">lap", ">"+name)); got != http.StatusOK {
					t.Fatalf("report: got %d", got)
				}
			}
		}
		b.Click("Done")
		b.Click("Possible duplicates")
		b.Wait("section.block + section.block")
		b.Axe(t)
		b.In("section.block").Click("Not a duplicate")
		b.WaitText("are kept as different computers")
		b.WaitGone("section.block + section.block")
		b.Click("Undo")
		b.WaitText("may be one computer")
		b.Wait("section.block + section.block")
		b.In("section.block").Click("Not a duplicate")
		b.WaitGone("section.block + section.block")
		b.Click("Merge …")
		b.WaitText("This cannot be undone")
		b.Axe(t)
		b.Click("Merge computers")
		b.WaitText("are one computer now")
		b.Open("/app/agents/duplicates")
		b.WaitText("No possible duplicates")
		b.Axe(t)

		b.Click("Agent tokens")
		b.Click("Revoke lyon")
		b.WaitText("Revoke the agent token lyon?")
		b.Axe(t)
		b.Click("Revoke agent token")
		b.WaitText("The agent token was revoked")
		if got := post(agentReport("PF0ABCDE",
			"4C4C4544-0042-3510-8052-B4C04F4D3331")); got != http.StatusUnauthorized {
			t.Errorf("a report with the revoked token: got %d", got)
		}
	})
}
