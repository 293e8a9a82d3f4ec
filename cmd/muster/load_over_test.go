//go:build full && volume

package main_test

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Times of the overload, and how many times the usual latency is normal.
const (
	normalTime   = 5 * time.Second
	capacityTime = 10 * time.Second
	overloadTime = 30 * time.Second
	overload     = 4
	slow         = 3
	offered      = 0.9 * overload // that the driver must have made at least
	rounds       = 3              // all are made and the median counts, whatever the first ones say
)

// loadOver: with four times the requests that it can answer, the server still
// answers nearly as many, refuses the others, and is as fast as before within 5
// seconds. Server and driver have a processor each: what the driver needs shall
// not be taken from the server.
//
// What counts are answers for the same processor time of the server, beside a
// processor that is not idle. Where the server has its processor for itself, that
// is the goodput by the clock; else that also includes what other processes took.
func loadOver(t *testing.T, g *figures) {
	t.Cleanup(func() { pin(t, fmt.Sprintf("0-%d", runtime.NumCPU()-1)) })
	pin(t, "0") // which the server inherits, and knows from its start
	s := newFolder(t).serve("--demo", "--rate-limit", "0")
	pin(t, "1")
	callers := s.callers(t, 1500, s.password)
	var made, idle, yield, latency []float64
	for round := range rounds {
		normal := drive(t, s, callers[:1], 0, normalTime)
		capacity := drive(t, s, callers[:32], 0, capacityTime)
		over := drive(t, s, callers, overload*capacity.goodput(), overloadTime)
		after := drive(t, s, callers[:1], 0, normalTime)
		made = append(made, over.rate()/capacity.goodput())
		idle = append(idle, 100*over.idle.Seconds()/over.span.Seconds())
		yield = append(yield, 100*over.yield()/capacity.yield())
		latency = append(latency, after.latency()/normal.latency())
		name := fmt.Sprintf("overload, round %d: ", round+1)
		g.note(name+"capacity", capacity.goodput(), "requests/s")
		g.note(name+"share of a processor that the server got, at capacity", 100*capacity.share(), "%")
		g.note(name+"and during the overload", 100*over.share(), "%")
		g.note(name+"requests made, of the capacity", made[round], "times")
		g.note(name+"goodput by the clock, of the capacity", 100*over.goodput()/capacity.goodput(), "%")
		g.note(name+"median latency of answers", over.latency(), "ms")
	}
	g.atLeast(t, "overload: requests made, of the capacity", median(made), offered, "times")
	g.atLeast(t, "overload: goodput for the same processor time, of the capacity", median(yield), 80, "%")
	g.atMost(t, "overload: the server's processor was idle", median(idle), 5, "%")
	g.atMost(t, "overload: median latency in the 5 s after, of that before", median(latency), slow, "times")
}

// median returns the middle one of figures.
func median(figures []float64) float64 {
	sorted := slices.Sorted(slices.Values(figures))
	return sorted[len(sorted)/2]
}

// pin gives this process with all its threads some processors.
func pin(t *testing.T, processors string) {
	t.Helper()
	out, err := exec.Command("taskset", "--all-tasks", "--cpu-list", "--pid", processors,
		strconv.Itoa(os.Getpid())).CombinedOutput()
	if err != nil {
		t.Logf("server and driver share the processors: %s", out)
	}
}

// idleTime returns how long the first processor has been idle.
func idleTime(t *testing.T) time.Duration {
	t.Helper()
	for line := range strings.Lines(read(t, "/proc/stat")) {
		if fields := strings.Fields(line); fields[0] == "cpu0" {
			return hundredths(t, fields[4:6]) // idle, and idle while a disk works
		}
	}
	t.Fatal("the system does not tell how long a processor was idle")
	return 0
}

// driven is what came of many requests.
type driven struct {
	mu        sync.Mutex
	span      time.Duration
	processor time.Duration // that the server used
	idle      time.Duration // in which its processor did nothing
	good      []float64     // latencies of answers in ms
	refused   int
}

// drive makes requests for a time: so many a second, or with 0 as many as the
// callers can. Each caller that is free takes the next one, so that there are as
// many of each sort however long they take.
func drive(t *testing.T, s *service, callers []*caller, perSecond float64, span time.Duration) *driven {
	t.Helper()
	d := &driven{}
	begin, used, idle := time.Now(), processorTime(t, s), idleTime(t)
	var all sync.WaitGroup
	var next atomic.Int64
	for _, c := range callers {
		all.Go(func() {
			for time.Since(begin) < span {
				n := next.Add(1)
				if perSecond > 0 {
					<-time.After(time.Until(begin.Add(time.Duration(float64(n) / perSecond * float64(time.Second)))))
				}
				if err := d.call(c, int(n)); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	d.span, d.processor, d.idle = time.Since(begin), processorTime(t, s)-used, idleTime(t)-idle
	return d
}

// call makes the n-th request.
func (d *driven) call(c *caller, n int) error {
	method, target, body := mixed(n)
	sent := time.Now()
	resp, err := c.do(method, target, body)
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, target, err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	switch resp.StatusCode {
	case http.StatusOK:
		d.good = append(d.good, time.Since(sent).Seconds()*1000)
	case http.StatusServiceUnavailable:
		d.refused++
	default:
		return fmt.Errorf("%s %s: got %s", method, target, resp.Status)
	}
	return nil
}

// goodput is how many requests a second were answered.
func (d *driven) goodput() float64 { return float64(len(d.good)) / d.span.Seconds() }

// rate is how many requests a second were made.
func (d *driven) rate() float64 { return float64(len(d.good)+d.refused) / d.span.Seconds() }

// share is how much of a processor the server had.
func (d *driven) share() float64 { return d.processor.Seconds() / d.span.Seconds() }

// yield is how many requests were answered in a second of processor time.
func (d *driven) yield() float64 { return float64(len(d.good)) / d.processor.Seconds() }

// latency is the median of the latencies of answers, in ms.
func (d *driven) latency() float64 { return median(d.good) }
