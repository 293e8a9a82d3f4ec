package digest

import (
	"net/http"
	"slices"
	"testing"
	"time"
)

// TestUnknownUserTakesAsLong compares an unknown user with a wrong password, turn by turn so that both meet the same
// machine, by the quickest tenth, which others on it disturb least. It is compared again where others did disturb: a
// difference of the two is there each time. Whoever could tell them apart would learn who is a user.
func TestUnknownUserTakesAsLong(t *testing.T) {
	const rounds = 3000
	s, _ := newServer(t)
	wrong := prepare(s, 1, func(c *call) { c.password = "wrong" })[0]
	unknown := prepare(s, 1, func(c *call) { c.user = "eve@example.com" })[0]
	quick := func(r *http.Request) time.Duration {
		begin := time.Now()
		if got := s.Authenticate(r); got.Outcome != Failed {
			t.Fatalf("got outcome %d (%s), want a failure", got.Outcome, got.Reason)
		}
		return time.Since(begin)
	}
	var ratios []float64
	for range 20 {
		var took [2][]time.Duration
		for range rounds {
			took[0] = append(took[0], quick(wrong))
			took[1] = append(took[1], quick(unknown))
		}
		for i := range took {
			slices.Sort(took[i])
		}
		ratio := float64(took[1][rounds/10]) / float64(took[0][rounds/10])
		if ratio > 0.8 && ratio < 1.25 {
			return
		}
		ratios = append(ratios, ratio)
	}
	t.Errorf("an unknown user takes %.2f times as long as a wrong password, each time, want about once", ratios)
}
