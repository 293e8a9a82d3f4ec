package collect

import (
	"net/netip"
	"regexp"
	"strings"
	"time"
)

// dhcp returns the server that gave an adapter its address, "" when none did or it is not known.
func (m *Machine) dhcp(adapter string) string {
	server := m.settings("run/systemd/netif/leases", m.text(netFolder, adapter, "ifindex"))["SERVER_ADDRESS"]
	server = first(server, m.managedLease(adapter), m.clientLease(adapter))
	if ip, err := netip.ParseAddr(server); err == nil {
		return ip.String()
	}
	return ""
}

// managedLease returns the server in the last lease that NetworkManager has for an adapter.
func (m *Machine) managedLease(adapter string) (server string) {
	const folder = "var/lib/NetworkManager"
	var last time.Time
	for _, name := range m.names(folder) {
		changed := m.changed(folder, name)
		if strings.HasPrefix(name, "internal-") && strings.HasSuffix(name, "-"+adapter+".lease") &&
			changed.After(last) {
			server, last = m.settings(folder, name)["SERVER_ADDRESS"], changed
		}
	}
	return server
}

var (
	leaseAdapter = regexp.MustCompile(`interface "([^"]+)"`)
	leaseServer  = regexp.MustCompile(`option dhcp-server-identifier ([0-9.]+);`)
)

// clientLease returns the server in the last lease that ISC's client has for an adapter.
func (m *Machine) clientLease(adapter string) (server string) {
	for _, folder := range []string{"var/lib/dhcp", "var/lib/dhclient", "var/lib/NetworkManager"} {
		for _, name := range m.names(folder) {
			if !strings.HasPrefix(name, "dhclient") {
				continue
			}
			for lease := range strings.SplitSeq(m.text(folder, name), "}") {
				of, by := leaseAdapter.FindStringSubmatch(lease), leaseServer.FindStringSubmatch(lease)
				if of != nil && by != nil && of[1] == adapter {
					server = by[1]
				}
			}
		}
	}
	return server
}
