//go:build volume

package intake_test

import (
	"net/http"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"muster/internal/mustertest"
)

// TestVolumeDeviceIDs invents 10,000 device ids with one token: a minute's worth of computers is taken, the others are
// refused, and those that were there before report as ever.
func TestVolumeDeviceIDs(t *testing.T) {
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := limited(t, db)
		a, good := newAgent(t, s), newAgent(t, s)
		good.post(deflated(small(20_000))).expect(t, "the first computer", http.StatusOK, taken)
		var mu sync.Mutex
		statuses := map[int]int{}
		var all sync.WaitGroup
		for i := range 16 {
			all.Go(func() {
				for j := i; j < 10_000; j += 16 {
					status := a.post(deflated(small(j))).status
					mu.Lock()
					statuses[status]++
					mu.Unlock()
				}
			})
		}
		all.Wait()
		if diff := cmp.Diff(map[int]int{200: 1000, 429: 9000}, statuses); diff != "" || computers(t, s) != "1001" {
			t.Errorf("%s computers, statuses (-want +got):\n%s", computers(t, s), diff)
		}
		good.post(deflated(small(20_000))).expect(t, "the first computer again", http.StatusOK, taken)
	})
}
