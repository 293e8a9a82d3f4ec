package server

import (
	"os"
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

// KeepMemory makes the collector keep to the memory goal until the server is
// told to stop. GOMEMLIMIT in the environment sets another goal. It is a matter
// of the whole process, so the program asks for it, and Start does not.
func (s *Server) KeepMemory() {
	if os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	tick := time.NewTicker(goalEvery)
	defer tick.Stop()
	for {
		debug.SetMemoryLimit(memoryGoal + s.kept())
		select {
		case <-s.stopping:
			return
		case <-tick.C:
		}
	}
}

// kept returns how many bytes of memory the server keeps for good: documents and
// indexes.
func (s *Server) kept() int64 { return s.house.cache + s.house.store.Indexed() }
