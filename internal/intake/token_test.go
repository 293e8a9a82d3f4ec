package intake_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestChallenge compares the answer to a request without credentials to the byte. Agents send the whole body
// before they look at it, so the connection goes on.
func TestChallenge(t *testing.T) {
	t.Parallel()
	s := start(t, mustertest.SQLite, nil)
	conn, err := tls.Dial("tcp", s.Address(), &tls.Config{RootCAs: s.Roots, ServerName: "localhost"})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	in := bufio.NewReader(conn)
	body := strings.Repeat(" ", 1<<20)
	for _, path := range []string{"/ocsinventory", "/inventory", "/front/inventory.php"} {
		if _, err := fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s", path,
			len(body), body); err != nil {
			t.Fatal(err)
		}
		head, asked := "", []string(nil)
		for !strings.HasSuffix(head, "\r\n\r\n") {
			line, err := in.ReadString('\n')
			if err != nil {
				t.Fatalf("%s: after %q: %v", path, head, err)
			}
			if head += line; strings.Contains(strings.ToLower(line), "authenticate") {
				asked = append(asked, line)
			}
		}
		if !strings.HasPrefix(head, "HTTP/1.1 401 Unauthorized\r\n") || len(asked) != 1 ||
			asked[0] != "WWW-Authenticate: Basic realm=\"muster\"\r\n" {
			t.Errorf("%s: got %q with %q, want 401 with the one challenge", path, head, asked)
		}
		var length int64
		_, after, _ := strings.Cut(head, "Content-Length: ")
		if _, err := fmt.Sscan(after, &length); err != nil {
			t.Fatalf("%s: %q: %v", path, head, err)
		}
		if _, err := io.CopyN(io.Discard, in, length); err != nil {
			t.Fatal(err)
		}
	}
}

// TestTokens tries each way to show a token, on each path.
func TestTokens(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db, nil)
		good, gone := token(t, s), token(t, s)
		if _, err := s.AgentToken(context.Background(), server.AgentTokenCommand{
			Do: "revoke", Which: []string{"agents 2"},
		}); err != nil {
			t.Fatal(err)
		}
		const user = "muster_VMQ3KSZTI5VOY2YXY3LL6BNOPM"
		for _, path := range []string{"/ocsinventory", "/inventory", "/front/inventory.php"} {
			for _, test := range []struct {
				what, below, basic string
				status             int
			}{
				{"basic", "", good, 200}, {"path", "/t/" + good, "", 200},
				{"path with a slash", "/t/" + good + "/", "", 200}, {"slash", "/", good, 200},
				{"both", "/t/" + good, user, 200}, {"wrong in the path", "/t/x", good, 401}, {"none", "", "", 401},
				{"wrong", "", "x", 401},
				{"revoked", "", gone, 401}, {"revoked in the path", "/t/" + gone, "", 401},
				{"of a user", "", user, 401}, {"half", "", good[:len(good)-1], 401},
				{"another case", "/t/" + strings.ToLower(good), "", 401},
			} {
				a := newAgent(t, s)
				a.url, a.secret = s.Base+path+test.below, test.basic
				got := a.post(deflated(ask("a")))
				asked := fmt.Sprint(got.header["Www-Authenticate"])
				if got.status != test.status || (asked == `[Basic realm="muster"]`) != (test.status == 401) {
					t.Errorf("%s, %s: got %d and the challenge %s, want %d", path, test.what, got.status, asked,
						test.status)
				}
			}
		}
		if c := s.Anonymous(); c.Get("/hardwares.xml", "Authorization",
			"Bearer "+good).Status != http.StatusUnauthorized {
			t.Error("an agent token opens the API, want it for reports alone")
		}
		for _, secret := range []string{good, gone, user, "YWdlbnQ6", "Authorization"} {
			if strings.Contains(s.Log.String(), secret) {
				t.Errorf("the log has the secret %s:\n%s", secret, s.Log)
			}
		}
		for _, want := range []string{`"path":"/ocsinventory/t/…"`, `"path":"/front/inventory.php/t/…"`,
			`"token":"agents"`, `"refused":"unknown agent token"`, `"outcome":"prolog"`} {
			if !strings.Contains(s.Log.String(), want) {
				t.Errorf("the log lacks %s:\n%s", want, s.Log)
			}
		}
	})
}

