//go:build volume

package agents_test

import (
	"fmt"
	"testing"
	"time"

	"muster/internal/desk/agents"
	"muster/internal/mustertest"
)

// TestVolumeClaims: of one agent token at most 1,000 reports wait; what is beyond is
// counted and not kept.
func TestVolumeClaims(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		f := newFleet(t, db)
		const most = 1000
		one := func(token string, i int) agents.Outcome {
			return f.report(said{token: token, device: fmt.Sprintf("d%d", i), serial: fmt.Sprintf("SER%05d", i),
				os: "System of " + token})
		}
		for i := range most + 2 {
			f.is(one("agents", i), agents.ReportNew)
		}
		f.Clock.Advance(24 * time.Hour)
		for i := range most + 2 {
			f.is(one("other", i), agents.ReportClaimed)
		}
		if got := len(f.claims()); got != most {
			t.Errorf("got %d claims, want %d", got, most)
		}
		tokens, err := f.Agents.Tokens(ctx, f.who)
		if err != nil {
			t.Fatal(err)
		}
		for _, token := range tokens {
			if token.Name == "other" && token.LeftOut != 2 {
				t.Errorf("got %d reports that were not kept, want 2", token.LeftOut)
			}
		}
	})
}
