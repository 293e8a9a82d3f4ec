//go:build full && browser

package web_test

import (
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestBrowserClaims accepts the report of a computer that was reinstalled, and all
// others with its token, from then on too.
func TestBrowserClaims(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		s := start(t, mustertest.SQLite)
		b := l.visit(t, s, server.Administrator)
		b.Open("/app/agents")
		b.WaitText("3 computers are claimed by other agents")
		inspect(t, b, "claims")
		b.In(".claims tbody tr:first-child").Click("Accept")
		b.WaitText("1 report accepted")
		b.WaitText("2 computers are claimed by other agents")
		b.Click("It replaces Laptops: always accept it")
		b.WaitText("2 reports accepted")
		b.WaitGone(".claims")
		b.Open("/app/agents/tokens")
		inspect(t, b, "agent-tokens")
		b.Click("Change Laptops 2")
		b.Wait("#agent-images")
		inspect(t, b, "agent-marks")
		b.Check("For reinstalled computers", true)
		b.Click("Save")
		b.WaitText("The agent token was changed")
	})
}
