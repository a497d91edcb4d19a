package usage

import (
	"context"
	"net/http"
)

// Gauge is a figure of the product's state. Those of one name have the same help and label.
type Gauge struct {
	Name, Help string // the name without leaderboards_
	Label, Of  string // such as schedule and cron-daily; empty: none
	Value      float64
}

// Exporter adds up a process's calls and shows them to who asks, or sends them to who is to have
// them. It is safe for concurrent use.
type Exporter interface {
	Recorder
	// Handler also serves the sums and the gauges, read again each time (nil: none). Next serves
	// everything else.
	Handler(read func(context.Context) []Gauge, next http.Handler) http.Handler
	// Close sends the last sums, where they are sent.
	Close(ctx context.Context)
}
