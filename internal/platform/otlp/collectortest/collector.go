// Package collectortest is a collector of traces and metrics for tests.
package collectortest

import (
	"cmp"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	metrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	"google.golang.org/protobuf/proto"
)

// Span is a span that the collector received.
type Span struct {
	Trace, ID, Parent string // in hexadecimal digits
	Name, Kind        string
	Failed            bool
	About             map[string]any // attributes
	Of                map[string]any // attributes of the resource
}

// Point is a value of a metric that the collector received: of a counter or gauge, or how
// many values a histogram has.
type Point struct {
	Name  string
	Value float64
	About map[string]any // attributes
	Of    map[string]any // attributes of the resource
}

// Collector accepts traces and metrics over OTLP/HTTP.
type Collector struct {
	URL string

	mu      sync.Mutex
	spans   []Span
	points  []Point
	headers []http.Header
	down    bool
}

// Start starts a collector that ends with the test.
func Start(t *testing.T) *Collector {
	t.Helper()
	c := &Collector{}
	server := httptest.NewServer(http.HandlerFunc(c.take))
	t.Cleanup(server.Close)
	c.URL = server.URL
	return c
}

// Down makes the collector answer 500, or stop doing so.
func (c *Collector) Down(down bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.down = down
}

// Spans are the received spans, by name.
func (c *Collector) Spans() []Span {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.SortedFunc(slices.Values(c.spans), func(a, b Span) int { return cmp.Compare(a.Name, b.Name) })
}

// Points are the received values of metrics, in the order in which they came.
func (c *Collector) Points() []Point {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.points)
}

// Headers are the headers of each received request.
func (c *Collector) Headers() []http.Header {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.headers)
}

func (c *Collector) take(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.headers = append(c.headers, r.Header)
	var batch collector.ExportTraceServiceRequest
	var figures metrics.ExportMetricsServiceRequest
	body, err := io.ReadAll(r.Body)
	switch {
	case c.down:
		http.Error(w, "down", http.StatusInternalServerError)
		return
	case err == nil && r.URL.Path == "/v1/metrics" && proto.Unmarshal(body, &figures) == nil:
		c.takePoints(&figures)
	case err != nil || r.URL.Path != "/v1/traces" || proto.Unmarshal(body, &batch) != nil:
		http.Error(w, "no traces", http.StatusBadRequest)
		return
	}
	for _, of := range batch.ResourceSpans {
		for _, scope := range of.ScopeSpans {
			for _, s := range scope.Spans {
				c.spans = append(c.spans, Span{
					Trace: hex.EncodeToString(s.TraceId), ID: hex.EncodeToString(s.SpanId), Parent: hex.EncodeToString(s.ParentSpanId),
					Name: s.Name, Kind: s.Kind.String(), Failed: s.GetStatus().GetCode() == 2,
					About: values(s.Attributes), Of: values(of.GetResource().GetAttributes()),
				})
			}
		}
	}
	w.Header().Set("Content-Type", "application/x-protobuf")
}

func (c *Collector) takePoints(batch *metrics.ExportMetricsServiceRequest) {
	for _, of := range batch.ResourceMetrics {
		about := values(of.GetResource().GetAttributes())
		for _, scope := range of.ScopeMetrics {
			for _, m := range scope.Metrics {
				for _, p := range append(m.GetSum().GetDataPoints(), m.GetGauge().GetDataPoints()...) {
					c.points = append(c.points, Point{m.Name, p.GetAsDouble(), values(p.Attributes), about})
				}
				for _, p := range m.GetHistogram().GetDataPoints() {
					c.points = append(c.points, Point{m.Name, float64(p.Count), values(p.Attributes), about})
				}
			}
		}
	}
}

func values(all []*common.KeyValue) map[string]any {
	byName := map[string]any{}
	for _, a := range all {
		switch v := a.Value.Value.(type) {
		case *common.AnyValue_StringValue:
			byName[a.Key] = v.StringValue
		case *common.AnyValue_IntValue:
			byName[a.Key] = v.IntValue
		default:
			byName[a.Key] = a.Value.String()
		}
	}
	return byName
}
