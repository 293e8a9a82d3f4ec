//go:build full

package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"muster/internal/argon"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestSignInGate: requests that wait for the hash of a password take no place from pages.
// With one place, a page is answered before sign-ins and confirmations of passwords that
// came earlier.
func TestSignInGate(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{Change: func(cfg *server.Config) {
		cfg.MaxRequests, cfg.LoginLimit = 1, 0
		cfg.HashCost = argon.Cost{Time: 40, Memory: 4 << 10} // of new users, and of unknown ones
	}})
	person := s.SignIn(server.Administrator)
	s.Admin().Do("POST", "/users.xml", "<user><email>new@example.com</email><role>administrator</role><password>"+
		mustertest.AdminPassword+"</password></user>")
	other := s.SignIn("new@example.com")
	s.Clock.Advance(time.Hour)
	token := url.Values{"name": {"script"}, "days": {"30"}}
	asked := other.Post("/app/profile/api/tokens", token)
	for what, try := range map[string]func(i int) *mustertest.Response{
		"sign in": func(i int) *mustertest.Response {
			return s.Visitor().Post("/app/signin",
				url.Values{"email": {fmt.Sprintf("nobody%d@example.com", i)}, "password": {"a wrong password"}})
		},
		"step up": func(int) *mustertest.Response {
			return other.Post("/app/profile/api/tokens", confirming(t, "a token", asked, "a wrong password", ""))
		},
	} {
		t.Run(what, func(t *testing.T) {
			const n = 8
			var left atomic.Int64
			left.Store(n)
			var all sync.WaitGroup
			for i := range n {
				all.Go(func() {
					if got := try(i); got.Status != http.StatusUnprocessableEntity {
						t.Errorf("a wrong password: got %d, want 422", got.Status)
					}
					left.Add(-1)
				})
			}
			mustertest.Eventually(t, "all to come", func() bool {
				done := n - left.Load()
				return int64(s.Metrics()["muster_http_requests_in_flight"])+done >= n
			})
			if got := person.Get("/app/profile"); got.Status != http.StatusOK {
				t.Errorf("a page meanwhile: got %d, want 200", got.Status)
			}
			if left.Load() < n/2 {
				t.Error("the page was answered after most who waited for a hash, want it before")
			}
			all.Wait()
		})
	}
}
