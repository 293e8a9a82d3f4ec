//go:build full

package main_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"muster/internal/mustertest"
)

// TestNodesTokens adds, revokes and disables at one node, and looks at the
// other.
func TestNodesTokens(t *testing.T) {
	t.Parallel()
	n := newNodes(t)
	const anna = "anna@example.com"
	n.a.f.must("user", "add", anna, "--role", "technician")
	add := func(name string) string {
		return strings.TrimSpace(n.a.f.must("token", "add", "--user", anna, "--name", name))
	}
	knows := func(s *service, token string, want int) func() bool {
		return func() bool { return s.bearer(token).Get("/hardwares").Status == want }
	}
	first, second := add("first"), add("second")
	for _, token := range []string{first, second} {
		mustertest.Eventually(t, "a new token at the other node", knows(n.b, token, http.StatusOK))
	}
	late := func(token string) {
		t.Helper()
		got := n.b.bearer(token).Do("POST", "/hardwares", "<hardware><name>late</name></hardware>").Status
		if got != http.StatusForbidden && got != http.StatusUnauthorized {
			t.Errorf("a change with a dead token at the other node: got %d, want 401 or 403", got)
		}
	}
	n.a.f.must("token", "revoke", "first")
	late(first)
	mustertest.Eventually(t, "revoked at the other node", knows(n.b, first, http.StatusUnauthorized))
	n.a.f.must("user", "disable", anna)
	late(second)
	mustertest.Eventually(t, "disabled at the other node", knows(n.b, second, http.StatusUnauthorized))
	n.b.f.must("user", "enable", anna)
	mustertest.Eventually(t, "enabled at the other node", knows(n.a, second, http.StatusOK))
	if got := n.count(); got != 0 {
		t.Errorf("computers: got %d, want 0", got)
	}
}

// TestNodesToken: a token is good for any number of changes, at any node.
func TestNodesToken(t *testing.T) {
	t.Parallel()
	n := newNodes(t)
	token := strings.TrimSpace(n.a.f.must("token", "add", "--user", admin, "--name", "script"))
	mustertest.Eventually(t, "a new token at the other node",
		func() bool { return n.b.bearer(token).Get("/api").Status == http.StatusOK })
	for range 3 {
		for _, s := range n.both() {
			if got := s.bearer(token).Do("POST", "/hardwares",
				"<hardware><name>c</name></hardware>").Status; got != http.StatusCreated {
				t.Errorf("POST: got %d, want 201", got)
			}
		}
	}
	if got := n.count(); got != 6 {
		t.Errorf("computers: got %d, want 6", got)
	}
}

// TestNodesTokenWriters revokes a token at one node while clients write with it
// at the other: once the command has ended, nothing more is written.
func TestNodesTokenWriters(t *testing.T) {
	t.Parallel()
	n := newNodes(t)
	token := strings.TrimSpace(n.a.f.must("token", "add", "--user", admin, "--name", "script"))
	mustertest.Eventually(t, "a new token at the other node",
		func() bool { return n.b.bearer(token).Get("/api").Status == http.StatusOK })
	var all sync.WaitGroup
	for range 4 {
		c := n.b.bearer(token)
		all.Go(func() {
			for c.Do("POST", "/hardwares", "<hardware><name>c</name></hardware>").Status == http.StatusCreated {
			}
		})
	}
	eventually(t, "clients write", func() bool { return n.count() > 20 })
	n.a.f.must("token", "revoke", "script")
	before := n.count()
	all.Wait()
	if after := n.count(); after != before {
		t.Errorf("computers: got %d when the token was revoked and %d later, want no more", before, after)
	}
}
