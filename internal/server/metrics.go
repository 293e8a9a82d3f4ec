package server

import (
	"errors"
	"net/http"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"muster/internal/api"
	"muster/internal/digest"
	"muster/internal/disk"
	"muster/internal/fragment"
	"muster/internal/front"
	"muster/internal/intake"
	"muster/internal/store"
	"muster/internal/web/page"
)

// Bounds of histograms, in seconds: of requests to 30 s, after which they are
// ended, of transactions from what one query takes.
var (
	requestBounds     = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}
	transactionBounds = []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}
)

// metrics are what Prometheus reads of a server. No other file knows
// Prometheus: the packages below report what happens by functions and plain
// figures. doc/observe.md has the table of all names, which a test checks.
type metrics struct {
	registry     *prometheus.Registry
	requests     *prometheus.CounterVec
	durations    *prometheus.HistogramVec
	bytes        *prometheus.CounterVec
	logins       *prometheus.CounterVec
	limited      *prometheus.CounterVec
	reports      *prometheus.CounterVec
	transactions *prometheus.HistogramVec
	waits        *prometheus.HistogramVec
	errors       *prometheus.CounterVec
	unobserved   prometheus.Counter
}

// newMetrics returns metrics that nothing has happened to.
func newMetrics(version string) *metrics {
	m := &metrics{registry: prometheus.NewRegistry()}
	m.registry.MustRegister(collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.requests = m.counters("muster_http_requests_total", "Requests answered.", "route", "method", "status")
	m.durations = m.histograms("muster_http_request_duration_seconds",
		"Time from a request's header to the end of its answer.",
		requestBounds, "route", "method")
	m.bytes = m.counters("muster_http_response_body_bytes_total", "Bytes of bodies sent, as they were sent.", "route")
	m.logins = m.counters("muster_logins_total", "Outcomes of authentication.", "outcome")
	m.limited = m.counters("muster_limited_requests_total", "Requests refused because of a limit, with 429 or 503.",
		"limit")
	m.reports = m.counters("muster_agent_reports_total", "Reports of agents, by what became of them.", "outcome")
	m.transactions = m.histograms("muster_database_transaction_duration_seconds",
		"Time from a transaction's beginning to its end.",
		transactionBounds, "mode")
	m.waits = m.histograms("muster_database_wait_duration_seconds", "Time until a transaction began.",
		transactionBounds, "mode")
	m.errors = m.counters("muster_database_errors_total", "Transactions that failed for a reason of the database.",
		"sort")
	m.unobserved = prometheus.NewCounter(prometheus.CounterOpts{Name: "muster_observe_refused_total",
		Help: "Requests for metrics that were refused, since they had not their token."})
	m.registry.MustRegister(m.unobserved)
	m.gauge("muster_build_info", "Always 1; its labels name the program.", func() float64 { return 1 },
		"version", version, "go", runtime.Version())
	m.begin()
	return m
}

// begin makes the counters that alerts look at exist before their first event:
// a rate over a counter that appears with its first event misses it.
func (m *metrics) begin() {
	m.requests.WithLabelValues("none", "other", "5xx")
	for _, sort := range []string{unavailable, tooLong, overtaken, full, uncertain} {
		m.errors.WithLabelValues(sort)
	}
	for _, limit := range slices.Concat(api.Limits, intake.Limits, page.Limits) {
		m.limited.WithLabelValues(limit)
	}
	for _, outcome := range intake.Outcomes {
		m.reports.WithLabelValues(outcome)
	}
	for outcome := digest.Missing; outcome <= digest.Verified; outcome++ {
		m.logins.WithLabelValues(outcome.String())
	}
}

// handler returns what serves the metrics.
func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4})
}

func (m *metrics) counters(name, help string, labels ...string) *prometheus.CounterVec {
	c := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	m.registry.MustRegister(c)
	return c
}

func (m *metrics) histograms(name, help string, bounds []float64, labels ...string) *prometheus.HistogramVec {
	h := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: bounds}, labels)
	m.registry.MustRegister(h)
	return h
}

// gauge adds a metric that is read when it is asked for; labels are pairs of a
// name and a value.
func (m *metrics) gauge(name, help string, read func() float64, labels ...string) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: name, Help: help, ConstLabels: pairs(labels),
	}, read))
}

// counter is gauge for a number that only rises.
func (m *metrics) counter(name, help string, read func() float64, labels ...string) {
	m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: name, Help: help, ConstLabels: pairs(labels),
	}, read))
}

