// Package metrics shows Prometheus what a process's calls cost, the state of the product, and
// Go's own figures of the process, and sends the same over OTLP.
//
// It knows Prometheus' library, which is too large for a function. Only programs that run for
// days may link it, not those that start for a request.
package metrics

import (
	"context"
	"net/http"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	dto "github.com/prometheus/client_model/go"

	"github.com/framedle/leaderboards/internal/platform/usage"
)

// maxSeries bounds the label sets of a process. Calls that would need a further set are counted
// under the route other.
const maxSeries = 256

const namespace = "leaderboards"

// buckets are upper bounds of durations, in seconds.
var buckets = []float64{0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5}

// counted are the counters of calls, each with the labels route and class.
var counted = []struct {
	name, help string
	value      func(usage.Call, usage.Count) int64
}{
	{"requests_total", "Requests answered.", func(_ usage.Call, n usage.Count) int64 { return n.Calls }},
	{"commands_total", "Redis commands billed.", func(_ usage.Call, n usage.Count) int64 { return n.Commands }},
	{"round_trips_total", "Round trips to Redis.", func(_ usage.Call, n usage.Count) int64 { return n.RoundTrips }},
	{"redis_sent_bytes_total", "Bytes sent to Redis.", func(_ usage.Call, n usage.Count) int64 { return n.Sent }},
	{"redis_received_bytes_total", "Bytes received from Redis.", func(_ usage.Call, n usage.Count) int64 { return n.Received }},
	{"postgres_queries_total", "Queries to Postgres.", func(_ usage.Call, n usage.Count) int64 { return n.Queries }},
	{"postgres_rows_total", "Rows that Postgres returned or changed.", func(_ usage.Call, n usage.Count) int64 { return n.Rows }},
	{"accepted_scores_total", "Scores that changed a board.", func(_ usage.Call, n usage.Count) int64 { return n.Accepted }},
	{"throttled_total", "Requests answered with 429 or 503.", func(_ usage.Call, n usage.Count) int64 { return n.Throttled }},
	{"replayed_total", "Requests answered from their idempotency key.", func(_ usage.Call, n usage.Count) int64 { return n.Replayed }},
	{"cold_starts_total", "Requests that were the first of their process.", func(c usage.Call, _ usage.Count) int64 {
		if c.Cold {
			return 1
		}
		return 0
	}},
}

// Metrics are those of a process. They are safe for concurrent use.
type Metrics struct {
	function  string
	registry  *prometheus.Registry
	counters  []*prometheus.CounterVec // as counted
	durations *prometheus.HistogramVec
	level     prometheus.Gauge

	mu   sync.Mutex
	seen map[set]bool
}

// set is one set of labels.
type set struct{ route, class string }

// New makes the metrics of a process of the function.
func New(function string) *Metrics {
	m := &Metrics{function: function, registry: prometheus.NewRegistry(), seen: map[set]bool{}}
	of := prometheus.Labels{"function": function}
	labels := []string{"route", "class"}
	for _, c := range counted {
		counter := prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: c.name, Help: c.help, ConstLabels: of}, labels)
		m.counters = append(m.counters, counter)
		m.registry.MustRegister(counter)
	}
	m.durations = prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: namespace, Name: "request_duration_seconds", Help: "Time to answer.", ConstLabels: of, Buckets: buckets}, labels)
	m.level = prometheus.NewGauge(prometheus.GaugeOpts{Namespace: namespace, Name: "budget_level", Help: "Active degradation steps of the budget.", ConstLabels: of})
	m.registry.MustRegister(m.durations, m.level, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Add counts a call.
func (m *Metrics) Add(c usage.Call) {
	n := c.Count()
	of := m.bounded(set{c.Route, string('0'+rune(c.Status/100)) + "xx"})
	for i, counter := range m.counters {
		counter.WithLabelValues(of.route, of.class).Add(float64(counted[i].value(c, n)))
	}
	m.durations.WithLabelValues(of.route, of.class).Observe(c.Duration.Seconds())
	m.level.Set(float64(c.Level))
}

// bounded returns the labels under which a call is counted.
func (m *Metrics) bounded(of set) set {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.seen[of] && len(m.seen) >= maxSeries {
		of.route = usage.Stray
	}
	m.seen[of] = true
	return of
}

// Handler serves the metrics at GET /metrics to callers whose Authorization header verify
// accepts. Next serves everything else.
func (m *Metrics) Handler(read func(context.Context) []usage.Gauge, verify func(authorization string) error, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/metrics" {
			next.ServeHTTP(w, r)
			return
		}
		if r.Method != http.MethodGet {
			w.Header().Set("Allow", http.MethodGet)
			http.Error(w, "metrics are read with GET", http.StatusMethodNotAllowed)
			return
		}
		if verify(r.Header.Get("Authorization")) != nil {
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "send the metrics token (Authorization: Bearer …)", http.StatusUnauthorized)
			return
		}
		all := m.gatherer(func() []usage.Gauge {
			if read == nil {
				return nil
			}
			return read(r.Context())
		})
		w.Header().Set("Cache-Control", "no-store")
		promhttp.HandlerFor(all, promhttp.HandlerOpts{}).ServeHTTP(w, r)
	})
}

// gatherer gathers the sums, and the gauges that read returns.
func (m *Metrics) gatherer(read func() []usage.Gauge) prometheus.Gatherer {
	return prometheus.GathererFunc(func() ([]*dto.MetricFamily, error) {
		state := prometheus.NewRegistry()
		state.MustRegister(gauges(read()))
		return prometheus.Gatherers{m.registry, state}.Gather()
	})
}

// gauges are the product's state at one moment.
type gauges []usage.Gauge

// Describe sends nothing: which gauges there are depends on what is known of the state.
func (gauges) Describe(chan<- *prometheus.Desc) {}

// Collect sends the gauges.
func (all gauges) Collect(to chan<- prometheus.Metric) {
	for _, g := range all {
		var names, values []string
		if g.Label != "" {
			names, values = []string{g.Label}, []string{g.Of}
		}
		desc := prometheus.NewDesc(prometheus.BuildFQName(namespace, "", g.Name), g.Help, names, nil)
		to <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, g.Value, values...)
	}
}
