// Package collectortest is a collector of traces for tests.
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

// Collector accepts traces over OTLP/HTTP.
type Collector struct {
	URL string

	mu      sync.Mutex
	spans   []Span
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
	body, err := io.ReadAll(r.Body)
	switch {
	case c.down:
		http.Error(w, "down", http.StatusInternalServerError)
		return
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
