package api

import (
	"net/http"
	"net/netip"
	"strings"
)

// secure tells browsers to reach this host by HTTPS alone from now on, so that nobody on the way can talk them into
// less. They apply it to every port of the host: it is told of full names alone, not of localhost and addresses, where
// people develop other things. It is told over HTTPS with a certificate that others than the local authority vouch
// for, the server's or that of a trusted proxy.
func (a *API) secure(h http.Header, r *http.Request) {
	v := visitOf(r)
	if a.HSTS == "" || v.Scheme != "https" {
		return
	}
	name, _ := hostName(r.Host) // which was checked
	if fullName(name) && (v.Proxied || a.Vouched(name)) {
		h.Set("Strict-Transport-Security", a.HSTS)
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
