package front

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// origin sets the request to what its client sent: behind a trusted proxy the
// forwarded headers have the client's address, and the scheme and host that it asked
// for. From anyone else they are ignored. It returns the scheme, and whether a proxy
// forwarded it.
func (f *Front) origin(r *http.Request) (scheme string, proxied bool) {
	scheme = "http"
	if r.TLS != nil {
		scheme = "https"
	}
	if len(f.Proxies) == 0 {
		return scheme, false
	}
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !f.trusts(peer.Addr()) {
		return scheme, false
	}
	if client := f.forwardedFor(r.Header); client.IsValid() {
		r.RemoteAddr = net.JoinHostPort(client.String(), "0")
	}
	if proto := strings.ToLower(r.Header.Get("X-Forwarded-Proto")); proto == "http" || proto == "https" {
		scheme, proxied = proto, true
	}
	if host := r.Header.Get("X-Forwarded-Host"); host != "" {
		r.Host = host
	}
	return scheme, proxied
}

// forwardedFor returns the client's address: the last one on the way here that
// is not itself a trusted proxy's.
func (f *Front) forwardedFor(h http.Header) (client netip.Addr) {
	hops := strings.Split(strings.Join(h.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		address, err := netip.ParseAddr(strings.TrimSpace(hop))
		if err != nil {
			return client
		}
		if client = address; !f.trusts(client) {
			return client
		}
	}
	return client
}

// trusts reports whether forwarded headers from an address count.
func (f *Front) trusts(address netip.Addr) bool {
	return slices.ContainsFunc(f.Proxies, func(p netip.Prefix) bool { return p.Contains(address.Unmap()) })
}

// Counted returns the network that the requests of a peer are counted for. Behind a
// trusted proxy that is the client's, from the header if it has come yet. A trusted
// proxy itself is not limited.
func (f *Front) Counted(peer netip.Addr, h http.Header) (from netip.Prefix, counts bool) {
	client := peer
	if f.trusts(peer) {
		client = f.forwardedFor(h)
	}
	return network(client), client.IsValid() && !f.trusts(client)
}
