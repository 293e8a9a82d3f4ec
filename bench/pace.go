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

// pace returns how many times longer work takes at present than on that machine. Goals that are times are
// multiplied by it; ratios need none.
func pace() float64 { return inflating(paceReports()).CPU / calmInflating }

// paceText returns the pace of the machine over all rounds that have one.
func (r *report) paceText() string {
	var all []float64
	for _, c := range r.Comparisons {
		if c.timed() && len(c.Ours) > 0 {
			all = append(all, median(c.Ours).Pace)
		}
	}
	return fmt.Sprintf("pace %.1f", middle(all))
}
