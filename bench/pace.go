package main

import (
	"fmt"
	"sync"
)

// calmInflating is how many microseconds of CPU time it takes to inflate a
// report of an agent with the standard library, on the machine that the goals
// were set on, when nothing else has a part of it.
const calmInflating = 170

// paceReports are what a pace is measured with: a report of each agent.
var paceReports = sync.OnceValue(func() [][]string {
	bodies := make([][]string, agentCount)
	for agent := range bodies {
		bodies[agent] = []string{reported{computer: agent}.packed()}
	}
	return bodies
})

// pace returns how many times longer work takes at present than on that machine, less than 1 if it is faster. Goals
// that are times are judged at it; ratios need none.
func pace() float64 { return inflating(paceReports()).CPU / calmInflating }

// Bounds of the pace that goals are judged at. One kind of work does not make up for a machine that differs more, so
// no goal becomes more than twice as easy, or twice as hard.
const leastPace, mostPace = 0.5, 2

// judgedPace returns the pace that goals are judged at where this one was measured.
func judgedPace(measured float64) float64 { return min(max(measured, leastPace), mostPace) }

// paceText returns the pace of the machine, as measured, over all rounds that have one.
func (r *report) paceText() string {
	var all []float64
	for _, c := range r.Comparisons {
		if c.timed() && len(c.Ours) > 0 {
			all = append(all, median(c.Ours).Pace)
		}
	}
	if len(all) == 0 {
		return "pace not measured"
	}
	return fmt.Sprintf("pace %.1f", middle(all))
}
