package report

import (
	"regexp"
	"slices"
	"strings"
)

// normalMAC returns a MAC that is written with colons or hyphens in upper case with colons.
func normalMAC(text string) (mac string, ok bool) {
	if len(text) != len("00:00:00:00:00:00") {
		return "", false
	}
	same := true
	for i := range len(text) {
		c := text[i]
		switch {
		case i%3 == 2 && c != ':' && c != '-', i%3 != 2 && !hexDigit(c):
			return "", false
		case c == '-' || c >= 'a':
			same = false
		}
	}
	if same {
		return text, true
	}
	return strings.ToUpper(strings.ReplaceAll(text, "-", ":")), true
}

func hexDigit(c byte) bool {
	return c >= '0' && c <= '9' || lower(c) >= 'a' && lower(c) <= 'f'
}

// foreign are the beginnings of addresses that software gives to adapters, the same on many computers: VirtualBox, VMware
// on a host, and remote access of Windows; and zero, which is the address of none.
var foreign = []string{"08:00:27", "00:50:56:C0", "20:41:53:59:4E:FF", "00:00:00:00:00:00"}

// GoodMAC reports whether a MAC is one that a maker gives once: neither for a group, nor locally administered, nor zero.
func GoodMAC(text string) bool {
	mac, ok := normalMAC(text)
	if !ok || strings.IndexByte("048C", mac[1]) < 0 { // the lowest two bits of the first byte
		return false
	}
	return !slices.ContainsFunc(foreign, func(prefix string) bool { return strings.HasPrefix(mac, prefix) })
}

// Words and names by which adapters are known that a computer has not by itself.
var (
	virtualWords = strings.Fields(`virtual vmware vbox hyper-v vethernet vpn tap- wireguard wintun loopback miniport teredo isatap 6to4
		anyconnect fortinet juniper pangp globalprotect zerotier tailscale npcap docker pseudo tunnel`)
	virtualNames = strings.Fields(`veth docker br- bridge virbr vnet ifb tun utun tap wg vmnet vboxnet dummy ppp awdl llw cni flannel cali
		kube zt gif stf sit ip6tnl team bond vlan`)  // beginnings
	sharedWords   = strings.Fields("bluetooth usb dock thunderbolt")
	sharedNames   = regexp.MustCompile(`^(enx.*|(en|eth|wl|ww)p[0-9a-fs]*u[0-9].*|usb[0-9]+|bnep[0-9]+|pan[0-9]+)$`)
	sharedDrivers = strings.Fields("r8152 ax88179_178a asix cdc_ether cdc_ncm cdc_mbim rndis_host smsc75xx smsc95xx lan78xx dm9601 mcs7830 sr9700 qmi_wwan btusb")
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
	return GoodMAC(a.MAC) && !a.Virtual() && !a.shared()
}

// shared reports whether the adapter is one of USB, of a dock or for Bluetooth.
func (a *Adapter) shared() bool {
	return hasAny(a.Description, sharedWords) || hasAny(a.kind, sharedWords) || hasAny(a.medium, sharedWords) ||
		slices.Contains(sharedDrivers, a.driver) || sharedNames.MatchString(a.Description)
}

// hasAny reports whether text holds one of the words, which are in lower case, in any case.
func hasAny(text string, words []string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
}
