package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"muster/internal/agentsetup"
	"muster/internal/cert"
)

// agentPath is where agents of all sorts send their reports: the path that those
// of OCS Inventory and FusionInventory know.
const agentPath = "/ocsinventory"

// usualPort is the default port of a server.
const usualPort = "8443"

// accessPath is the path on the socket where a running server returns its access.
const accessPath = "/access"

// An accessQuestion asks for it.
type accessQuestion struct {
	URL string // by which people say that agents reach the server, "" if they do not
}

// Access returns where agents reach the server of the installation, by a URL
// that is given or else as the running server says. Without one it is a guess.
func (p *Place) Access(ctx context.Context, given string) (*agentsetup.Access, error) {
	u, err := parseBase(given)
	if err != nil {
		return nil, fmt.Errorf("--url: %w", err)
	}
	a, err := ask[agentsetup.Access](ctx, p, accessPath, accessQuestion{given})
	if !errors.Is(err, errNoServer) {
		return a, err
	}
	a = &agentsetup.Access{}
	if u == nil {
		u = &url.URL{Scheme: "https", Host: net.JoinHostPort(reachable(cert.MachineNames()), usualPort)}
		a.Note("No running server could be asked, so the address is a guess: give the right one with --url if it is another.")
	}
	a.URL = reportURL(u)
	if _, err := os.Stat(p.authority()); err == nil && u.Scheme == "https" {
		a.CA = p.authority()
	}
	return a, nil
}

// access returns how agents reach the server. It returns an error if the given address
// cannot be used.
func (s *Server) access(cfg *Config, base *url.URL, given string) (*agentsetup.Access, error) {
	u, err := parseBase(given)
	if err != nil {
		return nil, err
	}
	if u == nil {
		u = base
	}
	a := &agentsetup.Access{}
	fronted := u != nil && len(s.proxies) > 0 // then agents see the certificate of the proxy
	if u == nil {
		u = s.ownURL(cfg)
		if agentsetup.IsLoopback(u.Hostname()) {
			a.Note("The server listens on this machine alone, so the address works nowhere else: " +
				"start it with another --listen, or with the --base-url of the proxy in front of it.")
		}
	}
	a.URL = reportURL(u)
	if u.Scheme == "https" && s.source != nil && !fronted {
		s.trust(cfg, a, u.Hostname())
	}
	return a, nil
}

// trust sets what agents need to trust the server's certificate for a host name.
func (s *Server) trust(cfg *Config, a *agentsetup.Access, host string) {
	is := func(name string) bool { return strings.EqualFold(name, host) }
	// also before the first certificate is there
	known := s.source.Vouched(host) || slices.ContainsFunc(cfg.ACME.Names, is)
	if !known && !slices.ContainsFunc(s.source.Names(), is) {
		a.Note("The server's certificate is not for %s, so agents will refuse it: start the server with --base-url %s.", host, strings.TrimSuffix(a.URL, agentPath))
	}
	if cfg.CertFile == "" && !known {
		a.CA = cfg.authority()
	}
}

// ownURL returns the address of a server that has no configured public address.
func (s *Server) ownURL(cfg *Config) *url.URL {
	u := &url.URL{Scheme: "https"}
	names := cert.MachineNames()
	if s.source == nil {
		u.Scheme = "http"
	} else {
		names = s.source.Names()
	}
	host, _, _ := net.SplitHostPort(cfg.Listen) // which was listened on
	_, port, _ := net.SplitHostPort(s.Address())
	switch {
	case len(cfg.ACME.Names) > 0:
		host = cfg.ACME.Names[0]
		if cfg.ACMEListen == "" {
			port = "443" // by which the authority comes
		}
	case host == "" || isAnyAddress(host):
		host = reachable(names)
	}
	u.Host = net.JoinHostPort(host, port)
	if u.Scheme == "https" && port == "443" || u.Scheme == "http" && port == "80" {
		u.Host = strings.TrimSuffix(u.Host, ":"+port)
	}
	return u
}

// reachable returns the name of a machine by which others most likely reach it: a full
// name, else an address, since a short name works only in its own network.
func reachable(names []string) string {
	for _, fits := range []func(name string) bool{isFullName, isAddress4, isAddress, isShortName} {
		if i := slices.IndexFunc(names, fits); i >= 0 {
			return names[i]
		}
	}
	return "localhost"
}

func isFullName(name string) bool {
	return isShortName(name) && strings.Contains(name, ".") && !strings.Contains(name, "*") &&
		!strings.HasSuffix(name, ".localdomain")
}

func isShortName(name string) bool {
	_, err := netip.ParseAddr(name)
	return err != nil && !strings.HasPrefix(name, "localhost")
}

func isAddress(name string) bool {
	ip, err := netip.ParseAddr(name)
	return err == nil && !ip.IsLoopback()
}

func isAddress4(name string) bool {
	ip, err := netip.ParseAddr(name)
	return err == nil && ip.Is4() && !ip.IsLoopback()
}

// reportURL returns where agents send their reports, of a server that clients
// see at a URL. One that has the path already is as good.
func reportURL(u *url.URL) string {
	return strings.TrimSuffix(strings.TrimSuffix(u.String(), "/"), agentPath) + agentPath
}

// authority returns the path of the local authority's certificate, which is the
// same from every folder.
func (p *Place) authority() string {
	file := p.path("ca.pem")
	if abs, err := filepath.Abs(file); err == nil {
		return abs
	}
	return file
}
