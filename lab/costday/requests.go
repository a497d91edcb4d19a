package costday

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/framedle/leaderboards/lab/people"
	"github.com/framedle/leaderboards/upstash"
)

// The routes of the day, apart from the scheduled functions.
const (
	routeSubmit   = "submit"
	routePage     = "page"
	routeAround   = "around"
	routeFriends  = "friends"
	routeWeek     = "own week"
	routeCounters = "usage counters"
)

// act is what a player does at one moment.
type act int

const (
	submits     act = iota
	looks           // at the top 100
	looksAround     // at the player's own neighbours
	looksAtFriends
	looksAtWeek // at the player's own card of the week
)

// port is the port that every request comes from.
const port = ":40000"

// request makes the request of an event. rank is the rank in the answer to the player's
// score; 0 if the request shall not name it.
func (c crowd) request(ctx context.Context, e event, rank int64) (route string, r *http.Request, err error) {
	method, path, body := http.MethodGet, "/v1/leaderboards/"+e.mode, ""
	switch e.act {
	case submits:
		route, method, path = routeSubmit, http.MethodPost, "/v1/scores"
		body = fmt.Sprintf(`{"mode":%q,"score":%d}`, e.mode, e.score)
		if e.view != "" {
			body = body[:len(body)-1] + `,"view":` + e.view + `}`
		}
	case looks:
		route = routePage
	case looksAround:
		route = routeAround
		if path += "/around/me"; rank > 0 {
			path += "?near=" + strconv.FormatInt(rank, 10)
		}
	case looksAtFriends:
		route = routeFriends
		path += "/friends"
	case looksAtWeek:
		route = routeWeek
		path += "/players/me?period=week"
	}
	r, err = http.NewRequestWithContext(ctx, method, path, strings.NewReader(body))
	if err != nil {
		return "", nil, err
	}
	r.RemoteAddr = people.Address(e.player) + port
	if e.act != looks {
		r.Header.Set("Authorization", "Bearer "+c.all[e.player].ID)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	return route, r, nil
}

// serve sends the request of an event; it must succeed.
func (s *run) serve(ctx context.Context, by http.Handler, e event, j Journey, to counts) error {
	rank := int64(0)
	if j == Near {
		rank = s.ranks[e.player]
	}
	route, r, err := s.crowd.request(ctx, e, rank)
	if err != nil {
		return err
	}
	body, err := ask(by, route, r, to)
	if err != nil || j != Near || e.act != submits || e.mode != firstMode {
		return err
	}
	var answered struct{ Rank int64 }
	err = json.Unmarshal(body, &answered)
	s.ranks[e.player] = answered.Rank
	return err
}

func ask(h http.Handler, route string, r *http.Request, to counts) (body []byte, err error) {
	out := answer{header: http.Header{}}
	err = to.metered(r.Context(), route, func(ctx context.Context, inner *upstash.Meter) error {
		h.ServeHTTP(&out, r.WithContext(context.WithValue(ctx, routeKey{}, inner)))
		if out.status != http.StatusOK && out.status != http.StatusCreated && out.status != http.StatusAccepted {
			return fmt.Errorf("%s %s was answered with %d: %s", r.Method, r.URL, out.status, out.body)
		}
		return nil
	})
	return out.body, err
}

// answer collects the answer of a handler.
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
	a.body = append(a.body, p...)
	return len(p), nil
}
