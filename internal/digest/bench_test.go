package digest

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"
)

func BenchmarkVerified(b *testing.B) {
	for _, algorithm := range []string{"SHA-256", "MD5"} {
		b.Run(algorithm, func(b *testing.B) { benchmark(b, Verified, func(c *call) { c.algorithm = algorithm }) })
	}
}

// BenchmarkFailed shows that an unknown user takes as long as a wrong password.
func BenchmarkFailed(b *testing.B) {
	b.Run("wrong password", func(b *testing.B) { benchmark(b, Failed, func(c *call) { c.password = "wrong" }) })
	b.Run("unknown user", func(b *testing.B) { benchmark(b, Failed, func(c *call) { c.user = "eve@example.com" }) })
}

// benchmark sends the same few requests again and again, as warm as a request that has just been read, and forgets them
// before each round.
func benchmark(b *testing.B, want Outcome, edit func(*call)) {
	s, _ := newServer(b)
	requests := prepare(s, 256, edit)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if i%len(requests) == 0 {
			s.used = newMemory(defaultMemory, s.lifetime)
		}
		if got := s.Authenticate(requests[i%len(requests)]); got.Outcome != want {
			b.Fatalf("got outcome %d (%s), want %d", got.Outcome, got.Reason, want)
		}
	}
}

func prepare(s *Server, n int, edit func(*call)) []*http.Request {
	requests := make([]*http.Request, n)
	c := newCall(s.newNonce())
	edit(&c)
	for i := range requests {
		c.nc = fmt.Sprintf("%08x", i)
		requests[i] = c.request(c.header())
	}
	return requests
}

// BenchmarkMemory measures what all cores share.
func BenchmarkMemory(b *testing.B) {
	m := newMemory(defaultMemory, defaultLifetime.Milliseconds())
	var goroutines atomic.Int64
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		t := Triple{Nonce: fmt.Sprint(goroutines.Add(1)), CNonce: "0a4f113b"}
		count := make([]byte, 8)
		for n := uint32(0); pb.Next(); n++ {
			t.NC = string(hex.AppendEncode(count[:0], binary.BigEndian.AppendUint32(nil, n)))
			if err := m.add(t, max(1_000_000+int64(n/1000), m.floor()), 0); err != nil && err != errExpired {
				b.Error(err)
			}
		}
	})
}

func BenchmarkInform(b *testing.B) {
	s, _ := newServer(b)
	result := newCall(s.newNonce()).send(s)
	h := make(http.Header)
	b.ReportAllocs()
	for b.Loop() {
		s.Inform(h, result)
	}
}

func BenchmarkChallenge(b *testing.B) {
	s, _ := newServer(b, func(c *Config) { c.Now = time.Now })
	b.ReportAllocs()
	for b.Loop() {
		s.Challenge(make(http.Header), "test", false)
	}
}
