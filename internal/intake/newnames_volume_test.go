//go:build volume

package intake_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"muster/internal/mustertest"
)

// unheard is a report of a computer with so many programs of its own.
func unheard(computer, programs int) []byte {
	var all strings.Builder
	fmt.Fprintf(&all, "<HARDWARE><NAME>pc%d</NAME></HARDWARE><BIOS><SMANUFACTURER>Acme</SMANUFACTURER><SSN>SN-%06d</SSN></BIOS>", computer, computer)
	for i := range programs {
		fmt.Fprintf(&all, "<SOFTWARES><NAME>a program of which nobody anywhere has heard before %d of %d</NAME><VERSION>1</VERSION></SOFTWARES>", i, computer)
	}
	return deflated(inventory(fmt.Sprintf("pc%d-2026-01-02-03-04-05", computer), all.String()))
}

// total returns how many records a list has.
func total(t *testing.T, s *mustertest.Server, path string) string {
	t.Helper()
	return s.Admin().Get(path + "?per_page=1").Header.Get("X-Total-Count")
}

// isClosed reports whether a channel is closed.
func isClosed(done chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}

// reportUntil reports a computer, each time with a change, and returns how many
// reports were answered before a channel is closed.
func reportUntil(t *testing.T, a *agent, done chan struct{}) (n int) {
	for ; !isClosed(done); n++ {
		body := inventory("ordinary-2026-01-02-03-04-05",
			fmt.Sprintf("<HARDWARE><NAME>ordinary</NAME><OSNAME>Linux %d</OSNAME></HARDWARE>", n))
		a.post(deflated(body)).expect(t, "an ordinary report", http.StatusOK, taken)
	}
	return n - 1
}

// postAll posts reports at once. Each channel is closed when one more is answered.
func postAll(t *testing.T, a *agent, bodies [][]byte) (ended []chan struct{}) {
	for range bodies {
		ended = append(ended, make(chan struct{}))
	}
	var n atomic.Int64
	for _, body := range bodies {
		go func() {
			a.report(body).expect(t, "a report", http.StatusOK, taken)
			close(ended[n.Add(1)-1])
		}()
	}
	return ended
}

// TestVolumeManyAlone: twelve computers report 510 programs each that nobody has heard
// of. These are taken in one after another, and others need not wait for them all.
func TestVolumeManyAlone(t *testing.T) {
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db, nil)
		a := newAgent(t, s)
		bodies := make([][]byte, 12)
		for i := range bodies {
			bodies[i] = unheard(i, 510)
		}
		ended := postAll(t, a, bodies)
		<-ended[0]
		if n := reportUntil(t, a, ended[3]); n < 10 {
			t.Errorf("%d ordinary reports were answered before the fourth of these, want at least 10", n)
		}
		<-ended[11]
	})
}

// TestVolumeUnheardNames: four computers report 20,000 programs each that nobody has
// heard of. They bring as many software records as the limits allow, the rest on the
// following days, and changes of others take hardly longer meanwhile.
func TestVolumeUnheardNames(t *testing.T) {
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db, nil)
		a, other, c := newAgent(t, s), newAgent(t, s), s.Admin()
		write := func() time.Duration {
			begun := time.Now()
			if got := c.Do("POST", "/vendors",
				fmt.Sprintf("<vendor><name>v%d</name></vendor>", begun.UnixNano())); got.Status != http.StatusCreated {
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
			bodies[i] = unheard(i, 20_000)
		}
		ended, reported := postAll(t, a, bodies), make(chan int)
		go func() {
			<-ended[0]
			reported <- reportUntil(t, other, ended[2])
		}()
		for !isClosed(ended[3]) {
			meanwhile = append(meanwhile, write())
		}
		if n := <-reported; n < 10 {
			t.Errorf("%d ordinary reports were answered before the third of these, want at least 10", n)
		}
		t.Logf("a change took %v before, %v meanwhile (%d of them), the slowest %v; at most 3 times as long",
			median(before), median(meanwhile), len(meanwhile), slices.Max(meanwhile))
		if median(meanwhile) > 3*median(before) {
			t.Errorf("a change took %v meanwhile, %v before", median(meanwhile), median(before))
		}
		if got := total(t, s, "/softwares.xml"); got != "5000" {
			t.Errorf("got %s software records, want 5,000, since all computers are of this day", got)
		}
		for day := range 2 {
			s.Clock.Advance(24 * time.Hour)
			for i, body := range bodies {
				a.report(body).expect(t, fmt.Sprint("a report of ", i, " on another day"), http.StatusOK, taken)
			}
			if got, want := total(t, s, "/softwares.xml"), fmt.Sprint(5000+5800*(day+1)); got != want {
				t.Errorf("got %s software records after %d days, want %s", got, day+1, want)
			}
		}
	})
}
