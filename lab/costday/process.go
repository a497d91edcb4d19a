package costday

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/framedle/leaderboards/internal/jobs"
	"github.com/framedle/leaderboards/lab/people"
	"github.com/framedle/leaderboards/upstash"
)

// The routes of the day beside the schedules' functions.
const (
	routeSubmit   = "submit"
	routePage     = "page"
	routeAround   = "around"
	routeFriends  = "friends"
	routeCounters = "usage counters"
)

// The functions that players ask.
const (
	functionSubmit      = "submit"
	functionLeaderboard = "leaderboard"
	functionFriends     = "friends"
)

// process serves every function that players ask, from one memory.
type process struct {
	functions map[string]http.Handler
}

// routeKey carries the meter of what the handler of a request spends, which
// leaves out what its function's watch does around it.
type routeKey struct{}

// newProcess starts a process. With a queue scores go there.
func (s *run) newProcess(q *scoreQueue) (*process, error) {
	a, err := s.start()
	if err != nil {
		return nil, err
	}
	around := jobs.Around{}
	if q != nil {
		around.Scores = q
	}
	handlers := jobs.NewProduct(a, s.Archive).Functions(around)
	if q != nil {
		handlers[functionSubmit] = handlers["enqueue"]
	}
	p := &process{functions: map[string]http.Handler{}}
	for _, function := range []string{functionSubmit, functionLeaderboard, functionFriends} {
		p.functions[function] = a.Watch(function).Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if inner, ok := r.Context().Value(routeKey{}).(*upstash.Meter); ok {
				r = r.WithContext(upstash.WithMeter(r.Context(), inner))
			}
			handlers[function].ServeHTTP(w, r)
		}))
	}
	return p, nil
}

// port is the one that every request comes from.
const port = ":40000"

// request is what an event asks of the product.
func (c crowd) request(ctx context.Context, e event) (function, route string, r *http.Request, err error) {
	method, path, body := http.MethodGet, "", ""
	switch e.act {
	case submits:
		function, route = functionSubmit, routeSubmit
		method, path = http.MethodPost, "/v1/scores"
		body = fmt.Sprintf(`{"mode":%q,"score":%d}`, e.mode, e.score)
	case looks:
		function, route = functionLeaderboard, routePage
		path = "/v1/leaderboards/" + e.mode
	case looksAround:
		function, route = functionLeaderboard, routeAround
		path = "/v1/leaderboards/" + e.mode + "/around/me"
	case looksAtFriends:
		function, route = functionLeaderboard, routeFriends
		path = "/v1/leaderboards/" + e.mode + "/friends"
	}
	r, err = http.NewRequestWithContext(ctx, method, path, strings.NewReader(body))
	if err != nil {
		return "", "", nil, err
	}
	r.RemoteAddr = people.Address(e.player) + port
	if e.act != looks {
		r.Header.Set("Authorization", "Bearer "+c.all[e.player].ID)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	return function, route, r, nil
}

// serve has a process answer an event, which must go well.
func (s *run) serve(ctx context.Context, p *process, e event, to counts) error {
	function, route, r, err := s.crowd.request(ctx, e)
	if err != nil {
		return err
	}
	return s.ask(p.functions[function], route, r, to)
}

func (s *run) ask(h http.Handler, route string, r *http.Request, to counts) error {
	out := answer{header: http.Header{}}
	return to.metered(r.Context(), route, func(ctx context.Context, inner *upstash.Meter) error {
		h.ServeHTTP(&out, r.WithContext(context.WithValue(ctx, routeKey{}, inner)))
		if out.status != http.StatusOK && out.status != http.StatusCreated && out.status != http.StatusAccepted {
			return fmt.Errorf("%s %s was answered with %d: %s", r.Method, r.URL, out.status, out.body)
		}
		return nil
	})
}

// answer takes a handler's answer, and keeps the body where it tells of a failure.
type answer struct {
	header http.Header
	status int
	body   []byte
}

func (a *answer) Header() http.Header { return a.header }

func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

func (a *answer) Write(p []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	if a.status >= http.StatusBadRequest {
		a.body = append(a.body, p...)
	}
	return len(p), nil
}
