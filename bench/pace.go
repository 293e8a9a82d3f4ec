package main

import (
	"sync"

	"muster/bench/result"
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

// add notes what a round found. Where goals are times, it finds out how fast the machine is as well.
func add(c *result.Comparison, ours, theirs result.Sample) {
	if c.Timed() {
		ours.Pace = pace()
	}
	c.Add(ours, theirs)
}
