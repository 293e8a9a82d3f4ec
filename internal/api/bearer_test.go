package api_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
	"muster/internal/store"
)

// TestBearer: a token does all that its user may do, on every path, and nothing
// else.
func TestBearer(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		s.AddUser("anna@example.com", inventory.Technician, false)
		c := s.Bearer(server.TokenCommand{Email: "Anna@Example.com", Name: "script"})
		if !regexp.MustCompile(`^muster_[A-Z2-7]{52}$`).MatchString(c.Token) {
			t.Errorf("got the token %q, want muster_ and 52 characters for 260 bits", c.Token)
		}
		address := create(t, c, "<name>a</name>")
		for _, test := range []struct {
			method, target, body string
			want                 int
		}{
			{"GET", "/api.xml", "", 200}, {"GET", "/api.json", "", 200}, {"HEAD", "/hardwares", "", 200},
			{"OPTIONS", "/hardwares", "", 204},
			{"PUT", address, hardware("<tag>x</tag>"), 200}, {"GET", address + ".json", "", 200},
			{"GET", "/nothing", "", 404},
			{"PATCH", address, "", 405}, {"GET", "/hardwares?x=1", "", 400}, {"POST", "/hardwares", "<", 400},
			{"DELETE", address, "", 200},
		} {
			r := c.Do(test.method, test.target, test.body)
			equal(t, test.method+" "+test.target, r.Status, test.want)
			equal(t, test.method+" "+test.target+": headers",
				[]string{r.Header.Get("WWW-Authenticate"), r.Header.Get("Authentication-Info")}, []string{"", ""})
		}
		for _, scheme := range []string{"bearer ", "BEARER ", "Bearer   "} {
			equal(t, scheme, with(s, "/api", scheme+c.Token).Status, http.StatusOK)
		}
		last := s.Audits()[len(s.Audits())-1]
		equal(t, "the audit record", []string{last.User.Email, last.Origin, last.Action},
			[]string{"anna@example.com", "api", "delete"})

		s.AddUser("eve@example.com", inventory.Requester, false)
		s.AddUser("rob@example.com", inventory.Administrator, true)
		requester := s.Bearer(server.TokenCommand{Email: "eve@example.com", Name: "script"})
		refused(t, "POST of a requester", requester.Do("POST", "/hardwares", "<"), http.StatusForbidden,
			"a requester may not create computer records")
		reader := s.Bearer(server.TokenCommand{Email: "rob@example.com", Name: "script"})
		refused(t, "POST of a read-only user", reader.Do("POST", "/hardwares", "<"), http.StatusForbidden,
			"the user rob@example.com may only read")
	})
}

// TestBearerReadOnly: such a token reads, whatever its user may do.
func TestBearerReadOnly(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		fleet(s, 1)
		c := s.Bearer(server.TokenCommand{Email: server.Administrator, Name: "reports", ReadOnly: true})
		for method, want := range map[string]int{"GET": 200, "HEAD": 200, "OPTIONS": 204} {
			equal(t, method, c.Do(method, "/hardwares/1", "").Status, want)
		}
		for _, method := range []string{"PUT", "DELETE", "POST", "PATCH"} {
			for _, target := range []string{"/hardwares/1", "/hardwares", "/nothing"} {
				refused(t, method+" "+target, c.Do(method, target, hardware("<name>x</name>")), http.StatusForbidden,
					"the token reports may only read")
			}
		}
		equal(t, "the computer", value(t, c.Get("/hardwares").Body, "hardware", "name"), "c1")
	})
}

