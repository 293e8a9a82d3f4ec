package api_test

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// limited checks that an answer is 429, and returns how long the client has to
// wait.
func limited(t *testing.T, what string, r *mustertest.Response, text string) time.Duration {
	t.Helper()
	refused(t, what, r, http.StatusTooManyRequests, text)
	wait, err := strconv.Atoi(r.Header.Get("Retry-After"))
	if err != nil || wait < 1 || wait > 60 {
		t.Errorf("%s: got Retry-After %q, want 1 to 60 seconds", what, r.Header.Get("Retry-After"))
	}
	return time.Duration(wait) * time.Second
}

func TestRequestLimit(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db, func(cfg *server.Config) { cfg.RateLimit = 3 })
		c, other := s.Admin(), s.AddUser("anna@example.com", inventory.Technician, false)
		for range 2 {
			for range 3 {
				equal(t, "within the limit", c.Get("/api").Status, http.StatusOK)
			}
			wait := limited(t, "over the limit", c.Get("/api"), "too many requests of this user")
			limited(t, "a change over the limit", c.Do("POST", "/hardwares", hardware("<name>a</name>")), "too many requests")
			equal(t, "another user", other.Get("/api").Status, http.StatusOK)
			equal(t, "no credentials", s.Anonymous().Get("/api").Status, http.StatusUnauthorized)
			s.Clock.Advance(wait)
		}
		equal(t, "computers", other.Get("/hardwares").Header.Get("X-Total-Count"), "0")
	})
}

func TestLoginLimit(t *testing.T) {
	t.Parallel()
	const limit = 4
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db, func(cfg *server.Config) { cfg.LoginLimit = limit })
		c, other := s.Admin(), s.AddUser("anna@example.com", inventory.Technician, false)
		fresh, guesses := nonce(t, s), 0
		guess := func(user string) *mustertest.Response {
			guesses++
			return with(s, "/api", login{user, "wrong password", "MD5"}.header("GET", "/api", fresh, guesses))
		}
		// What is no failure does not count.
		for range 5 * limit {
			s.Anonymous().Get("/api")
			with(s, "/api", "Digest username=")
			with(s, "/api", admin.header("GET", "/api", "", 1))
			with(s, "/api", admin.header("GET", "/api", "a nonce of another server", 1)) // stale
		}
		for range limit + 1 {
			equal(t, "a wrong password", guess(server.Administrator).Status, http.StatusUnauthorized)
		}
		wait := limited(t, "one more", guess(server.Administrator), "too many failed logins of this user")
		limited(t, "the right password", c.Get("/api"), "too many failed logins of this user")
		equal(t, "another user", other.Get("/api").Status, http.StatusOK)
		s.Clock.Advance(wait)
		equal(t, "after the wait", c.Get("/api").Status, http.StatusOK)

		// Many names from one address.
		failures := 0
		for ; failures < 10*limit && guess("user"+strconv.Itoa(failures)+"@example.com").Status == http.StatusUnauthorized; failures++ {
		}
		equal(t, "failures until the address has to wait", failures, 5*limit+1)
		limited(t, "another user", other.Get("/api"), "too many failed logins from this address")
		limited(t, "no credentials", s.Anonymous().Get("/api"), "too many failed logins from this address")
		equal(t, "/healthz", s.Anonymous().Get("/healthz").Status, http.StatusOK)
		s.Clock.Advance(time.Minute)
		equal(t, "after a minute", other.Get("/api").Status, http.StatusOK)
	})
}

// TestLoginLimitOfAddress: failures from one address lock nobody out who comes
// from another.
func TestLoginLimitOfAddress(t *testing.T) {
	t.Parallel()
	s := start(t, mustertest.SQLite, func(cfg *server.Config) { cfg.LoginLimit, cfg.Proxies = 1, []string{"127.0.0.1"} })
	c, fresh := s.Admin(), nonce(t, s)
	for i := range 2 {
		header := login{server.Administrator, "wrong password", "MD5"}.header("GET", "/api", fresh, i)
		equal(t, "a wrong password", with(s, "/api", header, "X-Forwarded-For", "203.0.113.1").Status, http.StatusUnauthorized)
	}
	limited(t, "the user from there", c.Get("/api", "X-Forwarded-For", "203.0.113.1"), "too many failed logins of this user from this address")
	equal(t, "the user from elsewhere", c.Get("/api", "X-Forwarded-For", "203.0.113.2").Status, http.StatusOK)
}

func TestNoLimits(t *testing.T) {
	t.Parallel()
	s := start(t, mustertest.SQLite, func(cfg *server.Config) { cfg.RateLimit, cfg.LoginLimit = 0, 0 })
	c := s.Admin()
	for range 300 {
		equal(t, "a request", c.Get("/api").Status, http.StatusOK)
	}
	anonymous, fresh := s.Anonymous(), nonce(t, s)
	for i := range 400 {
		header := login{server.Administrator, "wrong password", "MD5"}.header("GET", "/api", fresh, i)
		equal(t, "a wrong password", anonymous.Get("/api", "Authorization", header).Status, http.StatusUnauthorized)
	}
	equal(t, "the right password", c.Get("/api").Status, http.StatusOK)
}