func pairs(labels []string) prometheus.Labels {
	out := prometheus.Labels{}
	for i := 0; i < len(labels); i += 2 {
		out[labels[i]] = labels[i+1]
	}
	return out
}

// classes are the classes of statuses, the first of a request that was cut off
// before its answer.
var classes = [...]string{"none", "1xx", "2xx", "3xx", "4xx", "5xx"}

// request counts a request that was answered.
func (m *metrics) request(r front.Report) {
	route, method := r.Route, r.Method
	if route == "" {
		route = "none"
	}
	if method == "" {
		method = "other"
	}
	m.requests.WithLabelValues(route, method, classes[r.Status/100%len(classes)]).Inc()
	m.durations.WithLabelValues(route, method).Observe(r.Took.Seconds())
	m.bytes.WithLabelValues(route).Add(float64(r.Bytes))
	if r.Login != "" {
		m.logins.WithLabelValues(r.Login).Inc()
	}
	if r.Limit != "" {
		m.limited.WithLabelValues(r.Limit).Inc()
	}
}

// report counts a report of an agent.
func (m *metrics) report(outcome string) { m.reports.WithLabelValues(outcome).Inc() }

// Sorts of errors of the database.
const (
	unavailable = "unavailable"
	tooLong     = "too_long"
	overtaken   = "overtaken"
	full        = "full"
	uncertain   = "uncertain"
)

// transaction counts a transaction that has ended.
func (m *metrics) transaction(t store.Transaction) {
	mode := t.Mode.String()
	m.waits.WithLabelValues(mode).Observe(t.Waited.Seconds())
	m.transactions.WithLabelValues(mode).Observe(t.Took.Seconds())
	switch {
	case t.Err == nil:
	case errors.Is(t.Err, store.ErrUncertain):
		m.errors.WithLabelValues(uncertain).Inc()
	case errors.Is(t.Err, store.ErrFull):
		m.errors.WithLabelValues(full).Inc()
	case errors.Is(t.Err, store.ErrOvertaken):
		m.errors.WithLabelValues(overtaken).Inc()
	case errors.Is(t.Err, store.ErrTooLong):
		m.errors.WithLabelValues(tooLong).Inc()
	case errors.Is(t.Err, store.ErrUnavailable):
		m.errors.WithLabelValues(unavailable).Inc()
	}
}

// watchServer adds what is read of a server that is about to serve.
func (m *metrics) watchServer(s *Server, p *Place) {
	m.gauge("muster_http_requests_in_flight", "Requests that are being answered.",
		func() float64 { return float64(s.front.InFlight()) })
	m.gauge("muster_http_requests_waiting", "Requests among these that wait for their turn.",
		func() float64 { return float64(s.Load().Waiting) })
	m.gauge("muster_connections", "Connections of clients.", func() float64 { return float64(s.Connections().Open) })
	m.gauge("muster_connections_idle", "Connections among these without a request.",
		func() float64 { return float64(s.Connections().Idle) })
	m.counter("muster_slow_requests_ended_total",
		"Requests that were ended before all of them had come, of addresses with too many slow ones.",
		func() float64 { return float64(s.Connections().Ended) })
	if s.source != nil {
		m.gauge("muster_certificate_expiry_timestamp_seconds", "End of the TLS certificate, in seconds since 1970.",
			func() float64 { return float64(s.source.Expires().Unix()) })
	}
	fragments := func(read func(fragment.Stats) int64) func() float64 {
		return func() float64 { return float64(read(s.installation.desk.Renderer().Stats())) }
	}
	m.counter("muster_cache_hits_total", "Records that were shown as they were kept in memory.",
		fragments(func(f fragment.Stats) int64 { return f.Hits }))
	m.counter("muster_cache_misses_total", "Records that had to be read and rendered, of those that are kept.",
		fragments(func(f fragment.Stats) int64 { return f.Misses }))
	m.gauge("muster_cache_bytes", "Bytes of what is kept in memory of documents.",
		fragments(func(f fragment.Stats) int64 { return f.Bytes }))
	m.gauge("muster_audit_head_disputed", "1 when the audit trail is not the one that this node saw.", func() float64 {
		if s.installation.keeper.State().Disputed {
			return 1
		}
		return 0
	})
	m.counter("muster_audit_head_failures_total",
		"Times that the head of the audit trail could not be kept in the data folder.",
		func() float64 { return float64(s.installation.keeper.State().Failures) })
	m.space("data", p.Data)
	if !store.IsPostgres(p.database()) {
		m.space("database", filepath.Dir(p.database()))
	}
	m.watchCensus(newCensus(s.installation.desk, p.kinds()))
}

