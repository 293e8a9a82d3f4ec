package collect

import (
	"encoding/binary"
	"encoding/hex"
	"net/netip"
	"regexp"
	"strings"
)

const netFolder = "sys/class/net"

// passing matches adapters that come and go with containers and virtual machines: they say nothing about the computer.
var passing = regexp.MustCompile(`^(veth|vnet|tap|cali|cilium|lxc|fwbr|fwpr|fwln|ifb|br-[0-9a-f]{12}$)`)

// networks adds the network adapters, with a row for each address.
func (m *Machine) networks(d *document) {
	gateways := m.gateways()
	for _, name := range m.names(netFolder) {
		const loopback = "772"
		if !m.has(netFolder, name, "address") || m.text(netFolder, name, "type") == loopback ||
			passing.MatchString(name) {
			continue
		}
		for _, address := range m.usableAddresses(name) {
			row := m.adapter(name)
			if address.IsValid() {
				row = append(row, field{"IPADDRESS", address.Addr().String()})
			}
			if address.Addr().Is4() {
				row = append(row, field{"IPGATEWAY", gatewayOf(address, gateways[name])}, field{"IPDHCP", m.dhcp(name)})
			}
			d.row("NETWORKS", row...)
		}
	}
}

// gatewayOf returns an adapter's gateway if it is the one for an address: in its network, or beside an
// address that has no network, as those of hosted machines.
func gatewayOf(address netip.Prefix, gateway string) string {
	if ip, err := netip.ParseAddr(gateway); err == nil && (address.Contains(ip) || address.IsSingleIP()) {
		return gateway
	}
	return ""
}

// adapter returns what is the same for all addresses of an adapter.
func (m *Machine) adapter(name string) []field {
	kind, virtual, status := "ethernet", "0", "Down"
	if m.has(netFolder, name, "wireless") || m.has(netFolder, name, "phy80211") {
		kind = "Wifi"
	}
	if !m.has(netFolder, name, "device") {
		virtual = "1"
	}
	if m.text(netFolder, name, "carrier") == "1" {
		status = "Up"
	}
	// Without a connection, wireless adapters take an address of chance; their own is elsewhere.
	mac := first(m.text(netFolder, name, "phy80211/macaddress"), m.text(netFolder, name, "address"))
	if mac == "00:00:00:00:00:00" { // of tunnels
		mac = ""
	}
	return []field{
		{"DESCRIPTION", name}, {"DRIVER", m.settings(netFolder, name, "device/uevent")["DRIVER"]}, {"MACADDR", mac},
		{"STATUS", status}, {"TYPE", kind}, {"VIRTUALDEV", virtual},
	}
}

// usableAddresses returns an adapter's addresses of IPv4, else those of IPv6 that others may reach; an adapter without
// any has one that is not valid. Those of IPv6 that change each day are not missed where there are others.
func (m *Machine) usableAddresses(name string) (usable []netip.Prefix) {
	var six []netip.Prefix
	for _, address := range m.Addresses(name) {
		switch ip := address.Addr(); {
		case ip.Is4():
			usable = append(usable, address)
		case ip.IsGlobalUnicast():
			six = append(six, address)
		}
	}
	switch {
	case usable != nil:
		return usable
	case six != nil:
		return six
	}
	return []netip.Prefix{{}}
}

// gateways returns the default gateway of each adapter, and under "" the one that the computer uses.
func (m *Machine) gateways() map[string]string {
	found, best := map[string]string{}, map[string]string{}
	for line := range strings.Lines(m.text("proc/net/route")) {
		words := strings.Fields(line) // adapter, destination, gateway, flags, two counts, metric, mask
		if len(words) < 8 || words[1] != "00000000" || words[7] != "00000000" || words[2] == "00000000" {
			continue
		}
		raw, err := hex.DecodeString(words[2])
		if err != nil || len(raw) != 4 {
			continue
		}
		var ip [4]byte
		binary.NativeEndian.PutUint32(ip[:], binary.BigEndian.Uint32(raw)) // as the kernel has it in memory
		for _, adapter := range []string{"", words[0]} {
			if _, known := found[adapter]; !known || less(words[6], best[adapter]) {
				found[adapter], best[adapter] = netip.AddrFrom4(ip).String(), words[6]
			}
		}
	}
	return found
}

// less compares numbers without leading zeros.
func less(a, b string) bool { return len(a) < len(b) || len(a) == len(b) && a < b }
