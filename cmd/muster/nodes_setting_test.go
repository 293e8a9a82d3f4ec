//go:build full

package main_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"muster/internal/mustertest"
)

// TestNodesSettings changes settings at one node, and looks at the other.
func TestNodesSettings(t *testing.T) {
	t.Parallel()
	n := newNodes(t)
	c := n.admin(n.b)
	for _, size := range []string{"7", "9"} {
		n.a.f.must("setting", "set", "page-size", size)
		mustertest.Eventually(t, "the page size at the other node", func() bool {
			return c.Get("/hardwares").Header.Get("X-Per-Page") == size
		})
		if got := n.admin(n.a).Get("/hardwares").Header.Get("X-Per-Page"); got != size {
			t.Errorf("the page size at the node itself: got %s, want %s at once", got, size)
		}
	}
	n.a.f.must("setting", "set", "statuses", "Lent")
	if got := c.Do("POST", "/hardwares",
		"<hardware><name>c</name><status>lent</status></hardware>").Status; got != http.StatusCreated {
		t.Errorf("an added status at the other node: got %d, want 201 at once", got)
	}
}

// TestNodesStatuses takes a status away at one node while clients give it to
// computers at the other: no computer is left with a status that is not there.
func TestNodesStatuses(t *testing.T) {
	t.Parallel()
	n := newNodes(t)
	for range 5 {
		n.a.f.must("setting", "set", "statuses", "Lent")
		start, done := make(chan struct{}), make(chan struct{})
		var all sync.WaitGroup
		for i := range 4 {
			c := n.admin(n.both()[i%2])
			all.Go(func() {
				<-start
				for {
					select {
					case <-done:
						return
					default:
					}
					made := c.Do("POST", "/hardwares", "<hardware><name>c</name><status>Lent</status></hardware>")
					if made.Status != http.StatusCreated {
						return
					}
					at := strings.TrimPrefix(made.Header.Get("Location"), "https://assets.example")
					if got := c.Do("DELETE", at, "").Status; got != http.StatusOK {
						t.Errorf("DELETE %s: got %d, want 200", at, got)
					}
				}
			})
		}
		close(start)
		removed := n.a.f.run("setting", "set", "statuses", "").status == 0
		if lent := n.computers("status = 'Lent'"); removed && lent != 0 {
			t.Errorf("the status was taken away: got %d computers with it, want none", lent)
		}
		close(done)
		all.Wait()
	}
}
