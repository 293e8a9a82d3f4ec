package server

import (
	"os"
	"runtime"
	"runtime/debug"
	"time"
)

// memoryGoal is the memory that the program stays within by collecting garbage more
// often, if it can. Caches and indexes, and the memory of SQLite, come on top. 10,000
// idle connections need nearly as much; without the goal the garbage of other requests
// would add to them.
const memoryGoal = 360 << 20

// goalEvery is how often the goal is adapted to the size of caches and indexes.
const goalEvery = time.Minute

// How much garbage there may be before it is collected: a part of what is used, in
// percent, and of what counts as used beside it and is never touched. Most of what
// is used are documents and indexes, which are large and without pointers, so that
// looking at all of it costs little; but a small server should not do so with every
// few requests, and lose each time what it keeps for the next.
const (
	garbage   = 30
	untouched = 16 << 20
)

// unusedMemory is what counts as used and is never touched.
var unusedMemory []byte

// LimitGarbage sets how much garbage there may be, unless GOGC in the environment
// does. It is a matter of the whole process, so the program asks for it, and Start
// does not; and it does so before all else: memory that something else had before
// would be cleared for what is set aside, and that touches it.
func LimitGarbage() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbage)
		unusedMemory = make([]byte, untouched)
	}
}

// KeepMemory makes the garbage collector keep to the memory goal until the server
// stops, unless GOMEMLIMIT in the environment sets another one. Like LimitGarbage it
// affects the whole process, so the program calls it, not the server.
func (s *Server) KeepMemory() {
	defer runtime.KeepAlive(unusedMemory)
	goal := func() {}
	if os.Getenv("GOMEMLIMIT") == "" {
		goal = func() { debug.SetMemoryLimit(memoryGoal + s.kept()) }
	}
	tick := time.NewTicker(goalEvery)
	defer tick.Stop()
	for {
		goal()
		select {
		case <-s.stopping:
			return
		case <-tick.C:
		}
	}
}

// kept returns the size in bytes of the cached documents and the indexes.
func (s *Server) kept() int64 { return s.installation.cache + s.installation.store.Indexed() }
