package report

import (
	"regexp"
	"slices"
	"strings"

	"muster/internal/identity"
)

// Words and names by which adapters are known that a computer has not by itself.
var (
	virtualWords = strings.Fields(`virtual vmware vbox hyper-v vethernet vpn tap- wireguard wintun loopback miniport teredo isatap 6to4
		anyconnect fortinet juniper pangp globalprotect zerotier tailscale npcap docker pseudo tunnel`)
	virtualNames = strings.Fields(`veth docker br- bridge virbr vnet ifb tun utun tap wg vmnet vboxnet dummy ppp awdl llw cni flannel cali
		kube zt gif stf sit ip6tnl team bond vlan`)  // beginnings
	movableNames   = regexp.MustCompile(`^(enx.*|(en|eth|wl|ww)p[0-9a-fs]*u[0-9].*|usb[0-9]+|bnep[0-9]+|pan[0-9]+)$`)
	movableDrivers = strings.Fields("r8152 ax88179_178a asix cdc_ether cdc_ncm cdc_mbim rndis_host smsc75xx smsc95xx lan78xx dm9601 mcs7830 sr9700 qmi_wwan btusb")
)

// Virtual reports whether software made the adapter.
func (a *Adapter) Virtual() bool {
	named := func(start string) bool { return strings.HasPrefix(a.Description, start) }
	return a.software || strings.EqualFold(a.kind, "loopback") || a.Description == "lo" || a.Description == "lo0" ||
		slices.ContainsFunc(virtualNames, named) || hasAny(a.Description, virtualWords)
}

// Good reports whether the adapter's MAC belongs to this computer and to no other: a maker gave it, and to a part that
// cannot be unplugged and serve another computer.
func (a *Adapter) Good() bool {
	return !a.Shared && identity.GoodMAC(a.MAC) && !a.Virtual() && !a.movable()
}

// movable reports whether the adapter is one of USB, of a dock or for Bluetooth.
func (a *Adapter) movable() bool {
	return identity.Movable(a.Description) || identity.Movable(a.kind) || identity.Movable(a.medium) ||
		slices.Contains(movableDrivers, a.driver) || movableNames.MatchString(a.Description)
}

// hasAny reports whether text contains one of the lower-case words, ignoring case.
func hasAny(text string, words []string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
}
