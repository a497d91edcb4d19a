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

// Exporter adds up a process's calls and shows them to who asks. It is safe for concurrent use.
type Exporter interface {
	Recorder
	// Handler serves the sums and the gauges, read anew each time (nil: none), to callers whose
	// Authorization header verify accepts. Next serves everything else.
	Handler(read func(context.Context) []Gauge, verify func(authorization string) error, next http.Handler) http.Handler
}
