package costday

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/platform/usage"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/internal/product/jobs"
	"github.com/framedle/leaderboards/upstash"
)

// How long environments live; the values are those of Lambda.
const (
	requestTakes = 50 * time.Millisecond // of one environment, which serves no other request meanwhile
	mostIdle     = 7 * time.Minute
	mostAge      = 2 * time.Hour
	// endsThatLose: one environment in so many ends without the last write of the usage
	// counters.
	endsThatLose = 10
)

// environment is where functions run, with one memory. In a deployment it runs one
// function; if one process serves everything, it runs all functions.
type environment struct {
	app     *app.App
	serves  map[string]http.Handler // by function
	watches map[string]*usage.Watch // by function
	began   time.Time
	free    time.Time // when its last request is finished
}

// routeKey is the context key of the meter of what a request's handler spends. The meter
// does not count what the watch of the function spends around the handler.
type routeKey struct{}

// newEnvironment starts the product again for some of its functions.
func (s *run) newEnvironment(around jobs.Around, functions ...string) (*environment, error) {
	a, err := s.start()
	if err != nil {
		return nil, err
	}
	e := &environment{app: a, serves: map[string]http.Handler{}, watches: map[string]*usage.Watch{}, began: s.clock.Now()}
	handlers := jobs.NewProduct(a, s.Archive).Functions(around)
	for _, function := range functions {
		e.watches[function] = a.Watch(function)
		if serve := handlers[function]; serve != nil {
			e.serves[function] = e.watches[function].Handler(apart(serve))
		}
	}
	return e, nil
}

// apart makes the meter under routeKey count what a handler spends.
func apart(serve http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if inner, ok := r.Context().Value(routeKey{}).(*upstash.Meter); ok {
			r = r.WithContext(upstash.WithMeter(r.Context(), inner))
		}
		serve.ServeHTTP(w, r)
	})
}

// ends is when the host ends the environment unless a request comes before.
func (e *environment) ends() time.Time {
	at := e.free.Add(mostIdle)
	if oldest := e.began.Add(mostAge); oldest.Before(at) {
		at = oldest
	}
	if at.Before(e.free) {
		return e.free
	}
	return at
}

// end does what a function does when its host warns it of the end. In one case of
// endsThatLose it does nothing, as when the warning is lost.
func (s *run) end(ctx context.Context, e *environment, to counts) error {
	if s.lots.IntN(endsThatLose) == 0 {
		return nil
	}
	return to.metered(ctx, routeCounters, func(ctx context.Context, _ *upstash.Meter) error {
		for _, function := range slices.Sorted(maps.Keys(e.watches)) {
			if err := e.watches[function].Close(ctx); err != nil {
				return err
			}
		}
		return nil
	})
}
