package server

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"muster/internal/desk/jobs"
	"muster/internal/store/queue"
)

// jobMetrics are what Prometheus reads of jobs. All of them are of one look at the database, at each scrape: four
// queries, each with an index.
type jobMetrics struct{ jobs *jobs.Service }

var (
	jobNumbers = prometheus.NewDesc("muster_jobs", "Jobs that wait, run or have failed.", []string{"handler", "state"}, nil)
	jobsLate   = prometheus.NewDesc("muster_jobs_late_seconds",
		"For how long a job has been due that no process has, of the one that waits longest.", []string{"handler"}, nil)
	jobsHeld = prometheus.NewDesc("muster_jobs_held",
		"1 while jobs that reach outside are held, since the database was restored.", nil, nil)
)

// Describe names the metrics.
func (m *jobMetrics) Describe(to chan<- *prometheus.Desc) {
	to <- jobNumbers
	to <- jobsLate
	to <- jobsHeld
}

// Collect reads them. While the database does not answer there are none.
func (m *jobMetrics) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), censusTime)
	defer cancel()
	state, err := m.jobs.State(ctx)
	if err != nil {
		return
	}
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	for series, n := range m.numbers(state) {
		gauge(jobNumbers, float64(n), series.Handler, string(series.State))
	}
	for _, handler := range m.jobs.Handlers() {
		gauge(jobsLate, state.Late[handler].Seconds(), handler)
	}
	gauge(jobsHeld, map[bool]float64{true: 1}[state.Held])
}

// A jobSeries is what is counted.
type jobSeries struct {
	Handler string
	State   queue.State
}

// numbers returns how many jobs there are, 0 of those that there may be.
func (m *jobMetrics) numbers(state jobs.State) map[jobSeries]int64 {
	numbers := map[jobSeries]int64{}
	for _, handler := range m.jobs.Handlers() {
		for _, state := range []queue.State{queue.Waiting, queue.Running, queue.Failed} {
			numbers[jobSeries{handler, state}] = 0
		}
	}
	for _, n := range state.Numbers {
		if _, ours := numbers[jobSeries{n.Handler, n.State}]; ours {
			numbers[jobSeries{n.Handler, n.State}] = n.Jobs
		}
	}
	return numbers
}