// TestMistypedTokens checks that a token is not logged wherever it comes.
func TestMistypedTokens(t *testing.T) {
	t.Parallel()
	s := start(t, mustertest.SQLite, nil)
	const secret = "muster_agent_VMQ3KSZTI5VOY2YXY3LL6BNOPM"
	for _, path := range []string{
		"/ocsinventory/" + secret, "/muster/ocsinventory/t/" + secret, "/T/" + secret, "/t/" + secret + "?a=b",
		"/OCSinventory/" + secret, "/ocsinventory//" + secret,
		"/ocsinventory%2ft%2f" + secret, "/inventory/t/" + secret + "/x", "/hardwares/t/" + secret + ".xml",
		"/front/inventory.php/" + secret,
		"/%6fcsinventory/%74/" + secret, "/%6fcsinventory/%74/" + secret + "/t/x", "/ocsinventory/t/%0a" + secret,
	} {
		s.Anonymous().Do("POST", path, "<REQUEST/>")
	}
	if strings.Contains(s.Log.String(), secret) || strings.Count(s.Log.String(), "…") < 13 {
		t.Errorf("got the log\n%s\nwant 13 paths without the token", s.Log)
	}
}

// TestWrongTokens are counted by address, unlike missing ones; they keep neither agents with a right one nor
// people out.
func TestWrongTokens(t *testing.T) {
	t.Parallel()
	s := start(t, mustertest.SQLite, func(cfg *server.Config) { cfg.LoginLimit = 2 })
	good, wrong, none := newAgent(t, s), newAgent(t, s), newAgent(t, s)
	wrong.secret, none.secret = "x", ""
	for range 30 {
		none.post(deflated(ask("a")))
	}
	for i := range 30 { // 15 times 2
		if got := wrong.post(deflated(ask("a"))); got.status != http.StatusUnauthorized {
			t.Errorf("wrong token %d: got %d, want 401", i, got.status)
		}
	}
	if got := wrong.post(deflated(ask("a"))); got.status != http.StatusTooManyRequests ||
		got.header.Get("Retry-After") != "900" {
		t.Errorf("after too many: got %d, Retry-After %q, want 429 after 900", got.status,
			got.header.Get("Retry-After"))
	}
	good.post(deflated(ask("a"))).expect(t, "an agent with a right token", http.StatusOK, send)
	if got := s.Admin().Get("/api.xml").Status; got != http.StatusOK {
		t.Errorf("an administrator: got %d, want 200", got)
	}
	s.Clock.Advance(15 * time.Minute)
	if got := wrong.post(deflated(ask("a"))); got.status != http.StatusUnauthorized {
		t.Errorf("a quarter of an hour later: got %d, want 401", got.status)
	}
	metrics := s.Metrics()
	for series, want := range map[string]float64{
		`muster_logins_total{outcome="failed"}`:                                        32,
		`muster_limited_requests_total{limit="agent_tokens_of_address"}`:               1,
		`muster_http_requests_total{method="POST",route="/ocsinventory",status="2xx"}`: 1,
	} {
		if got := metrics[series]; got != want {
			t.Errorf("%s: got %v, want %v", series, got, want)
		}
	}
}

// TestBelow serves agents below a base path, and beside it, behind proxies and over plain HTTP.
func TestBelow(t *testing.T) {
	t.Parallel()
	for _, change := range []func(*server.Config){
		func(cfg *server.Config) { cfg.BaseURL = "https://assets.example.com/muster" },
		func(cfg *server.Config) { cfg.BaseURL, cfg.PlainHTTP = "https://assets.example.com/muster/", true },
	} {
		s := start(t, mustertest.SQLite, change)
		a := newAgent(t, s)
		for path, status := range map[string]int{
			"/muster/ocsinventory": 200, "/ocsinventory": 200, "/muster/front/inventory.php/t/" + a.secret: 200,
			"/muster/inventory/t/x": 401, "/other/ocsinventory": 401,
		} {
			a.url = s.Base + path
			if got := a.post(deflated(ask("a"))); got.status != status {
				t.Errorf("%s: got %d, want %d", path, got.status, status)
			}
		}
	}
}

// TestProxies counts wrong tokens by the address that a trusted proxy forwards, and answers whatever host is asked
// for: no answer to an agent has an address in it.
func TestProxies(t *testing.T) {
	t.Parallel()
	s := start(t, mustertest.SQLite, func(cfg *server.Config) {
		cfg.LoginLimit, cfg.Proxies, cfg.PlainHTTP = 1, []string{"127.0.0.1", "::1"}, true
	})
	a := newAgent(t, s)
	good := a.secret
	a.secret = "x"
	from := func(address string) int {
		a.header = []string{
			"X-Forwarded-For", address, "X-Forwarded-Host", "agents.example.com", "X-Forwarded-Proto", "https",
		}
		return a.post(deflated(ask("a"))).status
	}
	for range 15 {
		from("192.0.2.1")
	}
	if got := [2]int{from("192.0.2.1"), from("192.0.2.2")}; got != [2]int{429, 401} {
		t.Errorf("got %v for an address with too many wrong tokens and another, want 429 and 401", got)
	}
	a.secret = good
	if got := from("192.0.2.1"); got != 200 {
		t.Errorf("got %d for a right token, want 200", got)
	}
	if !strings.Contains(s.Log.String(), `"from":"192.0.2.1:0"`) {
		t.Errorf("got the log\n%s\nwant the agent's address", s.Log)
	}
}
