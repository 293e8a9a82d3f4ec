package digest

import (
	"errors"
	"testing"
	"time"
)

func TestNonceLife(t *testing.T) {
	tests := []struct {
		name     string
		lifetime time.Duration
		advance  time.Duration
		want     Outcome
		next     bool
	}{
		{"at once", 0, 0, Verified, false},
		{"after 3 minutes", 0, 3 * time.Minute, Verified, false},
		{"shortly before the end", 0, 4*time.Minute + 30*time.Second, Verified, true},
		{"in the last moment", 0, 5*time.Minute - time.Millisecond, Verified, true},
		{"at the end", 0, 5 * time.Minute, Stale, false},
		{"a day later", 0, 24 * time.Hour, Stale, false},
		{"a short life", time.Second, time.Second, Stale, false},
		{"a long life", time.Hour, 30 * time.Minute, Verified, false},
		{"a clock a little behind", 0, -20 * time.Second, Verified, false},
		{"from the future", 0, -time.Minute, Stale, false},
	}
	for _, test := range tests {
		s, clock := newServer(t, func(c *Config) { c.Lifetime = test.lifetime })
		c := newCall(freshNonce(t, s))
		clock.advance(test.advance)
		got := c.send(s)
		if got.Outcome != test.want || (got.NextNonce != "") != test.next {
			t.Errorf("%s: got outcome %d (%s), next nonce %q, want %d, %t",
				test.name, got.Outcome, got.Reason, got.NextNonce, test.want, test.next)
		}
		wrong := newCall(c.nonce)
		wrong.password = "wrong"
		if got := wrong.send(s); got.Outcome != Failed {
			t.Errorf("%s: a wrong password got outcome %d (%s), want a failure and never stale", test.name,
				got.Outcome, got.Reason)
		}
	}
}

func TestNextNonceWorks(t *testing.T) {
	s, clock := newServer(t)
	c := newCall(freshNonce(t, s))
	clock.advance(5*time.Minute - time.Second)
	next := newCall(c.send(s).NextNonce)
	clock.advance(4 * time.Minute)
	if got := next.send(s); got.Outcome != Verified {
		t.Errorf("got outcome %d (%s), want the next nonce to work for a life of its own", got.Outcome, got.Reason)
	}
}

func TestNodesShareNonces(t *testing.T) {
	a, _ := newServer(t)
	b, _ := newServer(t)
	stranger, _ := newServer(t, func(c *Config) { c.Key = []byte("fedcba9876543210fedcba9876543210") })
	c := newCall(freshNonce(t, a))
	if got := c.send(b); got.Outcome != Verified {
		t.Errorf("a node with the same key: got outcome %d (%s), want verified", got.Outcome, got.Reason)
	}
	if got := c.send(stranger); got.Outcome != Stale {
		t.Errorf("a node with another key: got outcome %d (%s), want stale", got.Outcome, got.Reason)
	}
}

func TestNoncesAreUniqueAndCompact(t *testing.T) {
	s, _ := newServer(t)
	seen := make(map[string]bool)
	for range 10_000 {
		nonce := freshNonce(t, s)
		if seen[nonce] || len(nonce) > 44 {
			t.Fatalf("got nonce %q, want a new one of at most 44 characters", nonce)
		}
		seen[nonce] = true
	}
}

// TestSeenNonces sees that nonces are known when they come again, however many there are, and that nothing is known for
// being like one that came before.
func TestSeenNonces(t *testing.T) {
	s, _ := newServer(t)
	nonces := make([]string, 3*keptNonces)
	for i := range nonces {
		nonces[i] = s.signer.sign(int64(i))
	}
	for range 2 {
		for i, nonce := range nonces {
			if issued, err := s.signer.read(nonce); err != nil || issued != int64(i) {
				t.Fatalf("nonce %d: got the time %d, error %v", i, issued, err)
			}
			at := i % len(nonce)
			letter := map[bool]string{true: "B", false: "A"}[nonce[at] == 'A']
			if _, err := s.signer.read(nonce[:at] + letter + nonce[at+1:]); !errors.Is(err, errForeign) {
				t.Fatalf("nonce %d with another letter at %d: got error %v, want a foreign one", i, at, err)
			}
		}
	}
}

// TestClockSetBack sees that a clock set back neither revives what was forgotten nor locks clients out.
func TestClockSetBack(t *testing.T) {
	s, clock := newServer(t)
	old := newCall(freshNonce(t, s))
	old.send(s)
	clock.advance(10 * time.Minute)
	newCall(freshNonce(t, s)).send(s) // makes the memory forget the old triple
	clock.advance(-10 * time.Minute)
	if got := old.send(s); got.Outcome != Stale {
		t.Errorf("the old triple: got outcome %d, want stale", got.Outcome)
	}
	clock.advance(-24 * time.Hour)
	for range 3 {
		if got := newCall(freshNonce(t, s)).send(s); got.Outcome != Verified {
			t.Errorf("a new nonce: got outcome %d (%s), want verified", got.Outcome, got.Reason)
		}
	}
}
