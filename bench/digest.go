package main

import (
	"context"
	"crypto/md5"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"muster/bench/result"
	"muster/internal/digest"
)

// Credentials of the user that makes the requests of the benchmark.
const (
	realm    = "Muster"
	user     = "bench@localhost"
	password = "correct horse battery"
)

// digestRequests is how many requests are prepared: each is verified once, then
// the server forgets them.
const digestRequests = 4096

// digestCPU is how many microseconds authentication may take.
const digestCPU = 4

// benchDigest measures digest authentication beside the two hashes that RFC
// 7616 asks of any server.
func benchDigest(ctx context.Context, s *settings, r *result.Run) error {
	cfg, goal := digestConfig(), result.Goals{Aim: "digest", MaxCPU: digestCPU}
	nonce, err := challengeNonce(digest.New(cfg))
	if err != nil {
		return err
	}
	return fight(ctx, s, r, []duel{
		{
			name: "digest SHA-256", rival: "two bare hashes", goals: goal,
			ours: verifications(cfg, sha256Hash, nonce), theirs: bareHashes(sha256Hash, nonce),
		},
		{
			name: "digest MD5", rival: "two bare hashes", goals: goal,
			ours: verifications(cfg, md5Hash, nonce), theirs: bareHashes(md5Hash, nonce),
		},
	})
}

// digestConfig returns a configuration that knows the benchmark's user.
func digestConfig() digest.Config {
	secret := digest.NewSecret(user, realm, password)
	return digest.Config{
		Realm: realm, Key: []byte("a key of the benchmark and of nobody else"),
		Lookup: func(name string) *digest.Secret {
			if name != user {
				return nil
			}
			return secret
		},
	}
}

// challengeNonce returns a nonce of the server.
func challengeNonce(s *digest.Server) (string, error) {
	h := http.Header{}
	s.Challenge(h, "", false)
	return nonceIn(h.Get("WWW-Authenticate"))
}

// nonceIn returns the nonce of a challenge.
func nonceIn(challenge string) (string, error) {
	_, rest, _ := strings.Cut(challenge, `nonce="`)
	nonce, _, ok := strings.Cut(rest, `"`)
	if !ok {
		return "", fmt.Errorf("there is no nonce in %q", challenge)
	}
	return nonce, nil
}

// verifications returns a function that verifies one request after the other.
func verifications(cfg digest.Config, hash digestHash, nonce string) func() int {
	const target = "/hardwares.xml?per_page=250"
	signer := newSigner(hash, nonce)
	requests := make([]*http.Request, digestRequests)
	for i := range requests {
		requests[i] = &http.Request{
			Method: http.MethodGet, URL: &url.URL{Path: "/hardwares.xml"}, RequestURI: target,
			Header: http.Header{"Authorization": {string(signer.append(nil, http.MethodGet, target))}},
		}
	}
	var server *digest.Server
	next := 0
	return func() int {
		if next%len(requests) == 0 {
			server = digest.New(cfg)
		}
		request := requests[next%len(requests)]
		next++
		if result := server.Authenticate(request); result.Outcome != digest.Verified {
			panic("unreachable: a request of the benchmark was refused: " + result.Reason)
		}
		return 0
	}
}

// bareHashes returns a function that hashes what a response is made of.
func bareHashes(hash digestHash, nonce string) func() int {
	target := []byte("GET:/hardwares.xml?per_page=250")
	secret := strings.Repeat("0", 2*len(hash.sum(nil, nil)))
	text := []byte(secret + ":" + nonce + ":00000001:0a4f113b:auth:" + secret)
	space := make([]byte, 0, sha256.Size)
	return func() int {
		hash.sum(space, target)
		hash.sum(space, text)
		return 0
	}
}

// A digestHash is a hash function of digest authentication.
type digestHash struct {
	name string
	sum  func(dst, data []byte) []byte // appends the hash of data
}

var (
	sha256Hash = digestHash{"SHA-256", func(dst, data []byte) []byte {
		sum := sha256.Sum256(data)
		return append(dst, sum[:]...)
	}}
	md5Hash = digestHash{"MD5", func(dst, data []byte) []byte {
		sum := md5.Sum(data)
		return append(dst, sum[:]...)
	}}
)
