package main

import (
	"context"
	"runtime"
	"time"

	"muster/bench/result"
)

// loopTime is about how long one side of a round runs in this process.
const loopTime = 100 * time.Millisecond

// A duel is two functions that do the same work. Each returns the size of the
// document that it made or read.
type duel struct {
	name, rival  string
	goals        result.Goals
	ours, theirs func() (bytes int)
}

// fight measures the sides of each chosen duel in turn.
func fight(ctx context.Context, s *settings, r *result.Run, duels []duel) error {
	for _, d := range duels {
		if !s.only.MatchString(d.name) {
			continue
		}
		progress("%s", d.name)
		c := &result.Comparison{Name: d.name, Rival: d.rival, Goals: d.goals}
		ours, theirs := loops(d.ours), loops(d.theirs)
		for range s.rounds {
			if err := ctx.Err(); err != nil {
				return err
			}
			add(c, loop(d.ours, ours), loop(d.theirs, theirs))
		}
		r.Comparisons = append(r.Comparisons, c)
	}
	return nil
}

// loops returns how often f runs in about loopTime.
func loops(f func() int) int {
	n := 0
	for start := time.Now(); time.Since(start) < loopTime; n++ {
		f()
	}
	return n
}

// loop measures n calls of f. The collector begins with no work left over from
// others, and what it does meanwhile counts.
func loop(f func() int, n int) result.Sample {
	runtime.GC()
	before := useOfProcess()
	var bytes int
	for range n {
		bytes = f()
	}
	out := useOfProcess().since(before).per(n)
	out.Bytes = float64(bytes)
	return out
}

// A use is what a process has used since it began.
type use struct {
	CPU      time.Duration // user and system
	Database time.Duration // CPU time of the database's own processes
	Allocs   uint64
	Bytes    uint64 // allocated
	Resident uint64 // bytes, now
}

// useOfProcess returns what this process has used.
func useOfProcess() use {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return use{CPU: cpuTime(), Allocs: m.Mallocs, Bytes: m.TotalAlloc, Resident: resident()}
}

func (u use) since(before use) use {
	return use{u.CPU - before.CPU, u.Database - before.Database, u.Allocs - before.Allocs, u.Bytes - before.Bytes,
		u.Resident}
}

// per returns what each of n operations used.
func (u use) per(n int) result.Sample {
	each := 1 / float64(n)
	return result.Sample{
		CPU:         float64(u.CPU.Nanoseconds()) / 1e3 * each,
		Allocs:      float64(u.Allocs) * each,
		AllocBytes:  float64(u.Bytes) * each,
		DatabaseCPU: float64(u.Database.Nanoseconds()) / 1e3 * each,
	}
}
