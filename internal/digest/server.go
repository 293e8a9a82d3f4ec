// Package digest is the server side of HTTP digest authentication (RFC 7616) as real clients speak it. A Server hands
// out signed nonces, so that it keeps nothing for a client before that client has proved its password, and any node
// with the same key can check another's nonces. It verifies a response against a Secret, which the caller looks up by
// name and which never contains the password. A response is accepted once: the triple (nonce, nc, cnonce) of each
// verified request is kept for the life of its nonce, in bounded memory.
package digest

import (
	"crypto/rand"
	"errors"
	"net/http"
	"slices"
	"time"
)

const (
	defaultMemory   = 64 << 20
	defaultLifetime = 5 * time.Minute
	minKey          = 16
)

// Config is what a Server needs. Realm, Key and Lookup are required.
type Config struct {
	// Realm is named in the challenge and is part of every Secret.
	Realm string
	// Key signs nonces, with at least 16 bytes. Nodes that share it accept each other's.
	Key []byte
	// Now is the clock, time.Now by default.
	Now func() time.Time
	// Lookup returns the secret of a user by the name as it was sent, or nil for an unknown user. It is called for
	// every response, so it must be cheap, and take as long for an unknown user as for a known one.
	Lookup func(name string) *Secret
	// MD5 reports whether MD5 is offered and taken besides SHA-256; nil means that it is. It is called for
	// every request.
	MD5 func() bool
	// Memory is how many bytes the used triples may take, 64 MB by default.
	Memory int
	// Lifetime is how long a nonce is valid, 5 minutes by default.
	Lifetime time.Duration
}

// A Server authenticates requests. Its methods may be called concurrently.
type Server struct {
	realm    string
	now      func() time.Time
	lookup   func(name string) *Secret
	md5      func() bool
	lifetime int64 // milliseconds, as all times of nonces
	stranger *Secret
	signer   *signer
	used     *memory
}

// New returns a Server. It panics when the configuration lacks a required part, which is a programmer's mistake.
func New(c Config) *Server {
	if c.Realm == "" || len(c.Key) < minKey || c.Lookup == nil {
		panic("digest: Config needs a Realm, a Key of at least 16 bytes and a Lookup")
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.MD5 == nil {
		c.MD5 = func() bool { return true }
	}
	if c.Memory <= 0 {
		c.Memory = defaultMemory
	}
	if c.Lifetime <= 0 {
		c.Lifetime = defaultLifetime
	}
	lifetime := c.Lifetime.Milliseconds()
	return &Server{
		realm:    c.Realm,
		now:      c.Now,
		lookup:   c.Lookup,
		md5:      c.MD5,
		lifetime: lifetime,
		stranger: NewSecret("", c.Realm, rand.Text()),
		signer:   newSigner(c.Key),
		used:     newMemory(c.Memory, lifetime),
	}
}

// An Outcome says how an Authorization header fared. Every one but Verified is answered with 401 and a challenge.
type Outcome int

const (
	// Missing: no digest credentials, or a first request with an empty nonce.
	Missing Outcome = iota
	// Malformed: the header does not parse or breaks a rule. No password was tried.
	Malformed
	// Stale: the response is right for its nonce, but the nonce is too old or not ours, or the triple was used
	// before. The challenge says stale=true, and clients try again by themselves.
	Stale
	// Failed: a well-formed response that is not the known user's. It counts as a login failure.
	Failed
	// Verified: the user is who they say.
	Verified
)

// String returns the outcome's name, for metrics.
func (o Outcome) String() string {
	return [...]string{"missing", "malformed", "stale", "failed", "verified"}[o]
}

// A Result is what Authenticate found.
type Result struct {
	Outcome Outcome
	// Name is the user name as sent, unless the outcome is Missing or the header could not be read. It is valid UTF-8
	// without control characters, of at most 320 bytes.
	Name string
	// Reason says in a few words why a request was not verified. It is meant for the log and contains no
	// secret.
	Reason string
	// Triple is as sent. A verified request has used it up.
	Triple
	// Expires is when the nonce of a verified request ends: until then a copy of the triple must be remembered.
	Expires time.Time
	// NextNonce is what a verified client should use from now on. It is empty while its nonce has long to live.
	NextNonce string

	proof proof
}

// Authenticate checks the Authorization header of a request and never reads its body. The method and RequestURI
// must be those that the client sent. When the outcome is Verified, the triple is used up.
//
// A wrong response is Failed even with an expired nonce: the answer stale=true would confirm a right one, so
// guesses that were not counted there could go on for ever.
func (s *Server) Authenticate(r *http.Request) Result {
	fields := r.Header["Authorization"]
	if len(fields) == 0 {
		return Result{Reason: "no Authorization field"}
	}
	if len(fields) > 1 {
		return Result{Outcome: Malformed, Reason: "two Authorization fields"}
	}
	rest, ok := cutScheme(fields[0])
	if !ok {
		return Result{Reason: "the Authorization scheme is not Digest"}
	}
	var p params
	if err := p.parse(rest); err != nil {
		return Result{Outcome: Malformed, Reason: err.Error()}
	}
	if nonce, _ := p.get("nonce"); nonce == "" {
		return Result{Reason: "a first request, without a nonce"}
	}
	c, err := p.credentials()
	if err == nil {
		err = s.fits(&c, r)
	}
	if err != nil {
		return Result{Outcome: Malformed, Name: c.name, Reason: err.Error()}
	}
	return s.judge(&c, r.Method)
}

var (
	errRealm      = errors.New("another realm")
	errURI        = errors.New("uri is not the request target")
	errNotOffered = errors.New("an algorithm that was not offered")
)

// fits checks the rules that bind well-formed credentials to this server and request.
func (s *Server) fits(c *credentials, r *http.Request) error {
	if c.realm != s.realm {
		return errRealm
	}
	if c.uri != r.RequestURI && !c.takeRaw(r.RequestURI) {
		return errURI
	}
	if !slices.Contains(s.offered(r.UserAgent()), c.algorithm) {
		return errNotOffered
	}
	return nil
}

// judge verifies the response, then the nonce, then uses up the triple. An unknown user takes the same steps as a wrong
// password, against a secret nobody knows.
func (s *Server) judge(c *credentials, method string) Result {
	result := Result{Name: c.name, Triple: c.Triple}
	secret := s.lookup(c.name)
	known := secret != nil && *secret != Secret{}
	if !known {
		secret = s.stranger
	}
	proof, right := secret.match(c, method)
	if !known {
		result.Outcome, result.Reason = Failed, "unknown user"
		return result
	}
	if !right {
		result.Outcome, result.Reason = Failed, "wrong response"
		return result
	}
	issued, err := s.use(c)
	if err != nil {
		result.Outcome, result.Reason = Stale, err.Error()
		return result
	}
	result.Outcome, result.proof = Verified, proof
	result.Expires = time.UnixMilli(issued + s.lifetime)
	if s.clock() >= issued+s.lifetime-s.lifetime/lastPart {
		result.NextNonce = s.newNonce()
	}
	return result
}