// TestBearerRefused: wrong tokens are answered like all wrong credentials.
func TestBearerRefused(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		const limit = 2
		s := start(t, db, func(cfg *server.Config) { cfg.LoginLimit = limit })
		c := s.Bearer(server.TokenCommand{Email: server.Administrator, Name: "script"})
		for range 2 * limit { // none of these is a failed login
			for _, form := range []string{
				"Bearer", "Bearer ", "Bearer a b", "Bearer " + c.Token + ", Digest", `Bearer token="` + c.Token + `"`,
				"Bearer =", "Bearer ä",
				"Bearer\t" + c.Token, "Bearer:" + c.Token, c.Token, "Token " + c.Token,
			} {
				challenged(t, form, with(s, "/api", form), both, false)
			}
			w := dial(t, s)
			w.send("GET /api HTTP/1.1", "Host: localhost", "Authorization: Bearer "+c.Token,
				"Authorization: Bearer "+c.Token)
			challenged(t, "two fields", w.answer(), both, false)
		}
		equal(t, "the token", c.Get("/api").Status, http.StatusOK)
		wrong := []string{c.Token + "A", c.Token[:len(c.Token)-1], strings.ToLower(c.Token),
			strings.TrimPrefix(c.Token, "muster_"), "muster_", "abc"}
		for i := range 20 * limit { // they shut nobody out
			challenged(t, wrong[i%len(wrong)], with(s, "/hardwares", "Bearer "+wrong[i%len(wrong)]), both, false)
		}
		equal(t, "the right token", c.Get("/api").Status, http.StatusOK)
		equal(t, "a password", s.Admin().Get("/api").Status, http.StatusOK)
		if log := s.Log.String(); strings.Contains(log, c.Token) || strings.Contains(log, c.Token[:20]) ||
			!strings.Contains(log, `"refused":"unknown token"`) ||
			!strings.Contains(log, `"user":"admin@localhost","token":"script"`) {
			t.Errorf("got the log\n%s\nwant the token's name, why others were refused, and no secret", log)
		}
	})
}

// TestBearerOfAgent: an agent token is known by its beginning, and lets nobody in.
// The answer does not reveal whether the token exists.
func TestBearerOfAgent(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		known, err := s.AgentToken(context.Background(), server.AgentTokenCommand{Do: "add"})
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range []string{known.Secret, known.Secret + "A", "muster_agent_"} {
			r := with(s, "/hardwares", "Bearer "+secret)
			challenged(t, secret, r, both, false)
			refused(t, secret, r, http.StatusUnauthorized, "this is an agent token, which can only report computers")
		}
		if log := s.Log.String(); strings.Count(log, `"refused":"agent token"`) != 3 ||
			strings.Contains(log, known.Secret) {
			t.Errorf("got the log\n%s\nwant three refused agent tokens, and no secret", log)
		}
	})
}

// TestBearerEnds: a token dies at its end, when it is revoked, and with its
// user.
func TestBearerEnds(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		s.AddUser("anna@example.com", inventory.Technician, false)
		token := func(name, expires string) *mustertest.Client {
			return s.Bearer(server.TokenCommand{Email: "anna@example.com", Name: name, Expires: expires})
		}
		ending, revoked, other := token("ending", "2026-01-31"), token("revoked", ""), token("other", "2026-02-01")
		for _, c := range []*mustertest.Client{ending, revoked, other} {
			equal(t, "a new token", c.Get("/api").Status, http.StatusOK)
		}
		s.Tokens(server.TokenCommand{Do: "revoke", Which: []string{"Revoked"}})
		challenged(t, "a revoked token", revoked.Get("/api"), both, false)
		s.User(server.UserCommand{Do: "disable", Email: "anna@example.com"})
		challenged(t, "a token of a disabled user", ending.Get("/api"), both, false)
		s.User(server.UserCommand{Do: "enable", Email: "anna@example.com"})
		equal(t, "a token of an enabled user", ending.Get("/api").Status, http.StatusOK)
		s.Clock.Advance(time.Date(2026, 1, 31, 23, 59, 59, 0, time.UTC).Sub(s.Clock.Now()))
		equal(t, "the last second", ending.Get("/api").Status, http.StatusOK)
		s.Clock.Advance(time.Second)
		challenged(t, "after the last day", ending.Get("/api"), both, false)
		equal(t, "a token that ends later", other.Get("/api").Status, http.StatusOK)
		equal(t, "a new one of the name", token("Ending", "").Get("/api").Status, http.StatusOK)
		challenged(t, "the old one of the name", ending.Get("/api"), both, false)
		equal(t, "DELETE of the user", s.Admin().Do("DELETE", "/users/2", "").Status, http.StatusOK)
		challenged(t, "a token of a deleted user", other.Get("/api"), both, false)
		equal(t, "tokens after it", len(s.Tokens(server.TokenCommand{Do: "list"}).Tokens), 0)
		for _, why := range []string{"disabled user", "ended token", "unknown token"} {
			if !strings.Contains(s.Log.String(), `"refused":"`+why+`"`) {
				t.Errorf("got no line of the log with %q", why)
			}
		}
	})
}

