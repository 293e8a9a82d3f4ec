//go:build full

package intake_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

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
		{"a serial in the port", printer{"A", "usb://HP/LaserJet?serial=CN123", ""}, printer{
			"B", "USB001", "CN123",
		}, 1},
		{"one address", printer{"A", "IP_10.0.0.1", ""}, printer{"B", "socket://10.0.0.1:9100", ""}, 1},
		{"one address at a second port", printer{"A", "IP_10.0.0.1", ""}, printer{"A", "10.0.0.1_1", ""}, 1},
		{"two addresses", printer{"A", "IP_10.0.0.1", ""}, printer{"A", "IP_10.0.0.2", ""}, 2},
		{"one host", printer{"A", "ipp://Printer.example/ipp", ""}, printer{"B", "lpd://printer.example/q", ""}, 1},
		{"two at USB", printer{"A", "USB001", ""}, printer{"A", "USB001", ""}, 2},
		{"two at LPT and DOT4", printer{"A", "LPT1:", ""}, printer{"A", "DOT4_001", ""}, 2},
		{"one name", printer{"A", `\\server\a`, ""}, printer{"a", "WSD-1", ""}, 1},
		{"two names", printer{"A", `\\server\a`, ""}, printer{"B", `\\server\a`, ""}, 2},
		{"programs", printer{"Microsoft Print to PDF", "PORTPROMPT:", ""}, printer{
			"OneNote for Windows 10", "nul:", "",
		}, 0},
		{"more programs", printer{"Fax", "SHRFAX:", ""}, printer{"Microsoft XPS Document Writer", "PORTPROMPT:", ""},
			0},
	} {
		t.Run(c.name, func(t *testing.T) {
			mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
				s := start(t, db, nil)
				a := newAgent(t, s)
				postReport := func(n int, p printer, swap int) {
					row := fmt.Sprintf("<PRINTERS><NAME>%s</NAME><PORT>%s</PORT><SERIAL>%s</SERIAL></PRINTERS>",
						p.name, p.port, p.serial)
					if p.name == "" {
						row = "<PRINTERS/>"
					}
					content := fmt.Sprintf("<HARDWARE><NAME>pc%d</NAME><SWAP>%d</SWAP></HARDWARE>%s", n, swap, row)
					a.post(deflated(inventory(fmt.Sprintf("pc%d-%d", n, i), content))).expect(t, "report",
						http.StatusOK, taken)
				}
				postReport(1, c.one, 1)
				postReport(2, c.two, 1)
				postReport(1, printer{}, 2) // taken away, and back
				postReport(1, c.one, 3)
				if got := s.Admin().Get("/printers.xml?per_page=1").Header.Get("X-Total-Count"); got != fmt.Sprint(c.want) {
					t.Errorf("got %s printers, want %d", got, c.want)
				}
			})
		})
	}
}

// printersOf is a report of a computer with so many printers of its own.
func printersOf(computer, printers int) []byte {
	var all strings.Builder
	fmt.Fprintf(&all, "<HARDWARE><NAME>pc%d</NAME></HARDWARE><BIOS><SMANUFACTURER>Acme</SMANUFACTURER><SSN>SN-%06d</SSN></BIOS>", computer, computer)
	for i := range printers {
		fmt.Fprintf(&all, "<PRINTERS><NAME>printer %d of %d</NAME><PORT>USB%03d</PORT></PRINTERS>", i, computer, i)
	}
	return deflated(inventory(fmt.Sprintf("pc%d-2026-01-02-03-04-05", computer), all.String()))
}

// TestNewPrinters: a computer and a token bring so many new printers a day. What is
// beyond comes by itself with the reports of the following days.
func TestNewPrinters(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db, nil)
		a := newAgent(t, s)
		want := func(what string, n int) {
			t.Helper()
			if got := s.Admin().Get("/printers.xml?per_page=1").Header.Get("X-Total-Count"); got != fmt.Sprint(n) {
				t.Errorf("%s: got %s printers, want %d", what, got, n)
			}
		}
		report := func(computer, printers int) {
			t.Helper()
			a.post(printersOf(computer, printers)).expect(t, "a report", http.StatusOK, taken)
		}
		report(0, 70)
		want("one computer", 50)
		report(0, 70)
		want("the same again", 50)
		for i := range 10 {
			report(1+i, 60)
		}
		want("eleven computers", 500)

		s.Clock.Advance(24 * time.Hour)
		report(0, 70)
		report(0, 70)
		want("the rest of the first", 520)
		for i := range 10 {
			report(1+i, 60)
		}
		want("the rest of the others", 70+9*60+50)

		path := s.Admin().Get("/printers.xml?per_page=1").Body
		id := path[strings.Index(path, "<id>")+4 : strings.Index(path, "</id>")]
		s.Admin().Do("DELETE", "/printers/"+id, "")
		report(0, 70)
		want("after one was deleted", 659)
	})
}
