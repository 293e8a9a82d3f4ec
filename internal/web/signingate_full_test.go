//go:build full

package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"

	"muster/internal/desk"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestSignInGate: who signs in holds no place of a page. With one place, a page is
// answered before those who signed in before it.
func TestSignInGate(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{Change: func(cfg *server.Config) {
		cfg.MaxRequests, cfg.LoginLimit = 1, 0
		cfg.HashCost = desk.HashCost{Time: 40, Memory: 4 << 10} // of users whom nobody knows
	}})
	person := s.SignIn(server.Administrator)
	const n = 8
	var left atomic.Int64
	left.Store(n)
	var all sync.WaitGroup
	for i := range n {
		visitor := s.Visitor()
		all.Go(func() {
			got := visitor.Post("/app/signin", url.Values{"email": {fmt.Sprintf("nobody%d@example.com", i)}, "password": {"a wrong password"}})
			if got.Status != http.StatusUnprocessableEntity {
				t.Errorf("a wrong sign-in: got %d, want 422", got.Status)
			}
			left.Add(-1)
		})
	}
	mustertest.Eventually(t, "some sign in", func() bool { return s.Metrics()["muster_http_requests_in_flight"] >= n/2 || left.Load() < n })
	if got := person.Get("/app/profile"); got.Status != http.StatusOK {
		t.Errorf("a page meanwhile: got %d, want 200", got.Status)
	}
	if left.Load() == 0 {
		t.Error("the page was answered after all who signed in, want it before")
	}
	all.Wait()
}
