package report

import (
	"net/netip"
	"strings"

	"muster/internal/identity"
	"muster/internal/inventory"
)

// A route is an address that the computer may be reached at.
type route struct {
	ip, gateway string
	adapter     int
}

// network takes in a row of an adapter. Agents send one row an address: those with the same description and MAC are one
// adapter, whose address is the first of IPv4, else the first.
func (c *collector) network(r *row) {
	n := inventory.Network{
		Description: r.text("DESCRIPTION"), DHCP: r.text("IPDHCP"), Gateway: r.text("IPGATEWAY"),
		IP:  r.text("IPADDRESS", "IPADDRESS6"),
		MAC: r.text("MACADDR"), Status: "Down",
	}
	if n == (inventory.Network{Status: "Down"}) {
		return
	}
	if strings.EqualFold(r.text("STATUS"), "up") {
		n.Status = "Up"
	}
	a := Adapter{Description: n.Description, Up: n.Status == "Up", kind: r.text("TYPE"), medium: r.text("TYPEMIB"),
		driver: r.text("DRIVER")}
	a.software = r.text("VIRTUALDEV") == "1" || r.text("VIRTUALDEV") == "true"
	if mac, ok := identity.MAC(n.MAC); ok {
		n.MAC, a.MAC = mac, mac
	}
	if usable(n.IP) {
		a.IPv4 = n.IP
	}
	i := c.merge(n, a)
	if a.Up && a.IPv4 != "" {
		c.routes = append(c.routes, route{a.IPv4, n.Gateway, i})
	}
}

// merge adds an adapter, or its address to the adapter that is there already, and returns the adapter's index.
func (c *collector) merge(n inventory.Network, a Adapter) int {
	for i := range c.computer.Networks {
		old, known := &c.computer.Networks[i], &c.adapters[i]
		if old.Description != n.Description || old.MAC != n.MAC {
			continue
		}
		if old.IP == "" || !isIPv4(old.IP) && isIPv4(n.IP) {
			old.IP = n.IP
			if n.Gateway != "" {
				old.Gateway = n.Gateway
			}
		}
		fill(&old.DHCP, n.DHCP)
		fill(&old.Gateway, n.Gateway)
		fill(&known.IPv4, a.IPv4)
		if a.Up {
			old.Status, known.Up = "Up", true
		}
		known.software = known.software || a.software
		return i
	}
	if c.adapters == nil {
		n := c.expected()
		c.computer.Networks, c.adapters, c.routes = make([]inventory.Network, 0, n), make([]Adapter, 0, n),
			make([]route, 0, n)
	}
	c.computer.Networks = append(c.computer.Networks, n)
	c.adapters = append(c.adapters, a)
	return len(c.adapters) - 1
}

// fill sets a value that is not set.
func fill(to *string, value string) {
	if *to == "" {
		*to = value
	}
}

func isIPv4(text string) bool {
	ip, err := netip.ParseAddr(text)
	return err == nil && ip.Is4()
}

// usable reports whether text is an IPv4 address that others may reach the computer at.
func usable(text string) bool {
	ip, err := netip.ParseAddr(text)
	return err == nil && ip.Is4() && ip.IsGlobalUnicast()
}

// address returns the computer's address: that of an adapter which is up, best behind the default gateway, next best of
// one that is no software; else the first usable one that the agent lists.
func (c *collector) address() string {
	h := c.of("HARDWARE")
	best, ip := 0, ""
	for _, r := range c.routes {
		rank := 1
		if len(c.routes) > 1 && !c.adapters[r.adapter].Virtual() {
			rank++
		}
		if r.gateway != "" && r.gateway == h.text("DEFAULTGATEWAY") {
			rank += 2
		}
		if rank > best {
			best, ip = rank, r.ip
		}
	}
	if ip != "" {
		return ip
	}
	for part := range strings.SplitSeq(h.text("IPADDR"), "/") {
		if part = strings.TrimSpace(part); usable(part) {
			return part
		}
	}
	return ""
}
