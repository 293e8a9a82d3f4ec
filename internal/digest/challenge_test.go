package digest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestChallenge(t *testing.T) {
	both := []string{"SHA-256", "MD5"}
	tests := []struct {
		agent string
		stale bool
		want  []string
	}{
		{"", false, both},
		{"curl/8.5.0", true, both},
		{"Python-urllib/3.12", false, []string{"MD5"}},
		{"Python-urllib/2.7", true, []string{"MD5"}},
		{"Ruby", false, []string{"MD5"}},
		{"Ruby", true, []string{"MD5"}},
		{"Rubyist/1.0", false, both},
		{"Mozilla/5.0 Ruby", false, both},
		{"python-requests/2.31", false, both},
		{"Python-urllib3/2.0", false, both},
	}
	s, _ := newServer(t)
	for _, test := range tests {
		lines, nonce := challenge(t, s, test.agent, test.stale)
		var want []string
		for _, algorithm := range test.want {
			line := fmt.Sprintf(`Digest realm="Muster", nonce="%s", algorithm=%s, qop="auth"`, nonce, algorithm)
			if test.stale {
				line += ", stale=true"
			}
			want = append(want, line)
		}
		if got := strings.Join(lines, "\n"); got != strings.Join(want, "\n") {
			t.Errorf("agent %q:\ngot  %s\nwant %s", test.agent, got, strings.Join(want, "\n"))
		}
	}
}

// TestWithoutMD5 neither offers MD5 nor takes it, whoever asks.
func TestWithoutMD5(t *testing.T) {
	on := true
	s, _ := newServer(t, func(c *Config) { c.MD5 = func() bool { return on } })
	for _, agent := range []string{"test/1", "Ruby", "Python-urllib/3.12"} {
		for _, on = range []bool{true, false} {
			lines, nonce := challenge(t, s, agent, false)
			if got := strings.Contains(strings.Join(lines, " "), "algorithm=MD5"); got != on {
				t.Errorf("%s with MD5 %v: got %v", agent, on, lines)
			}
			c := newCall(nonce)
			c.agent, c.algorithm = agent, "MD5"
			want := map[bool]Outcome{true: Verified, false: Malformed}[on]
			if got := s.Authenticate(c.request(c.header())); got.Outcome != want {
				t.Errorf("%s answers by MD5, which is on %v: got %v (%s), want %v", agent, on, got.Outcome, got.Reason,
					want)
			}
			unnamed := strings.Replace(c.header(), "algorithm=MD5, ", "", 1)
			unnamed = strings.Replace(unnamed, "00000001", "00000002", 1)
			if got := s.Authenticate(c.request(unnamed)); !on && got.Outcome != Malformed {
				t.Errorf("%s answers by MD5 without saying so: got %v (%s), want malformed", agent, got.Outcome,
					got.Reason)
			}
		}
		_, nonce := challenge(t, s, agent, false)
		c := newCall(nonce)
		c.agent = agent
		if got := s.Authenticate(c.request(c.header())); got.Outcome != Verified {
			t.Errorf("%s answers by SHA-256: got %v (%s), want verified", agent, got.Outcome, got.Reason)
		}
	}
}

func TestChallengeKeepsOtherHeaders(t *testing.T) {
	s, _ := newServer(t)
	h := http.Header{"X-Other": {"1"}}
	s.Challenge(h, "", false)
	if len(h) != 2 || len(h["Www-Authenticate"]) != 2 || h.Get("X-Other") != "1" {
		t.Errorf("got %v, want two lines beside the other header", h)
	}
}

func TestRealmIsQuoted(t *testing.T) {
	const realm = `The "old" \ desk`
	s, _ := newServer(t, func(c *Config) {
		c.Realm = realm
		c.Lookup = func(string) *Secret { return NewSecret(testUser, realm, testPassword) }
	})
	lines, nonce := challenge(t, s, "", false)
	if want := `realm="The \"old\" \\ desk"`; !strings.Contains(lines[0], want) {
		t.Errorf("got %s, want %s in it", lines[0], want)
	}
	c := newCall(nonce)
	c.realm = realm
	header := strings.Replace(c.header(), realm, `The \"old\" \\ desk`, 1)
	if got := s.Authenticate(c.request(header)); got.Outcome != Verified {
		t.Errorf("got outcome %d (%s), want verified", got.Outcome, got.Reason)
	}
}

func TestInform(t *testing.T) {
	for _, algorithm := range []string{"SHA-256", "MD5"} {
		s, clock := newServer(t)
		c := newCall(freshNonce(t, s))
		c.algorithm, c.cnonce = algorithm, `a"b\c`
		h := make(http.Header)
		s.Inform(h, c.send(s))
		want := fmt.Sprintf(`rspauth="%s", qop=auth, nc=00000001, cnonce="a\"b\\c"`, c.response(""))
		if got := h.Get("Authentication-Info"); got != want {
			t.Errorf("%s: got %s, want %s", algorithm, got, want)
		}

		clock.advance(4*time.Minute + 59*time.Second)
		c.nc = "00000002"
		result := c.send(s)
		s.Inform(h, result)
		want = fmt.Sprintf(`rspauth="%s", qop=auth, nc=00000002, cnonce="a\"b\\c", nextnonce="%s"`, c.response(""),
			result.NextNonce)
		if got := h.Get("Authentication-Info"); got != want || result.NextNonce == "" {
			t.Errorf("%s: got %s, want %s", algorithm, got, want)
		}
	}
}

func TestInformOnlyVerified(t *testing.T) {
	s, _ := newServer(t)
	c := newCall("abc")
	for _, r := range []Result{c.send(s), {}, {Outcome: Failed}} {
		h := make(http.Header)
		if s.Inform(h, r); len(h) != 0 {
			t.Errorf("outcome %d: got %v, want no header", r.Outcome, h)
		}
	}
}
