//go:build volume

package intake_test

import (
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// listOf is a report of one computer with 20,000 programs of a list.
func listOf(computer int, list string, from, to int) []byte {
	var all strings.Builder
	fmt.Fprintf(&all, "<HARDWARE><NAME>pc%d</NAME></HARDWARE><BIOS><SMANUFACTURER>Acme</SMANUFACTURER><SSN>SN-%06d</SSN></BIOS>", computer, computer)
	for i := from; i < to; i++ {
		fmt.Fprintf(&all, "<SOFTWARES><NAME>%s %d</NAME><VERSION>1</VERSION><PUBLISHER>Acme</PUBLISHER></SOFTWARES>",
			list, i)
	}
	return deflated(inventory(fmt.Sprintf("pc%d-2026-01-02-03-04-05", computer), all.String()))
}

// heap returns how much memory is in use, all else given back.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestVolumeAlternating: a computer reports one of two lists of 20,000 programs after
// the other, 48 times. A page of the trail stays short, and so does what the server has in
// memory.
func TestVolumeAlternating(t *testing.T) {
	const most, times = 20_000, 48
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db, func(cfg *server.Config) { cfg.Jobs = 0 }) // a backup of the night has memory of its own
		for _, name := range []string{"agent-names-per-day", "agent-token-names-per-day"} {
			set(s, name, "0")
		}
		a, c := newAgent(t, s), s.Admin()
		for from := 0; from < most; from += 5000 { // so much a report makes at once
			for i, list := range []string{"old", "new"} {
				a.post(listOf(2+i, list, 0, from+5000)).expect(t, "names to know", http.StatusOK, taken)
			}
		}
		old, other := listOf(1, "old", 0, most), listOf(1, "new", 0, most)
		a.post(old).expect(t, "the first list", http.StatusOK, taken)
		c.Get("/audits.xml")
		before := heap()
		for i := range times {
			s.Clock.Advance(time.Hour)
			a.post([][]byte{other, old}[i%2]).expect(t, "the other list", http.StatusOK, taken)
		}
		got := c.Get("/audits.xml?sort_by=id&sort_order=DESC")
		after := heap()
		t.Logf("a page of 25 records with %d changes each has %d bytes; memory %d KB before, %d KB after", 2*most,
			len(got.Body), before>>10, after>>10)
		if n := strings.Count(got.Body, "<audit>"); n != 25 || len(got.Body) > 4_000_000 ||
			!strings.Contains(got.Body, fmt.Sprintf("<changes-total>%d<", 2*most)) {
			t.Errorf("got %d records in %d bytes, want 25 in 4 MB", n, len(got.Body))
		}
		if float64(after) > 1.3*float64(before) {
			t.Errorf("got %d KB of memory, %d before", after>>10, before>>10)
		}
	})
}
