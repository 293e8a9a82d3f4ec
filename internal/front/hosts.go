package front

import (
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Hosts are the names under which a server is reached.
type Hosts struct {
	BaseURL *url.URL               // of all addresses; nil takes the request's
	Allowed []string               // further names and addresses under which the server is reached
	Carried func() []string        // names and addresses that the certificate carries
	Vouched func(name string) bool // whether another than the local authority vouches for a name
	HSTS    string                 // what Strict-Transport-Security says, "" for nothing
}

// Check refuses hosts that are not served: addresses in answers are made of the
// host.
func (h *Hosts) Check(r *http.Request) error {
	if name, ok := hostName(r.Host); ok && h.serves(name) {
		return nil
	}
	return Fault(http.StatusMisdirectedRequest,
		"the host %q is not served here; an administrator may allow it with --allow-host", r.Host)
}

// Base returns the address that those in answers begin with. The request's host
// was checked.
func (h *Hosts) Base(r *http.Request) string {
	if h.BaseURL != nil {
		return strings.TrimSuffix(h.BaseURL.String(), "/")
	}
	return Of(r).Scheme + "://" + r.Host
}

// hostName returns the name or address in a Host header, in lower case. What
// could not be part of an address is not ok.
func hostName(host string) (name string, ok bool) {
	name, port, _ := strings.Cut(host, ":")
	if rest, bracket := strings.CutPrefix(host, "["); bracket {
		var closed bool
		name, port, closed = strings.Cut(rest, "]")
		ip, err := netip.ParseAddr(name)
		if !closed || err != nil || !ip.Is6() || ip.Zone() != "" || port != "" && port[0] != ':' {
			return "", false
		}
		port = strings.TrimPrefix(port, ":")
	}
	_, err := strconv.ParseUint(port, 10, 16)
	return strings.ToLower(name), port == "" || err == nil
}

// serves reports whether a host, without its port, is one of this server.
func (h *Hosts) serves(name string) bool {
	if name == "localhost" {
		return true
	}
	if ip, err := netip.ParseAddr(name); err == nil && ip.IsLoopback() {
		return true
	}
	if h.BaseURL != nil && name == strings.ToLower(h.BaseURL.Hostname()) {
		return true
	}
	own := func(own string) bool { return matchesHost(own, name) }
	return slices.ContainsFunc(h.Allowed, own) || slices.ContainsFunc(h.Carried(), own)
}

// matchesHost reports whether a name of a certificate covers the host.
func matchesHost(name, host string) bool {
	if suffix, ok := strings.CutPrefix(name, "*."); ok {
		_, rest, found := strings.Cut(host, ".")
		return found && strings.EqualFold(rest, suffix)
	}
	return strings.EqualFold(name, host)
}

// Secure sets the HSTS header, so that browsers use nothing but HTTPS for this host
// from now on. Browsers apply it to every port of the host, so it is sent for full
// names only, not for localhost and addresses, where people develop other things. It is
// sent over HTTPS with a certificate of a public authority, the server's or that of a
// trusted proxy, not with one of the local authority.
func (h *Hosts) Secure(header http.Header, r *http.Request) {
	v := Of(r)
	if h.HSTS == "" || v.Scheme != "https" {
		return
	}
	name, _ := hostName(r.Host) // which was checked
	if fullName(name) && (v.Proxied || h.Vouched(name)) {
		header.Set("Strict-Transport-Security", h.HSTS)
	}
}

// fullName reports whether a host is a name of more than this machine or its network.
func fullName(host string) bool {
	if !strings.Contains(host, ".") || strings.HasSuffix(host, ".localhost") {
		return false
	}
	_, err := netip.ParseAddr(host)
	return err != nil
}
