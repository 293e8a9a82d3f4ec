package server

import (
	"os"
	"runtime"
	"runtime/debug"
	"time"
)

// memoryGoal is the memory that the program keeps to by collecting garbage more
// often, as long as it needs less, beside what it keeps for good; what SQLite has
// comes on top. 10,000 idle connections need nearly as much, and would else grow
// by the garbage of others' requests.
const memoryGoal = 360 << 20

// goalEvery is how often the goal follows what is kept for good.
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

// KeepMemory makes the collector keep to the memory goal until the server is
// told to stop, unless GOMEMLIMIT in the environment sets another one. As
// LimitGarbage it is for the program to ask for.
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

// kept returns how many bytes of memory the server keeps for good: documents and
// indexes.
func (s *Server) kept() int64 { return s.installation.cache + s.installation.store.Indexed() }
