package identity

import (
	"net/netip"
	"net/url"
	"regexp"
	"strings"
)

// A Printer has what identifies a printer, as a computer knows it.
type Printer struct{ Name, Driver, Port, Serial string }

// virtualPrinter are words in the names, drivers and ports of printers that are
// programs.
var virtualPrinter = regexp.MustCompile(`(?i)\b(pdf|xps|fax|onenote)\b|pdfcreator|cutepdf|bullzip|^(nul|file|portprompt|shrfax|xpsport|send to)\b`)

// Virtual reports whether a program is the printer: what it prints becomes a
// file, a fax or a note.
func (p Printer) Virtual() bool {
	for _, text := range []string{p.Name, p.Driver, p.Port} {
		if virtualPrinter.MatchString(strings.ReplaceAll(text, "_", " ")) {
			return true
		}
	}
	return false
}

// SerialNumber returns the printer's serial number, reported as such or in its port, "" when it is junk.
func (p Printer) SerialNumber() string {
	serial := p.Serial
	if u, err := url.Parse(p.Port); serial == "" && err == nil && u.Scheme != "" {
		serial = u.Query().Get("serial")
	}
	if Serial(serial) == "" {
		return ""
	}
	return serial
}

// Address returns where in the network the printer is, by its port: an IP address,
// or the name of a host; "" when the port is none of a network.
func (p Printer) Address() string {
	port := strings.TrimSpace(p.Port)
	if u, err := url.Parse(port); err == nil && u.Host != "" && onNetwork[strings.ToLower(u.Scheme)] {
		return strings.ToLower(u.Hostname())
	}
	if len(port) > len("IP_") && strings.EqualFold(port[:len("IP_")], "IP_") {
		port = port[len("IP_"):]
	}
	for text := port; text != ""; {
		if ip, err := netip.ParseAddr(text); err == nil {
			return ip.String()
		}
		text = text[:max(0, strings.LastIndexAny(text, "_:"))] // a second port of the same address, or the port of TCP
	}
	return ""
}

// onNetwork are the schemes of ports that name a host.
var onNetwork = map[string]bool{"socket": true, "ipp": true, "ipps": true, "lpd": true, "http": true, "https": true}

// localPort are the ports of printers that one computer alone has.
var localPort = regexp.MustCompile(`(?i)^(USB|LPT|DOT4|COM)[_:\d]|^(usb|parallel|serial|hp:/usb|hpfax:/usb)[:/]`)

// Local reports whether the printer is at a port of the computer itself.
func (p Printer) Local() bool { return localPort.MatchString(strings.TrimSpace(p.Port)) }
