package cert

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"regexp"
	"slices"
	"strings"
)

// MachineNames returns the names and addresses under which this machine can be reached: localhost and the
// loopback addresses, the host name, its full form where the machine knows it by itself, and the addresses of
// its interfaces but for link-local ones. It asks no name server.
func MachineNames() []string {
	names := []string{"localhost", "127.0.0.1", "::1"}
	add := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if host, err := os.Hostname(); err == nil {
		for _, name := range []string{host, fullName(host)} {
			if name = normalDNS(name); validDNS(name) {
				add(name)
			}
		}
	}
	addresses, _ := net.InterfaceAddrs() // without them the names above still serve
	for _, a := range addresses {
		if n, ok := a.(*net.IPNet); ok && n.IP.IsGlobalUnicast() {
			add(n.IP.String())
		}
	}
	return names
}

// fullName returns what the hosts file calls host, or "" when it does not know it.
func fullName(host string) string {
	r := net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		return nil, errors.New("no name server is asked")
	}}
	name, err := r.LookupCNAME(context.Background(), host)
	if err != nil {
		return ""
	}
	return name
}

// sortNames parts names into DNS names and IP addresses, without repetitions.
func sortNames(names []string) (dns []string, addresses []net.IP, err error) {
	for _, name := range names {
		if a, err := netip.ParseAddr(name); err == nil {
			ip := net.IP(a.Unmap().WithZone("").AsSlice())
			if !slices.ContainsFunc(addresses, ip.Equal) {
				addresses = append(addresses, ip)
			}
			continue
		}
		host := normalDNS(name)
		if !validDNS(host) {
			return nil, nil, fmt.Errorf("certificate for %q: neither a DNS name nor an IP address", name)
		}
		if !slices.Contains(dns, host) {
			dns = append(dns, host)
		}
	}
	if len(dns)+len(addresses) == 0 {
		return nil, nil, errors.New("certificate: no names to issue it for")
	}
	return dns, addresses, nil
}

// DNSName returns the normal form of a DNS name, for comparing. It is not ok for anything else.
func DNSName(name string) (normal string, ok bool) {
	_, err := netip.ParseAddr(name)
	normal = normalDNS(name)
	return normal, err != nil && validDNS(normal)
}

// normalDNS returns the one form of a DNS name that is compared: lower case, without the root's dot.
func normalDNS(name string) string { return strings.ToLower(strings.TrimSuffix(name, ".")) }

// dnsLabel allows underscores: they are not for host names, yet machines have them.
var dnsLabel = regexp.MustCompile(`^[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$`)

func validDNS(name string) bool {
	return len(name) <= 253 && !slices.ContainsFunc(strings.Split(name, "."), func(label string) bool {
		return !dnsLabel.MatchString(label)
	})
}
