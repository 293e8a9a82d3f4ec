//go:build full && browser

package web_test

import (
	"strings"
	"testing"
	"time"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestBrowserWithoutScripts signs in with a second factor, makes, changes and deletes a
// record, and changes a setting where no script runs.
func TestBrowserWithoutScripts(t *testing.T) {
	t.Parallel()
	s := start(t, mustertest.SQLite)
	add(t, s, "/hardwares", "<hardware><name>zzz-plotter-1</name></hardware>")
	b := scriptless.visit(t, s, server.Administrator)
	b.Open("/app/profile/second-factor")
	b.Click("Set up second factor")
	secret := b.Text("#secret")
	b.Type("Code", mustertest.Code(t, secret, s.Clock.Now()))
	b.Click("Turn on second factor")
	b.Click("I have saved them")
	s.Clock.Advance(time.Minute)
	leaves(b)
	gives(b, server.Administrator, mustertest.AdminPassword)
	b.Type("Code", mustertest.Code(t, secret, s.Clock.Now()))
	b.Click("Sign in")
	b.Wait(".board")

	b.Open("/app/contracts/new")
	b.Type("Name required", "By hand alone")
	b.In("[data-items=items]").Click("Add row")
	row(b, "items", "1").Wait("input:focus")
	row(b, "items", "1").Type("Name", "Desk lamp")
	b.In("[data-pick]").Type("Add to Computers: name or number", "zzz-plo")
	b.In("[data-pick]").Click("Find")
	b.Check("zzz-plotter-1", true)
	b.Axe(t)
	b.In(".bottom").Click("Add contract")
	b.WaitText("By hand alone was added")
	b.In("#main").WaitText("Desk lamp")
	b.In(".side").WaitText("zzz-plotter-1")
	path := strings.TrimPrefix(b.URL(), s.Base)
	b.Click("Edit")
	row(b, "items", "1").ClickOn("button[name=do]")
	b.Wait("[data-items=items]")
	b.Type("Tag", "lamps")
	b.In(".bottom").Click("Save contract")
	b.WaitText("By hand alone was saved")
	if got := b.Text("#main .stack"); strings.Contains(got, "Desk lamp") || !strings.Contains(got, "lamps") {
		t.Errorf("after the change: got %s", got)
	}
	b.Open(path + "/delete")
	b.WaitText("This cannot be undone")
	b.Click("Delete contract")
	b.WaitText("By hand alone was deleted")

	b.Open("/app/articles/new")
	b.Type("Description", "Use **dry** paper")
	b.Click("Preview")
	b.In(".preview").Wait("strong")

	b.Open("/app/settings")
	b.Type("Additional statuses", "Lost")
	b.Click("Save Additional statuses")
	b.WaitText("Additional statuses must be others than")
	b.Type("Additional statuses", "On loan")
	b.Click("Save Additional statuses")
	b.WaitText("Additional statuses was saved")
}
