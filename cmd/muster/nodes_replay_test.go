//go:build full

package main_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/icholy/digest"

	"muster/internal/mustertest"
)

// challenge returns a challenge of a node.
func (n *nodes) challenge(s *service) *digest.Challenge {
	n.t.Helper()
	c, err := digest.FindChallenge(s.client("", "").Get("/api").Header)
	if err != nil {
		n.t.Fatalf("the challenge: %v", err)
	}
	return c
}

// sign returns the header that proves one request of the administrator.
func (n *nodes) sign(c *digest.Challenge, method, target string, count int) string {
	n.t.Helper()
	credentials, err := digest.Digest(c,
		digest.Options{Method: method, URI: target, Count: count, Username: admin, Password: n.password})
	if err != nil {
		n.t.Fatalf("sign %s %s: %v", method, target, err)
	}
	return credentials.String()
}

// isStale reports whether an answer asks for the same request with another
// nonce.
func isStale(r *mustertest.Response) bool {
	return r.Status == http.StatusUnauthorized && strings.Contains(r.Header.Get("WWW-Authenticate"), "stale=true") &&
		r.Header.Get("Authentication-Info") == ""
}

// TestNodesReplay sends what one node has carried out to the other.
func TestNodesReplay(t *testing.T) {
	t.Parallel()
	n := newNodes(t)
	setup := n.admin(n.a)
	for range 3 {
		setup.Do("POST", "/hardwares", "<hardware><name>c</name></hardware>")
	}
	tests := []struct {
		what, method, target, body string
		header                     []string
		status                     int
	}{
		{"a creation", "POST", "/hardwares", "<hardware><name>new</name></hardware>", nil, 201},
		{"a creation under a key", "POST", "/hardwares", "<hardware><name>once</name></hardware>", []string{
			"Idempotency-Key", "k",
		}, 201},
		{"a repeated creation", "POST", "/hardwares", "<hardware><name>once</name></hardware>", []string{
			"Idempotency-Key", "k",
		}, 201},
		{"a change", "PUT", "/hardwares/1", "<hardware><tag>x</tag></hardware>", nil, 200},
		{"a change that changes nothing", "PUT", "/hardwares/1", "<hardware><tag>x</tag></hardware>", nil, 200},
		{"a conditional change", "PUT", "/hardwares/1", "<hardware><tag>y</tag></hardware>", []string{
			"If-Match", "*",
		}, 200},
		{"a deletion", "DELETE", "/hardwares/2", "", nil, 200},
	}
	challenge := n.challenge(n.a) // whose nonce is valid at both
	var signed []string
	for i, test := range tests {
		signed = append(signed, n.sign(challenge, test.method, test.target, i+1))
		header := append([]string{"Authorization", signed[i]}, test.header...)
		send := func(s *service) *mustertest.Response {
			return s.client("", "").Do(test.method, test.target, test.body, header...)
		}
		if got := send(n.both()[i%2]); got.Status != test.status {
			t.Fatalf("%s: got %d %s, want %d", test.what, got.Status, got.Body, test.status)
		}
		audits := n.audits()
		for _, s := range []*service{n.both()[(i+1)%2], n.both()[i%2]} {
			if got := send(s); !isStale(got) {
				t.Errorf("%s, sent again: got %d %s %v, want 401 with stale=true", test.what, got.Status, got.Body,
					got.Header)
			}
		}
		if got := n.audits(); got != audits {
			t.Errorf("%s, sent again: got %d more audit records, want none", test.what, got-audits)
		}
	}
	n.a.kill()
	again := n.a.f.serve()
	if got := again.client("", "").Do("POST", "/hardwares", tests[0].body, "Authorization", signed[0]); !isStale(got) {
		t.Errorf("sent again after a restart: got %d %s, want 401 with stale=true", got.Status, got.Body)
	}
	if got := n.count(); got != 4 {
		t.Errorf("computers: got %d, want 4", got)
	}
}

// TestNodesReplayAllowed: reading may be repeated at another node, and what was
// refused has not used up its proof there.
func TestNodesReplayAllowed(t *testing.T) {
	t.Parallel()
	n := newNodes(t)
	n.admin(n.a).Do("POST", "/hardwares", "<hardware><name>c</name></hardware>")
	challenge := n.challenge(n.b)
	for i, test := range []struct {
		method, target, body, match string
		status                      int
	}{
		{"GET", "/hardwares/1", "", "", 200},
		{"HEAD", "/hardwares", "", "", 200},
		{"POST", "/hardwares", "<hardware/>", "", 422},
		{"PUT", "/hardwares/1", "<hardware><tag>x</tag></hardware>", `"none"`, 412},
		{"DELETE", "/hardwares/9", "", "", 404},
	} {
		header := []string{"Authorization", n.sign(challenge, test.method, test.target, i+1)}
		if test.match != "" {
			header = append(header, "If-Match", test.match)
		}
		for _, s := range n.both() {
			if got := s.client("", "").Do(test.method, test.target, test.body, header...); got.Status != test.status {
				t.Errorf("%s %s: got %d %s, want %d at each node", test.method, test.target, got.Status, got.Body,
					test.status)
			}
		}
	}
}

// TestNodesReplayTogether sends one request to both nodes at the same moment,
// several times: one is carried out.
func TestNodesReplayTogether(t *testing.T) {
	t.Parallel()
	const rounds = 20
	n := newNodes(t)
	clients := []*mustertest.Client{n.a.client("", ""), n.b.client("", "")}
	challenge := n.challenge(n.a)
	for round := range rounds {
		header := n.sign(challenge, "POST", "/hardwares", round+1)
		answers := make([]*mustertest.Response, len(clients))
		var all sync.WaitGroup
		for i, c := range clients {
			all.Go(func() {
				answers[i] = c.Do("POST", "/hardwares", "<hardware><name>one</name></hardware>", "Authorization",
					header)
			})
		}
		all.Wait()
		made := 0
		for _, r := range answers {
			if r.Status == http.StatusCreated {
				made++
			} else if !isStale(r) {
				t.Errorf("got %d %s, want 201, or 401 with stale=true", r.Status, r.Body)
			}
		}
		if made != 1 {
			t.Errorf("carried out %d times, want once", made)
		}
	}
	if got := n.count(); got != rounds {
		t.Errorf("computers: got %d, want %d", got, rounds)
	}
}
