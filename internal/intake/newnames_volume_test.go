//go:build volume

package intake_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"muster/internal/mustertest"
)

// unheard is a report of a computer with 20,000 programs of its own.
func unheard(computer int) []byte {
	var all strings.Builder
	fmt.Fprintf(&all, "<HARDWARE><NAME>pc%d</NAME></HARDWARE><BIOS><SMANUFACTURER>Acme</SMANUFACTURER><SSN>SN-%06d</SSN></BIOS>", computer, computer)
	for i := range 20_000 {
		fmt.Fprintf(&all, "<SOFTWARES><NAME>unheard %d of %d</NAME><VERSION>1</VERSION></SOFTWARES>", i, computer)
	}
	return deflated(inventory(fmt.Sprintf("pc%d-2026-01-02-03-04-05", computer), all.String()))
}

// total returns how many records a list has.
func total(t *testing.T, s *mustertest.Server, path string) string {
	t.Helper()
	return s.Admin().Get(path + "?per_page=1").Header.Get("X-Total-Count")
}

// TestVolumeUnheardNames: four computers report 20,000 programs each that nobody has
// heard of. They bring as many software records as the limits allow, the rest on the
// following days, and changes of others take hardly longer meanwhile.
func TestVolumeUnheardNames(t *testing.T) {
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db, nil)
		a, c := newAgent(t, s), s.Admin()
		write := func() time.Duration {
			begun := time.Now()
			if got := c.Do("POST", "/vendors", fmt.Sprintf("<vendor><name>v%d</name></vendor>", begun.UnixNano())); got.Status != http.StatusCreated {
				t.Errorf("got %d: %s", got.Status, got.Body)
			}
			return time.Since(begun)
		}
		median := func(times []time.Duration) time.Duration {
			slices.Sort(times)
			return times[len(times)/2]
		}
		var before, meanwhile []time.Duration
		for range 200 {
			before = append(before, write())
		}
		bodies := make([][]byte, 4)
		for i := range bodies {
			bodies[i] = unheard(i)
		}
		var group sync.WaitGroup
		for _, body := range bodies {
			group.Go(func() { a.post(body).expect(t, "a report", http.StatusOK, taken) })
		}
		done := make(chan struct{})
		go func() { group.Wait(); close(done) }()
		for busy := true; busy; {
			meanwhile = append(meanwhile, write())
			select {
			case <-done:
				busy = false
			default:
			}
		}
		t.Logf("a change took %v before, %v meanwhile (%d of them), the slowest %v; at most 3 times as long", median(before), median(meanwhile), len(meanwhile), slices.Max(meanwhile))
		if median(meanwhile) > 3*median(before) {
			t.Errorf("a change took %v meanwhile, %v before", median(meanwhile), median(before))
		}
		if got := total(t, s, "/softwares.xml"); got != "5600" {
			t.Errorf("got %s software records, want 5,000 and 200 for each computer before the last", got)
		}
		for day := range 2 {
			s.Clock.Advance(24 * time.Hour)
			for i, body := range bodies {
				a.post(body).expect(t, fmt.Sprint("a report of ", i, " on another day"), http.StatusOK, taken)
			}
			if got, want := total(t, s, "/softwares.xml"), fmt.Sprint(5600+5800*(day+1)); got != want {
				t.Errorf("got %s software records after %d days, want %s", got, day+1, want)
			}
		}
	})
}