// space adds the free room of a folder's file system.
func (m *metrics) space(name, folder string) {
	m.gauge("muster_disk_free_bytes", "Bytes that can still be written.", func() float64 {
		space, err := disk.Room(folder)
		if err != nil {
			return unknown
		}
		return float64(space.Free)
	}, "folder", name)
}

// watchStore adds what is read of a store.
func (m *metrics) watchStore(s *store.Store, p *Place) {
	for _, mode := range []store.Mode{store.Reading, store.Viewing, store.Updating} {
		m.gauge("muster_database_waiting", "Transactions that wait for their turn to write, or for a connection.",
			func() float64 { return float64(s.Stats().Waiting[mode]) }, "mode", mode.String())
	}
	for _, source := range []store.Source{store.FromMemory, store.FromTables} {
		m.counter("muster_lists_total", "Lists answered, by what told which records are on the page.",
			func() float64 { return float64(s.Stats().Lists[source]) }, "from", source.String())
	}
	m.counter("muster_index_loads_total", "Times that the indexes in memory were loaded.",
		func() float64 { return float64(s.Stats().Loads) })
	m.counter("muster_index_drops_total", "Times that they were dropped, so that lists came from the tables.",
		func() float64 { return float64(s.Stats().Drops) })
	m.counter("muster_database_statements_total", "Statements that the database was given.",
		func() float64 { return float64(s.Stats().Ran) })
	if s.Shared() {
		m.watchPool(s)
	} else {
		m.counter("muster_database_commits_total", "Commits; each may be of several changes.",
			func() float64 { return float64(s.Stats().Commits) })
	}
}

// watchCensus adds what is counted now and then.
func (m *metrics) watchCensus(c *census) {
	m.registry.MustRegister(&tableSizes{c})
	m.gauge("muster_database_size_bytes", "Bytes of the database.", c.size)
	for _, k := range c.kinds {
		m.gauge("muster_records", "Records.", func() float64 { return c.records(k) }, "kind", k.Path())
	}
	if !c.desk.Store().Shared() {
		return
	}
	m.gauge("muster_audits_pending", "Audit records that wait to be added to the chain.", c.waiting)
	m.gauge("muster_feed_rows", "Rows of the feed by which nodes learn of each other's changes.", c.fed)
}

// tableSizes are the sizes of tables, of which upgrades make new ones.
type tableSizes struct{ census *census }

var tableSize = prometheus.NewDesc("muster_database_table_bytes", "Bytes of a table with its indexes.",
	[]string{"table"}, nil)

// Describe sends how the sizes are described.
func (t *tableSizes) Describe(to chan<- *prometheus.Desc) { to <- tableSize }

// Collect sends the sizes.
func (t *tableSizes) Collect(to chan<- prometheus.Metric) {
	for table, bytes := range t.census.sizes() {
		to <- prometheus.MustNewConstMetric(tableSize, prometheus.GaugeValue, float64(bytes), table)
	}
}

// watchPool adds the connections to PostgreSQL.
func (m *metrics) watchPool(s *store.Store) {
	const name, help = "muster_database_connections", "Connections to PostgreSQL."
	m.gauge(name, help, func() float64 { return float64(s.Stats().Pool.Busy) }, "state", "busy")
	m.gauge(name, help, func() float64 { p := s.Stats().Pool; return float64(p.Open - p.Busy) }, "state", "idle")
	m.gauge("muster_database_connections_max", "Most connections to PostgreSQL.",
		func() float64 { return float64(s.Stats().Pool.Most) })
	m.counter("muster_database_connection_waits_total",
		"Times that a connection to PostgreSQL had to be waited for or opened.",
		func() float64 { return float64(s.Stats().Pool.Waits) })
	m.counter("muster_database_retries_total",
		"Transactions that were run again, after a conflict with another or on a new connection.",
		func() float64 { return float64(s.Stats().Retries) })
	m.gauge("muster_lists_behind_seconds",
		"How old what lists from memory know of other nodes' changes may be; above 1 they come from the tables.",
		func() float64 { return s.Stats().Behind.Seconds() })
}
