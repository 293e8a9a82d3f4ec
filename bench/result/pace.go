package result

import "fmt"

// Bounds of the pace that goals are judged at. One kind of work does not make up for a machine that differs more, so
// no goal becomes more than twice as easy, or twice as hard.
const leastPace, mostPace = 0.5, 2

// judgedPace returns the pace that goals are judged at where this one was measured.
func judgedPace(measured float64) float64 { return min(max(measured, leastPace), mostPace) }

// paceText returns the pace of the machine, as measured, over all rounds that have one.
func (r *Run) paceText() string {
	var all []float64
	for _, c := range r.Comparisons {
		if c.Timed() && len(c.Ours) > 0 {
			all = append(all, Median(c.Ours).Pace)
		}
	}
	if len(all) == 0 {
		return "pace not measured"
	}
	return fmt.Sprintf("pace %.1f", middle(all))
}
