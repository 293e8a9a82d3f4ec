package digest

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestReplay sends requests one after another on one nonce. Only a triple that was verified before is refused.
func TestReplay(t *testing.T) {
	tests := []struct {
		name string
		edit func(*call)
		want Outcome
	}{
		{"first", func(c *call) {}, Verified},
		{"again", func(c *call) {}, Stale},
		{"next nc", func(c *call) { c.nc = "00000002" }, Verified},
		{"nc far ahead", func(c *call) { c.nc = "00000100" }, Verified},
		{"nc behind", func(c *call) { c.nc = "00000003" }, Verified},
		{"nc behind, again", func(c *call) { c.nc = "00000003" }, Stale},
		{"another cnonce", func(c *call) { c.cnonce = "b" }, Verified},
		{"nc 0", func(c *call) { c.nc = "0" }, Verified},
		{"nc 0, another cnonce", func(c *call) { c.nc, c.cnonce = "0", "b" }, Verified},
		{"nc 0, again", func(c *call) { c.nc = "0" }, Stale},
		{"used, other target and method", func(c *call) { c.method, c.target = "PUT", "/computers/1.xml" }, Stale},
		{"used, other algorithm", func(c *call) { c.algorithm = "MD5" }, Stale},
		{"used, wrong password", func(c *call) { c.password = "wrong" }, Failed},
		{"wrong password", func(c *call) { c.password, c.nc = "wrong", "00000005" }, Failed},
		{"right after wrong", func(c *call) { c.nc = "00000005" }, Verified},
	}
	s, _ := newServer(t)
	nonce := freshNonce(t, s)
	for _, test := range tests {
		c := newCall(nonce)
		test.edit(&c)
		if got := c.send(s); got.Outcome != test.want {
			t.Errorf("%s: got outcome %d (%s), want %d", test.name, got.Outcome, got.Reason, test.want)
		}
	}
}

func TestReplayInParallel(t *testing.T) {
	s, _ := newServer(t)
	c := newCall(freshNonce(t, s))
	header := c.header()
	var verified, stale atomic.Int32
	var all sync.WaitGroup
	start := make(chan struct{})
	for range 50 {
		all.Go(func() {
			<-start
			switch s.Authenticate(c.request(header)).Outcome {
			case Verified:
				verified.Add(1)
			case Stale:
				stale.Add(1)
			}
		})
	}
	close(start)
	all.Wait()
	if verified.Load() != 1 || stale.Load() != 49 {
		t.Errorf("got %d verified and %d stale, want 1 and 49", verified.Load(), stale.Load())
	}
}

// TestParallelClients mixes clients, a moving clock and a small memory, for the race detector. A client that is told
// stale takes a new nonce, and must then be let in soon.
func TestParallelClients(t *testing.T) {
	s, clock := newServer(t, func(c *Config) { c.Memory = 100 * entrySize })
	var all sync.WaitGroup
	for client := range 8 {
		all.Go(func() {
			c := newCall(s.newNonce())
			c.cnonce = fmt.Sprint(client)
			misses := 0
			for i := range 500 {
				c.nc = fmt.Sprintf("%08x", i)
				switch got := c.send(s); got.Outcome {
				case Verified:
					misses = 0
				case Stale:
					misses++
					c.nonce = s.newNonce()
				default:
					t.Errorf("got outcome %d (%s)", got.Outcome, got.Reason)
				}
				if misses > 20 {
					t.Errorf("client %d was told stale %d times running", client, misses)
					return
				}
				clock.advance(100 * time.Millisecond)
			}
		})
	}
	all.Wait()
}

// TestFullMemory fills a memory of ten triples. The oldest nonces must become stale, and no triple be accepted twice.
func TestFullMemory(t *testing.T) {
	s, clock := newServer(t, func(c *Config) { c.Memory = 10 * entrySize })
	unused := newCall(freshNonce(t, s))
	unused.nc = "0000ffff"
	var sent []call
	for i := range 30 {
		c := newCall(freshNonce(t, s))
		if got := c.send(s); got.Outcome != Verified {
			t.Fatalf("request %d: got outcome %d (%s), want verified", i, got.Outcome, got.Reason)
		}
		sent = append(sent, c)
		if n := s.used.n; n > 10 {
			t.Fatalf("request %d: got %d triples in memory, want at most 10", i, n)
		}
		clock.advance(6 * time.Second)
	}
	for i, c := range sent {
		if got := c.send(s); got.Outcome != Stale {
			t.Errorf("triple %d again: got outcome %d, want stale", i, got.Outcome)
		}
	}
	if got := unused.send(s); got.Outcome != Stale {
		t.Errorf("an old nonce, never used: got outcome %d, want stale", got.Outcome)
	}
	last := sent[len(sent)-1]
	last.nc = "00000002"
	if got := last.send(s); got.Outcome != Verified {
		t.Errorf("a recent nonce: got outcome %d (%s), want verified", got.Outcome, got.Reason)
	}
}

