package cert

import (
	"crypto/tls"
	"errors"
	"net"
	"slices"
)

// A shown certificate is in use, with the names that it brings.
type shown struct {
	*tls.Certificate
	names []string
}

// show prepares a certificate for use.
func show(c *tls.Certificate) *shown {
	names := slices.Clone(c.Leaf.DNSNames)
	for _, ip := range c.Leaf.IPAddresses {
		names = append(names, ip.String())
	}
	return &shown{c, names}
}

// Public puts a certificate of a public authority in front of the local one, in place of an earlier one: clients
// that ask for a name of it are shown it, all others the local one as before.
func (s *Source) Public(c *tls.Certificate) error {
	if s.local == nil {
		return errors.New("an own certificate is in use already")
	}
	next := show(c)
	for _, name := range s.current.Load().names { // which stay the same when it is renewed
		if !slices.Contains(next.names, name) {
			next.names = append(next.names, name)
		}
	}
	s.public.Store(next)
	return nil
}

// Vouched reports whether a client that asks for a DNS name is shown a certificate that carries it and is not the
// local authority's.
func (s *Source) Vouched(name string) bool {
	shown := s.public.Load()
	if s.local == nil {
		shown = s.current.Load()
	}
	return shown != nil && shown.Leaf.VerifyHostname(name) == nil
}

// suits reports whether a public certificate is for a handshake, by the name that the client asks for. Clients
// that send none are old, or use an address: they get the local certificate, which has localhost, on this
// machine, and the public one from elsewhere.
func (s *shown) suits(hello *tls.ClientHelloInfo) bool {
	if hello == nil {
		return true
	}
	if hello.ServerName != "" {
		return s.Leaf.VerifyHostname(hello.ServerName) == nil
	}
	address, ok := hello.Conn.LocalAddr().(*net.TCPAddr)
	return !ok || !address.IP.IsLoopback()
}