// TestBearerMeanwhile ends a token whose request has been let in but has not
// changed anything yet.
func TestBearerMeanwhile(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		fleet(s, 1)
		ends := map[string]func(){
			"the token script was revoked": func() {
				s.Tokens(server.TokenCommand{Do: "revoke", Which: []string{"script"}})
			},
			"the token script has ended": func() { s.Clock.Advance(24 * time.Hour) },
			"is disabled": func() {
				s.User(server.UserCommand{Do: "disable", Email: "anna@example.com"})
			},
		}
		s.AddUser("anna@example.com", inventory.Technician, false)
		for _, want := range []string{"the token script was revoked", "the token script has ended", "is disabled"} {
			for method, target := range map[string]string{"POST": "/hardwares", "PUT": "/hardwares/1"} {
				day := s.Clock.Now().Format(time.DateOnly)
				c := s.Bearer(server.TokenCommand{Email: "anna@example.com", Name: "script", Expires: day})
				doc := hardware("<name>changed</name>")
				w := dial(t, s)
				w.send(method+" "+target+" HTTP/1.1", "Host: localhost", "Expect: 100-continue",
					"Content-Length: "+strconv.Itoa(len(doc)),
					"Authorization: Bearer "+c.Token)
				equal(t, method+": let in", w.answer().Status, http.StatusContinue)
				ends[want]()
				w.write(doc)
				refused(t, method, w.answer(), http.StatusForbidden, want)
				s.User(server.UserCommand{Do: "enable", Email: "anna@example.com"})
				if want == "is disabled" {
					s.Tokens(server.TokenCommand{Do: "revoke", Which: []string{"script"}})
				}
			}
		}
		r := s.Admin().Get("/hardwares")
		equal(t, "computers", []string{r.Header.Get("X-Total-Count"), value(t, r.Body, "hardware", "name")},
			[]string{"1", "c1"})
	})
}

// TestTokenLastUsed: it is renewed at most hourly, without an audit record, and
// is not a login of the user.
func TestTokenLastUsed(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		s.AddUser("anna@example.com", inventory.Technician, false)
		c := s.Bearer(server.TokenCommand{Email: "anna@example.com", Name: "script"})
		before, begin := len(s.Audits()), s.Clock.Now()
		for _, test := range []struct{ after, used time.Duration }{
			{0, 0}, {59 * time.Minute, 0}, {time.Hour, time.Hour}, {2*time.Hour - time.Second, time.Hour},
			{30 * time.Hour, 30 * time.Hour},
		} {
			s.Clock.Advance(begin.Add(test.after).Sub(s.Clock.Now()))
			equal(t, "GET", c.Get("/api").Status, http.StatusOK)
			equal(t, "last use after "+test.after.String(),
				s.Tokens(server.TokenCommand{Do: "list"}).Tokens[0].LastUsed, begin.Add(test.used))
		}
		equal(t, "audit records of uses", len(s.Audits())-before, 0)
		equal(t, "the last login", s.User(server.UserCommand{Do: "list"}).Users[1].LastLogin.IsZero(), true)
	})
}

// TestStoredTokens looks at what is kept of a token: the hash of its secret, and
// what was done with it.
func TestStoredTokens(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		c := s.Bearer(server.TokenCommand{
			Email: server.Administrator, Name: " backup-script ", ReadOnly: true, Expires: "2026-12-31",
		})
		want := sha256.Sum256([]byte(c.Token))
		ctx := context.Background()
		err := s.Store().View(ctx, func(tx *store.Tx) error {
			return tx.Tokens(ctx, func(got store.Token) error {
				equal(t, "the hash", bytes.Equal(got.Hash, want[:]), true)
				equal(t, "the name", got.Name, "backup-script")
				return nil
			})
		})
		if err != nil {
			t.Fatal(err)
		}
		s.Tokens(server.TokenCommand{Do: "revoke", Which: []string{"1"}})
		var recorded []string
		for _, a := range s.Audits() {
			if strings.Contains(a.Message, "oken") {
				recorded = append(recorded, a.RecordType+" "+a.RecordName+" "+a.Action+" "+a.Origin+": "+a.Message)
			}
		}
		equal(t, "audit records", recorded, []string{
			"user admin@localhost update command: Token backup-script added, for reading only, until 2027-01-01 00:00 UTC",
			"user admin@localhost update command: Token backup-script revoked",
		})
	})
}
