//go:build full

package intake_test

import (
	"fmt"
	"net/http"
	"testing"

	"muster/internal/mustertest"
)

// TestPrinters: which printers of computers are one.
func TestPrinters(t *testing.T) {
	t.Parallel()
	type printer struct{ name, port, serial string }
	for i, c := range []struct {
		name     string
		one, two printer
		want     int
	}{
		{"one serial", printer{"A", "USB001", "CN123"}, printer{"B", "USB002", "CN123"}, 1},
		{"two serials", printer{"A", "IP_10.0.0.1", "CN123"}, printer{"A", "IP_10.0.0.1", "CN124"}, 2},
		{"a serial in the port", printer{"A", "usb://HP/LaserJet?serial=CN123", ""}, printer{"B", "USB001", "CN123"}, 1},
		{"one address", printer{"A", "IP_10.0.0.1", ""}, printer{"B", "socket://10.0.0.1:9100", ""}, 1},
		{"one address at a second port", printer{"A", "IP_10.0.0.1", ""}, printer{"A", "10.0.0.1_1", ""}, 1},
		{"two addresses", printer{"A", "IP_10.0.0.1", ""}, printer{"A", "IP_10.0.0.2", ""}, 2},
		{"one host", printer{"A", "ipp://Printer.example/ipp", ""}, printer{"B", "lpd://printer.example/q", ""}, 1},
		{"two at USB", printer{"A", "USB001", ""}, printer{"A", "USB001", ""}, 2},
		{"two at LPT and DOT4", printer{"A", "LPT1:", ""}, printer{"A", "DOT4_001", ""}, 2},
		{"one name", printer{"A", `\\server\a`, ""}, printer{"a", "WSD-1", ""}, 1},
		{"two names", printer{"A", `\\server\a`, ""}, printer{"B", `\\server\a`, ""}, 2},
		{"programs", printer{"Microsoft Print to PDF", "PORTPROMPT:", ""}, printer{"OneNote for Windows 10", "nul:", ""}, 0},
		{"more programs", printer{"Fax", "SHRFAX:", ""}, printer{"Microsoft XPS Document Writer", "PORTPROMPT:", ""}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
				s := start(t, db, nil)
				a := newAgent(t, s)
				tell := func(n int, p printer, swap int) {
					row := fmt.Sprintf("<PRINTERS><NAME>%s</NAME><PORT>%s</PORT><SERIAL>%s</SERIAL></PRINTERS>", p.name, p.port, p.serial)
					if p.name == "" {
						row = "<PRINTERS/>"
					}
					content := fmt.Sprintf("<HARDWARE><NAME>pc%d</NAME><SWAP>%d</SWAP></HARDWARE>%s", n, swap, row)
					a.post(deflated(inventory(fmt.Sprintf("pc%d-%d", n, i), content))).expect(t, "report", http.StatusOK, taken)
				}
				tell(1, c.one, 1)
				tell(2, c.two, 1)
				tell(1, printer{}, 2) // taken away, and back
				tell(1, c.one, 3)
				if got := s.Admin().Get("/printers.xml?per_page=1").Header.Get("X-Total-Count"); got != fmt.Sprint(c.want) {
					t.Errorf("got %s printers, want %d", got, c.want)
				}
			})
		})
	}
}
