// Package cert supplies the TLS certificate of the server: either an own one, read from files, or one issued by
// a local authority that is made on the first run, so that a new installation speaks TLS before anybody has
// bought or requested a certificate. Clients trust the authority's ca.pem once; the server's certificate is
// renewed below it without them noticing, also while the server runs. A certificate of a public authority may come
// to stand in front of the local one.
package cert

import (
	"crypto/tls"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A Source supplies the current certificate to a listener. It is safe for concurrent use.
type Source struct {
	current atomic.Pointer[shown] // own or local
	public  atomic.Pointer[shown] // nil unless one stands in front of the local one
	local   *issuer               // nil for an own certificate, which does not renew itself
	own     [2]string             // files of an own certificate and its key
	seen    atomic.Value          // string: their state when they were read last
	renewal sync.Mutex
}

// Files returns the source of a certificate of one's own: certFile has it, followed by the intermediate ones if
// any, and keyFile its private key, both in PEM.
func Files(certFile, keyFile string) (*Source, error) {
	s := &Source{own: [2]string{certFile, keyFile}}
	return s, s.Reload()
}

// Reload reads the files of an own certificate again. On an error the present one stays. A local certificate needs no
// such thing.
func (s *Source) Reload() error {
	if s.local != nil {
		return nil
	}
	s.seen.Store(s.state())
	next, err := readPair(s.own[0], s.own[1])
	if err != nil {
		return err
	}
	s.current.Store(show(next))
	return nil
}

// Changed reports whether the files of an own certificate are others than those that were read last.
func (s *Source) Changed() bool {
	return s.local == nil && s.seen.Load() != s.state()
}

// state returns a fingerprint of the present version of the files.
func (s *Source) state() string {
	var b strings.Builder
	for _, file := range s.own {
		info, err := os.Stat(file)
		if err != nil {
			continue // as when it is being replaced
		}
		fmt.Fprintln(&b, info.Size(), info.ModTime().UnixNano())
	}
	return b.String()
}

// Local returns the source of a certificate for names, which are DNS names and IP addresses, issued by the
// local authority whose files are in dir. Authority and certificate are made when they are absent, and reused
// otherwise. The certificate is reissued when it is damaged, lacks a name, nears its end or is not the
// authority's. The authority is never replaced, since its clients would lose their trust: it is an error when
// one of its files is missing or damaged, or when it has expired.
func Local(dir string, names []string, now func() time.Time) (*Source, error) {
	local, err := openIssuer(dir, names, now)
	if err != nil {
		return nil, err
	}
	leaf, err := local.stored()
	if errors.Is(err, errReissue) {
		leaf, err = local.issueAndStore()
	}
	if err != nil {
		return nil, err
	}
	s := &Source{local: local}
	s.current.Store(show(leaf))
	return s, nil
}

// Certificate returns the certificate for a handshake; it is made for tls.Config.GetCertificate. A local certificate
// that nears its end is renewed first. Without a handshake it is the one whose end matters most: the public one, if
// there is one.
func (s *Source) Certificate(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	if public := s.public.Load(); public != nil && public.suits(hello) {
		return public.Certificate, nil
	}
	current := s.current.Load()
	if s.local == nil || !s.local.due(current.Leaf) {
		return current.Certificate, nil
	}
	return s.renew()
}

// Names returns the DNS names and IP addresses that the present certificates carry. It is asked at most requests:
// the list is made once a certificate and must not be changed.
func (s *Source) Names() []string {
	if public := s.public.Load(); public != nil {
		return public.names
	}
	return s.current.Load().names
}

// renew issues the next local certificate, unless another handshake has just done so.
func (s *Source) renew() (*tls.Certificate, error) {
	s.renewal.Lock()
	defer s.renewal.Unlock()
	if current := s.current.Load(); !s.local.due(current.Leaf) {
		return current.Certificate, nil
	}
	next, err := s.local.issue()
	if err != nil {
		return nil, fmt.Errorf("renew certificate: %w", err)
	}
	s.current.Store(show(&next.Certificate))
	// A folder that cannot be written, or a full disk, must not stop a running server: what is not stored now is
	// issued again at the next start.
	_ = s.local.store(next)
	return &next.Certificate, nil
}
