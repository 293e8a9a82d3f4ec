package collect

import (
	"context"
	"regexp"
	"strings"
	"time"
)

// printers adds the queues of CUPS: from its configuration, which only root can read, otherwise from what it
// offers everybody.
func (m *Machine) printers(ctx context.Context, d *document) {
	if text := m.text("etc/cups/printers.conf"); text != "" {
		configuredPrinters(d, text)
	} else if m.has("etc/cups") {
		m.listedPrinters(ctx, d)
	}
}

var printerStart = regexp.MustCompile(`^<(?:Default)?Printer (.+)>$`)

// configuredPrinters reads a configuration, whose blocks have lines with a name and a value.
func configuredPrinters(d *document, text string) {
	values := map[string]string{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if start := printerStart.FindStringSubmatch(line); start != nil {
			values = map[string]string{"Name": start[1]}
			continue
		}
		if line == "</Printer>" || line == "</DefaultPrinter>" {
			d.row("PRINTERS",
				field{"DRIVER", first(values["MakeModel"], values["Info"])}, field{"NAME", values["Name"]},
				field{"PORT", withoutSecrets(values["DeviceURI"])})
			continue
		}
		if name, value, ok := strings.Cut(line, " "); ok {
			values[name] = strings.TrimSpace(value)
		}
	}
}

// printerLine is a line such as "device for office: ipp://192.0.2.7/ipp/print".
var printerLine = regexp.MustCompile(`^device for (.+?): (\S+)$`)

// listedPrinters asks the printing service, which may be on another computer and away.
func (m *Machine) listedPrinters(ctx context.Context, d *document) {
	out := m.program(ctx, "printers", 10*time.Second, "lpstat", "-v")
	for line := range strings.Lines(string(out)) {
		if found := printerLine.FindStringSubmatch(strings.TrimSpace(line)); found != nil {
			d.row("PRINTERS", field{"NAME", found[1]}, field{"PORT", withoutSecrets(found[2])})
		}
	}
}

// withoutSecrets returns the address of a printer without a user's name and password, and without parameters.
// Whatever comes before the last at sign may be a part of a password.
func withoutSecrets(address string) string {
	address, _, _ = strings.Cut(address, "?")
	scheme, rest, ok := strings.Cut(address, ":")
	if at := strings.LastIndexByte(rest, '@'); ok && at >= 0 {
		return scheme + "://" + rest[at+1:]
	}
	return address
}
