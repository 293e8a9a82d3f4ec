package intake_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"

	"muster/internal/mustertest"
)

// TestFleet: 200 new computers that share 100 programs report at the same time, eight agents at once and each
// in an order of its own, and nothing is lost.
func TestFleet(t *testing.T) {
	t.Parallel()
	const fleet, agents, programs = 200, 8, 100
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db, nil)
		first := newAgent(t, s)
		var all sync.WaitGroup
		for n := range agents {
			all.Go(func() {
				a, r := *first, rand.New(rand.NewPCG(1, uint64(n)))
				for i := n; i < fleet; i += agents {
					if got := a.report(deflated(uniform(r, i, programs))); got.status != http.StatusOK {
						t.Errorf("computer %d: got %d %s", i, got.status, got.text)
					}
				}
			})
		}
		all.Wait()
		c := s.Admin()
		if got := computers(t, s); got != fmt.Sprint(fleet) {
			t.Errorf("got %s computers, want %d", got, fleet)
		}
		if got := c.Get("/softwares.xml?per_page=1").Header.Get("X-Total-Count"); got != fmt.Sprint(programs) {
			t.Errorf("got %s programs, want %d", got, programs)
		}
		installs := fmt.Sprintf("<installs>%d</installs>", fleet)
		if got := strings.Count(c.Get("/softwares.xml?per_page=1000").Body, installs); got != programs {
			t.Errorf("got %d programs with %s, want %d", got, installs, programs)
		}
		for id := 1; id <= fleet; id++ {
			got := c.Get(fmt.Sprintf("/hardwares/%d/softwares.xml?per_page=1", id)).Header.Get("X-Total-Count")
			if got != fmt.Sprint(programs) {
				t.Errorf("computer %d: got %s installations, want %d", id, got, programs)
			}
		}
	})
}

// uniform returns the report of a computer of a fleet in which all have the same software.
func uniform(r *rand.Rand, i, programs int) string {
	var software strings.Builder
	for _, n := range r.Perm(programs) {
		fmt.Fprintf(&software, "<SOFTWARES><NAME>Program %03d</NAME><VERSION>1.%d</VERSION><PUBLISHER>Acme</PUBLISHER></SOFTWARES>", n, n)
	}
	return inventory(fmt.Sprintf("pc%d-2026-01-02-03-04-05", i), fmt.Sprintf(
		"<HARDWARE><NAME>pc%d</NAME></HARDWARE><BIOS><SMANUFACTURER>Acme</SMANUFACTURER><SSN>SN-%06d</SSN></BIOS>%s",
		i, i, software.String()))
}
