package acme

import (
	"context"
	"crypto/tls"
	"fmt"
	"net/http"
	"slices"

	rfc8555 "golang.org/x/crypto/acme"

	"muster/internal/kind"
)

// Sorts of challenges: the answer is a certificate in a handshake, or a text at a path of port 80.
const (
	byTLS  = "tls-alpn-01"
	byHTTP = "http-01"
)

// answer prepares the answer to a challenge, asks the authority to check it, and returns how to withdraw it.
func (m *Manager) answer(ctx context.Context, client *rfc8555.Client,
	a *rfc8555.Authorization) (withdraw func(), err error) {
	sort := byTLS
	if m.Plain {
		sort = byHTTP
	}
	at := slices.IndexFunc(a.Challenges, func(c *rfc8555.Challenge) bool { return c.Type == sort })
	if at < 0 {
		return nil, fmt.Errorf("the authority does not offer the challenge %s", sort)
	}
	place, answer, err := prepare(client, a.Challenges[at], a.Identifier.Value)
	if err != nil {
		return nil, err
	}
	m.answers.Store(place, answer)
	withdraw = func() { m.answers.Delete(place) }
	if _, err := client.Accept(ctx, a.Challenges[at]); err != nil {
		withdraw()
		return nil, err
	}
	return withdraw, nil
}

// prepare returns the answer to a challenge, and the name or path for which it is given.
func prepare(client *rfc8555.Client, c *rfc8555.Challenge, name string) (place string, answer any, err error) {
	if c.Type == byHTTP {
		text, err := client.HTTP01ChallengeResponse(c.Token)
		return client.HTTP01ChallengePath(c.Token), text, err
	}
	proof, err := client.TLSALPN01ChallengeCert(c.Token, name)
	return name, &proof, err
}

// Answer makes a listener of the source's certificate answer challenges in handshakes.
func (m *Manager) Answer(config *tls.Config) {
	config.NextProtos = []string{"h2", "http/1.1", rfc8555.ALPNProto}
	config.GetCertificate = func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
		if !slices.Equal(hello.SupportedProtos, []string{rfc8555.ALPNProto}) {
			return m.source.Certificate(hello)
		}
		answer, _ := m.answers.Load(hello.ServerName)
		if proof, ok := answer.(*tls.Certificate); ok {
			return proof, nil
		}
		return nil, fmt.Errorf("no challenge is open for %q", hello.ServerName)
	}
}

// ServeHTTP answers challenges on the plain port, and nothing else. It does not redirect to HTTPS: a script
// with the wrong address would then work, and send its password in plain text each time.
func (m *Manager) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	answer, _ := m.answers.Load(r.URL.Path)
	if text, ok := answer.(string); ok {
		w.Header().Set("Content-Type", "application/octet-stream")
		_, _ = w.Write([]byte(text)) // the authority may be gone
		return
	}
	w.Header().Set("Content-Type", "application/xml; charset=utf-8")
	w.WriteHeader(http.StatusForbidden)
	// the client may be gone
	_, _ = w.Write(kind.AppendErrors(nil, kind.XML, []string{"plain HTTP is not served here; use " + m.Address}))
}
