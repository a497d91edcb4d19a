package usage

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"sync"
)

// maxSeries bounds the label sets of a process. Calls that would need a further set are counted
// under the route other.
const maxSeries = 256

// buckets are upper bounds of durations, in seconds.
var buckets = [...]float64{0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5}

// Metrics add up a process's calls for Prometheus. They are safe for concurrent use.
type Metrics struct {
	function string
	mu       sync.Mutex
	series   map[labels]*series
	level    int // of the last call
	gauges   func(context.Context) []Gauge
}

// Gauge is a figure of the product's state. Those of one name follow each other.
type Gauge struct {
	Name, Help string // the name without leaderboards_
	Label      string // as in schedule="cron-daily"; empty: none
	Value      float64
}

// Gauges has read called for each scrape. It must be called before the handler serves.
func (m *Metrics) Gauges(read func(context.Context) []Gauge) { m.gauges = read }

type labels struct {
	route string
	class int // 2 for 2xx
}

type series struct {
	count   Count
	cold    int64
	seconds float64
	within  [len(buckets)]int64
}

// NewMetrics makes the metrics of a function.
func NewMetrics(function string) *Metrics {
	return &Metrics{function: function, series: map[labels]*series{}}
}

// Add counts a call.
func (m *Metrics) Add(c Call) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.level = c.Level
	of := labels{c.Route, c.Status / 100}
	s := m.series[of]
	if s == nil && len(m.series) >= maxSeries {
		of.route = Stray
		s = m.series[of]
	}
	if s == nil {
		s = &series{}
		m.series[of] = s
	}
	s.count.Add(c.count())
	s.cold += one(c.Cold)
	s.seconds += c.Duration.Seconds()
	for i, bound := range buckets {
		if c.Duration.Seconds() <= bound {
			s.within[i]++
		}
	}
}

// Handler serves the metrics at GET /metrics to callers whose Authorization header verify
// accepts. Next serves everything else.
func (m *Metrics) Handler(verify func(authorization string) error, next http.Handler) http.Handler {
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
			http.Error(w, "send the token of the metrics (Authorization: Bearer …)", http.StatusUnauthorized)
			return
		}
		var gauges []Gauge
		if m.gauges != nil {
			gauges = m.gauges(r.Context())
		}
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		m.write(w)
		writeGauges(w, gauges)
	})
}

func writeGauges(w io.Writer, gauges []Gauge) {
	last := ""
	for _, g := range gauges {
		if g.Name != last {
			_, _ = fmt.Fprintf(w, "# HELP leaderboards_%s %s\n# TYPE leaderboards_%[1]s gauge\n", g.Name, g.Help)
			last = g.Name
		}
		label := ""
		if g.Label != "" {
			label = "{" + g.Label + "}"
		}
		_, _ = fmt.Fprintf(w, "leaderboards_%s%s %s\n", g.Name, label, strconv.FormatFloat(g.Value, 'f', -1, 64))
	}
}

func (m *Metrics) write(w io.Writer) {
	m.mu.Lock()
	level := m.level
	all := make(map[labels]series, len(m.series))
	for of, s := range m.series {
		all[of] = *s
	}
	m.mu.Unlock()
	order := slices.SortedFunc(maps.Keys(all), func(a, b labels) int {
		return cmp.Or(cmp.Compare(a.route, b.route), cmp.Compare(a.class, b.class))
	})
	named := func(of labels) string {
		return fmt.Sprintf("function=%q,route=%q,class=\"%dxx\"", m.function, of.route, of.class)
	}
	for _, counter := range []struct {
		name, help string
		value      func(series) int64
	}{
		{"requests_total", "Requests answered.", func(s series) int64 { return s.count.Calls }},
		{"commands_total", "Redis commands billed.", func(s series) int64 { return s.count.Commands }},
		{"round_trips_total", "Exchanges with Redis.", func(s series) int64 { return s.count.RoundTrips }},
		{"redis_sent_bytes_total", "Bytes sent to Redis.", func(s series) int64 { return s.count.Sent }},
		{"redis_received_bytes_total", "Bytes received from Redis.", func(s series) int64 { return s.count.Received }},
		{"postgres_queries_total", "Queries to Postgres.", func(s series) int64 { return s.count.Queries }},
		{"postgres_rows_total", "Rows that Postgres returned or changed.", func(s series) int64 { return s.count.Rows }},
		{"accepted_scores_total", "Scores that changed a board.", func(s series) int64 { return s.count.Accepted }},
		{"throttled_total", "Requests answered with 429 or 503.", func(s series) int64 { return s.count.Throttled }},
		{"replayed_total", "Requests answered from their idempotency key.", func(s series) int64 { return s.count.Replayed }},
		{"cold_starts_total", "Requests that were the first of their process.", func(s series) int64 { return s.cold }},
	} {
		_, _ = fmt.Fprintf(w, "# HELP leaderboards_%s %s\n# TYPE leaderboards_%[1]s counter\n", counter.name, counter.help)
		for _, of := range order {
			_, _ = fmt.Fprintf(w, "leaderboards_%s{%s} %d\n", counter.name, named(of), counter.value(all[of]))
		}
	}
	_, _ = fmt.Fprintf(w, "# HELP leaderboards_budget_level How many of the budget's measures are in force.\n# TYPE leaderboards_budget_level gauge\nleaderboards_budget_level{function=%q} %d\n", m.function, level)
	_, _ = fmt.Fprint(w, "# HELP leaderboards_request_duration_seconds Time to answer.\n# TYPE leaderboards_request_duration_seconds histogram\n")
	for _, of := range order {
		s := all[of]
		for i, bound := range buckets {
			_, _ = fmt.Fprintf(w, "leaderboards_request_duration_seconds_bucket{%s,le=\"%g\"} %d\n", named(of), bound, s.within[i])
		}
		_, _ = fmt.Fprintf(w, "leaderboards_request_duration_seconds_bucket{%s,le=\"+Inf\"} %d\n", named(of), s.count.Calls)
		_, _ = fmt.Fprintf(w, "leaderboards_request_duration_seconds_sum{%s} %g\n", named(of), s.seconds)
		_, _ = fmt.Fprintf(w, "leaderboards_request_duration_seconds_count{%s} %d\n", named(of), s.count.Calls)
	}
}