// TestForgottenInAnyOrder uses a later nonce before an earlier one, in one slot, and lets the memory forget both.
func TestForgottenInAnyOrder(t *testing.T) {
	s, clock := newServer(t, func(c *Config) { c.Memory = 2 * entrySize })
	early := newCall(freshNonce(t, s))
	clock.advance(time.Second)
	late := newCall(freshNonce(t, s))
	late.send(s)
	early.send(s)
	clock.advance(time.Minute)
	newCall(freshNonce(t, s)).send(s)
	for name, c := range map[string]call{"early": early, "late": late} {
		if got := c.send(s); got.Outcome != Stale {
			t.Errorf("the %s triple again: got outcome %d, want stale", name, got.Outcome)
		}
	}
}

// TestFullWithinOneMoment fills the memory while the clock stands still: new nonces must work all the same.
func TestFullWithinOneMoment(t *testing.T) {
	for _, memory := range []int{1, 10 * entrySize} {
		s, _ := newServer(t, func(c *Config) { c.Memory = memory })
		for i := range 100 {
			c := newCall(freshNonce(t, s))
			if got := c.send(s); got.Outcome != Verified {
				t.Fatalf("memory %d, request %d: got outcome %d (%s), want verified", memory, i, got.Outcome,
					got.Reason)
			}
			if got := c.send(s); got.Outcome != Stale {
				t.Fatalf("memory %d, request %d again: got outcome %d, want stale", memory, i, got.Outcome)
			}
		}
	}
}

func TestMemoryIsFreed(t *testing.T) {
	s, clock := newServer(t)
	for range 1000 {
		newCall(freshNonce(t, s)).send(s)
		clock.advance(100 * time.Millisecond)
	}
	if s.used.n != 1000 {
		t.Errorf("got %d triples in memory, want 1000", s.used.n)
	}
	clock.advance(6 * time.Minute)
	newCall(freshNonce(t, s)).send(s)
	if s.used.n != 1 || len(s.used.slots) != 1 {
		t.Errorf("got %d triples in %d slots after all have expired, want the last alone", s.used.n, len(s.used.slots))
	}
}

// TestOnlyVerifiedTriplesAreKept sees that nobody can fill the memory without a password.
func TestOnlyVerifiedTriplesAreKept(t *testing.T) {
	s, _ := newServer(t)
	for _, edit := range []func(*call){
		func(c *call) { c.password = "wrong" },
		func(c *call) { c.user = "eve@example.com" },
		func(c *call) { c.nonce = "abc" },
		func(c *call) { c.nc = "x" },
		func(c *call) { c.nonce = "" },
	} {
		c := newCall(freshNonce(t, s))
		edit(&c)
		c.send(s)
	}
	if s.used.n != 0 || len(s.used.slots) != 0 {
		t.Errorf("got %d triples in memory, want none", s.used.n)
	}
}

// TestDefaultMemory: by default, used triples take 64 MB.
func TestDefaultMemory(t *testing.T) {
	if s, _ := newServer(t); s.used.max != 64<<20/entrySize {
		t.Errorf("got room for %d triples, want %d", s.used.max, 64<<20/entrySize)
	}
}

// TestMemoryBound measures what a full memory takes, at several sizes since sets grow in steps.
func TestMemoryBound(t *testing.T) {
	for _, size := range []int{512 << 10, 768 << 10, 1 << 20, 3 << 19} {
		before := heap()
		m := newMemory(size, 300_000)
		for i := range 2 * size / entrySize {
			issued := int64(1_000_000 + i%300_000)
			if issued < m.floor() {
				issued = m.floor()
			}
			m.add(Triple{Nonce: fmt.Sprint(i)}, issued, 0)
		}
		if got := int(heap() - before); got > size {
			t.Errorf("memory of %d bytes with %d triples: got %d bytes", size, m.n, got)
		}
		runtime.KeepAlive(m)
	}
}

func heap() int64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
