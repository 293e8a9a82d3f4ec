//go:build full

package result

import (
	"fmt"
	"testing"
)

// growing returns a report of one operation with these costs at 1,000, 10,000, 100,000 and 1,000,000 computers, in
// times of the rival's, 0 for what was not measured; the first answers are so long.
func growing(firstBytes float64, costs ...float64) *Run {
	r := &Run{}
	n := 1000
	for i, cost := range costs {
		r.Sizes = append(r.Sizes, n)
		c := &Comparison{Name: fmt.Sprintf("sqlite %d list", n), Computers: n, Goals: Goals{Flat: true}, Ratio: cost}
		c.Ours = []Sample{{Bytes: 1000}}
		if i == 0 {
			c.Ours[0].Bytes = firstBytes
		}
		if cost > 0 {
			r.Comparisons = append(r.Comparisons, c)
		}
		n *= 10
	}
	return r
}

// TestGrowth judges the growth between all sizes that answer with about as much.
func TestGrowth(t *testing.T) {
	for _, test := range []struct {
		name  string
		run   *Run
		found string
		met   bool
	}{
		{"flat", growing(1000, 2, 2.1, 2, 2), "1.05x from 1,000 to 10,000", true},
		{"at the end", growing(1000, 2, 2, 2, 3.2), "1.60x from 1,000 to 1,000,000", false},
		{"in the middle", growing(1000, 2, 2, 3.2, 2), "1.60x from 1,000 to 100,000", false},
		{"after a slow first", growing(1000, 3, 2, 3.2, 3), "1.60x from 10,000 to 100,000", false},
		{"cheaper", growing(1000, 4, 2, 1, 1), "1.00x from 100,000 to 1,000,000", true},
		{"short among few", growing(100, 1, 2, 2.2, 2), "1.10x from 10,000 to 100,000", true},
		{"not measured among few", growing(1000, 0, 2, 2.2, 2), "1.10x from 10,000 to 100,000", true},
		{"two sizes", growing(1000, 2, 2.8), "1.40x from 1,000 to 10,000", true},
	} {
		verdicts := test.run.verdicts()
		if len(verdicts) != 1 || verdicts[0].found != test.found || verdicts[0].met() != test.met {
			t.Errorf("%s: got %+v, want that %s was found, met: %v", test.name, verdicts, test.found, test.met)
		}
	}
	for _, alone := range []*Run{growing(1000, 2), growing(1000, 0, 2), growing(100, 1, 2)} {
		if got := alone.verdicts(); len(got) != 0 {
			t.Errorf("nothing to compare: got %+v, want no verdict", got)
		}
	}
}
