package digest

import (
	"crypto/md5"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

const (
	testRealm    = "Muster"
	testUser     = "ada@example.com"
	testPassword = "correct horse"
)

// A clock is moved by hand, from any goroutine.
type clock struct{ ms atomic.Int64 }

func newClock() *clock {
	c := new(clock)
	c.ms.Store(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC).UnixMilli())
	return c
}

func (c *clock) now() time.Time          { return time.UnixMilli(c.ms.Load()) }
func (c *clock) advance(d time.Duration) { c.ms.Add(d.Milliseconds()) }

// newServer returns a server that knows the test user, and its clock.
func newServer(t testing.TB, edit ...func(*Config)) (*Server, *clock) {
	t.Helper()
	clock := newClock()
	secret := NewSecret(testUser, testRealm, testPassword)
	config := Config{Realm: testRealm, Key: []byte("0123456789abcdef0123456789abcdef"), Now: clock.now}
	config.Lookup = func(name string) *Secret {
		if name == testUser {
			return secret
		}
		return nil
	}
	for _, edit := range edit {
		edit(&config)
	}
	return New(config), clock
}

// A call is a request as a client computes it, independently of the package: what is hashed, and what is sent.
type call struct {
	method, target, agent string
	user, realm, password string
	nonce, nc, cnonce     string
	qop, algorithm        string
}

// newCall returns a right request with SHA-256.
func newCall(nonce string) call {
	return call{
		method: "GET", target: "/computers.xml?page=2&status=a%20b", agent: "test/1",
		user: testUser, realm: testRealm, password: testPassword,
		nonce: nonce, nc: "00000001", cnonce: "0a4f113b", qop: "auth", algorithm: "SHA-256",
	}
}

func (c call) hash(text string) string {
	if c.algorithm == "MD5" {
		return fmt.Sprintf("%x", md5.Sum([]byte(text)))
	}
	return fmt.Sprintf("%x", sha256.Sum256([]byte(text)))
}

// response computes RFC 7616, section 3.4.1; with an empty method it is rspauth, section 3.5.
func (c call) response(method string) string {
	return c.hash(strings.Join([]string{
		c.hash(c.user + ":" + c.realm + ":" + c.password), c.nonce, c.nc, c.cnonce, c.qop,
		c.hash(method + ":" + c.target),
	}, ":"))
}

func (c call) header() string {
	quote := strings.NewReplacer(`"`, `\"`, `\`, `\\`)
	return fmt.Sprintf(`Digest username="%s", realm="%s", nonce="%s", uri="%s", algorithm=%s, response="%s", qop=%s, nc=%s, cnonce="%s"`,
		quote.Replace(c.user), c.realm, c.nonce, c.target, c.algorithm, c.response(c.method), c.qop, c.nc,
		quote.Replace(c.cnonce))
}

// request returns the call as a server receives it, with the given Authorization fields.
func (c call) request(authorization ...string) *http.Request {
	r := httptest.NewRequest("GET", "/", nil)
	r.Method, r.RequestURI = c.method, c.target
	r.Header["Authorization"] = authorization
	r.Header.Set("User-Agent", c.agent)
	return r
}

func (c call) send(s *Server) Result { return s.Authenticate(c.request(c.header())) }

var noncePattern = regexp.MustCompile(`[ ,]nonce="([A-Za-z0-9_-]+)"`)

// challenge returns the lines of a challenge, and its nonce.
func challenge(t testing.TB, s *Server, agent string, stale bool) (lines []string, nonce string) {
	t.Helper()
	h := make(http.Header)
	s.Challenge(h, agent, stale)
	lines = h.Values("WWW-Authenticate")
	if len(lines) == 0 {
		t.Fatalf("Challenge(%q): no WWW-Authenticate line", agent)
	}
	match := noncePattern.FindStringSubmatch(lines[0])
	if match == nil {
		t.Fatalf("Challenge(%q) = %q, without a nonce", agent, lines[0])
	}
	return lines, match[1]
}

func freshNonce(t testing.TB, s *Server) string {
	t.Helper()
	_, nonce := challenge(t, s, "", false)
	return nonce
}
