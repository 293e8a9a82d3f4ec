package digest

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"hash"
	"hash/maphash"
	"strings"
	"sync"
	"sync/atomic"
)

// A nonce is base64url of its time in Unix milliseconds, random bytes that make it unique, and a truncated HMAC-SHA-256
// of both.
const (
	nonceTime   = 6
	nonceRandom = 8
	nonceMAC    = 16
	nonceSize   = nonceTime + nonceRandom + nonceMAC
)

// tolerance is how far, in milliseconds, the clock of another node may be ahead of ours.
const tolerance = 30_000

// lastPart is the fraction of a nonce's life, at its end, in which the client is given the next one.
const lastPart = 5

var (
	errForeign = errors.New("not a nonce of ours")
	errExpired = errors.New("the nonce has expired")
	errFuture  = errors.New("the nonce is from the future")
	errUsed    = errors.New("the response was used before")
)

// clock returns the time for nonces in Unix milliseconds. It never falls behind what the memory has
// forgotten, even when the machine's clock is set back: what we hand out must be good.
func (s *Server) clock() int64 {
	return max(s.now().UnixMilli(), s.used.floor())
}

func (s *Server) newNonce() string {
	return s.signer.sign(s.clock())
}

// use checks the nonce of a right response and uses up its triple. It returns the time of the nonce. Every error means
// that the response is stale.
func (s *Server) use(c *credentials) (issued int64, err error) {
	issued, err = s.signer.read(c.Nonce)
	if err != nil {
		return 0, err
	}
	now := s.clock()
	if now-issued >= s.lifetime {
		return 0, errExpired
	}
	if issued-now > tolerance {
		return 0, errFuture
	}
	return issued, s.used.add(c.Triple, issued, now-s.lifetime)
}

// A signer makes nonces and knows its own.
type signer struct {
	macs sync.Pool
	seed maphash.Seed
	seen [keptNonces]atomic.Pointer[seenNonce] // at a place given by its hash
}

// keptNonces is how many nonces are kept for which the signature was right.
const keptNonces = 1024

// A seenNonce is one that came before: a client sends the same one with many requests.
type seenNonce struct {
	text   string
	issued int64
}

func newSigner(key []byte) *signer {
	own := append([]byte(nil), key...)
	return &signer{macs: sync.Pool{New: func() any { return hmac.New(sha256.New, own) }}, seed: maphash.MakeSeed()}
}

// mac appends the signature of data.
func (s *signer) mac(dst, data []byte) []byte {
	h := s.macs.Get().(hash.Hash)
	defer s.macs.Put(h)
	h.Reset()
	h.Write(data)
	return h.Sum(dst)[:len(dst)+nonceMAC]
}

func (s *signer) sign(issued int64) string {
	nonce := make([]byte, 0, nonceTime+nonceRandom+sha256.Size)
	for shift := 8 * (nonceTime - 1); shift >= 0; shift -= 8 {
		nonce = append(nonce, byte(issued>>shift))
	}
	nonce = nonce[:nonceTime+nonceRandom]
	rand.Read(nonce[nonceTime:])
	return base64.RawURLEncoding.EncodeToString(s.mac(nonce, nonce))
}

// read returns the time of a nonce, or errForeign.
func (s *signer) read(nonce string) (issued int64, err error) {
	place := &s.seen[maphash.String(s.seed, nonce)%keptNonces]
	if known := place.Load(); known != nil && known.text == nonce {
		return known.issued, nil
	}
	if issued, err = s.verify(nonce); err == nil {
		place.Store(&seenNonce{strings.Clone(nonce), issued})
	}
	return issued, err
}

// verify returns the time of a nonce whose signature is ours, or errForeign.
func (s *signer) verify(nonce string) (issued int64, err error) {
	if len(nonce) != base64.RawURLEncoding.EncodedLen(nonceSize) {
		return 0, errForeign
	}
	raw := make([]byte, 0, nonceSize)
	raw, err = base64.RawURLEncoding.AppendDecode(raw, []byte(nonce))
	if err != nil || len(raw) != nonceSize {
		return 0, errForeign
	}
	data := raw[:nonceTime+nonceRandom]
	if !hmac.Equal(raw[len(data):], s.mac(make([]byte, 0, sha256.Size), data)) {
		return 0, errForeign
	}
	for _, b := range data[:nonceTime] {
		issued = issued<<8 | int64(b)
	}
	return issued, nil
}
