package api_test

import (
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"time"

	"muster/internal/draws"
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
	if err != nil || wait < 1 || wait > 3600 {
		t.Errorf("%s: got Retry-After %q, want 1 to 3600 seconds", what, r.Header.Get("Retry-After"))
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
			limited(t, "a change over the limit", c.Do("POST", "/hardwares", hardware("<name>a</name>")),
				"too many requests")
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
		// Only failures count.
		for range 5 * limit {
			s.Anonymous().Get("/api")
			with(s, "/api", "Digest username=")
			with(s, "/api", "Bearer muster_wrong")
			with(s, "/api", admin.header("GET", "/api", "", 1))
			with(s, "/api", admin.header("GET", "/api", "a nonce of another server", 1)) // stale
		}
		for range limit {
			equal(t, "a wrong password", guess(server.Administrator).Status, http.StatusUnauthorized)
		}
		wait := limited(t, "one more", guess(server.Administrator),
			"too many failed logins of this user from this address")
		limited(t, "the right password", c.Get("/api"), "too many failed logins of this user from this address")
		limited(t, "the right password with an invented nonce",
			with(s, "/api", admin.header("GET", "/api", "invented", 1)),
			"too many failed logins of this user from this address")
		equal(t, "another user", other.Get("/api").Status, http.StatusOK)
		s.Clock.Advance(wait)
		equal(t, "after the wait", c.Get("/api").Status, http.StatusOK)

		// Many names from one address, which is new to all but two.
		fresh = nonce(t, s)
		failures := 0
		for ; failures < 20*limit &&
			guess("user"+strconv.Itoa(failures)+"@example.com").Status == http.StatusUnauthorized; failures++ {
		}
		equal(t, "failures until the address has to wait", failures, 15*limit)
		limited(t, "one more name", guess("one@example.com"), "too many failed logins from this address")
		fourth := s.AddUser("berta@example.com", inventory.Technician, false)
		limited(t, "a user who is new there", fourth.Get("/api"), "too many failed logins from this address")
		equal(t, "a user who was there before", other.Get("/api").Status, http.StatusOK)
		equal(t, "no credentials", s.Anonymous().Get("/api").Status, http.StatusUnauthorized)
		s.Clock.Advance(15 * time.Minute)
		equal(t, "after a quarter of an hour", fourth.Get("/api").Status, http.StatusOK)
	})
}

// TestGuessing: whoever guesses passwords gets few of them looked at, from however many
// addresses they come, and shuts nobody out who comes from where they were before.
func TestGuessing(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db, func(cfg *server.Config) {
			cfg.LoginLimit, cfg.RateLimit, cfg.Proxies = 20, 0, []string{"127.0.0.1", "::1"}
		})
		const office, home, attacker = "203.0.113.1", "198.51.100.7", "203.0.113.1"
		from := func(address string) []string { return []string{"X-Forwarded-For", address} }
		alice, bob := s.AddUser("alice@example.com", inventory.Technician, false),
			s.AddUser("bob@example.com", inventory.Technician, false)
		script := s.Bearer(server.TokenCommand{Email: "bob@example.com", Name: "script"})
		status := func(what string, c *mustertest.Client, address string, want int) {
			t.Helper()
			equal(t, what, c.Get("/api", from(address)...).Status, want)
		}
		status("Bob in the office", bob, office, http.StatusOK)
		status("Alice at home", alice, home, http.StatusOK)
		s.Clock.Advance(7 * 24 * time.Hour)
		anonymous, fresh, count := s.Anonymous(), nonce(t, s), 0
		try := func(authorization, address string) int {
			return anonymous.Get("/api", append(from(address), "Authorization", authorization)...).Status
		}
		guess := func(address string) int {
			count++
			return try(login{"alice@example.com", "wrong password", "MD5"}.header("GET", "/api", fresh, count), address)
		}
		throughout := func(i int) {
			t.Helper()
			if i%10 == 0 {
				status("Bob in the office meanwhile", bob, office, http.StatusOK)
				status("a token from there meanwhile", script, office, http.StatusOK)
			}
		}
		for i := range draws.Of(320) {
			equal(t, "a wrong token", try("Bearer muster_wrong"+strconv.Itoa(i), attacker), http.StatusUnauthorized)
			throughout(i)
		}
		checked := 0
		for i := range draws.Of(1000) {
			if guess(attacker) == http.StatusUnauthorized {
				checked++
			}
			throughout(i)
		}
		equal(t, "guesses that were looked at, from one address", checked, 20)
		for i := range 50 {
			for range draws.Of(200) {
				if guess(fmt.Sprintf("192.0.2.%d", i)) == http.StatusUnauthorized {
					checked++
				}
			}
		}
		equal(t, "guesses that were looked at, from all addresses", checked, 100)
		status("the right password from the attacker's address", alice, attacker, http.StatusTooManyRequests)
		status("the right password from a new address", alice, "192.0.2.200", http.StatusTooManyRequests)
		status("Alice where she was last week", alice, home, http.StatusOK)
		status("Bob in the office", bob, office, http.StatusOK)
		status("a token from there", script, office, http.StatusOK)
		s.Clock.Advance(time.Hour)
		status("Alice from the attacker's address an hour later", alice, attacker, http.StatusOK)
	})
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
