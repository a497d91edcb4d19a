package live

import (
	"net/http"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/game"
)

func init() {
	problem.Register("no-live-boards", problem.Kind{Status: http.StatusNotImplemented, Title: "Live boards aren't enabled", Meant: true})
	problem.Register("no-seat", problem.Kind{Status: http.StatusServiceUnavailable, Title: "Too many viewers", Meant: true})
}

// OrAway is the endpoint that streams a record; in a process that cannot stream, the one that
// checks each request as the streaming process would, and then sends it there.
func (s Endpoints) OrAway(valid func(id string) error, serve gate.Endpoint) gate.Endpoint {
	if s.Live == nil {
		return s.Away(valid)
	}
	return serve
}

// Away is the endpoint that checks a request for a record, and then sends it away.
func (s Endpoints) Away(valid func(id string) error) gate.Endpoint {
	return func(w http.ResponseWriter, r *gate.Request) error {
		if _, _, err := AskedRecord(r, valid); err != nil {
			return err
		}
		return s.away(w, r)
	}
}

// away sends the caller to the process that streams.
func (s Endpoints) away(w http.ResponseWriter, r *gate.Request) error {
	if s.URL == "" {
		return problem.New("no-live-boards", "streaming isn't available here; poll GET /v1/leaderboards/{mode} instead")
	}
	w.Header().Set("Location", strings.TrimSuffix(s.URL, "/")+r.URL.RequestURI())
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusTemporaryRedirect)
	return nil
}

// watchRequest is the board that a request wants to watch.
type watchRequest struct {
	board game.Board
	limit int64
	from  string // the last event that the caller has received; empty: none
}

// asked reads which board a request wants to watch.
func (s Endpoints) asked(r *gate.Request) (a watchRequest, err error) {
	q := decode.OpenQuery(r.URL)
	if a.board, err = s.WhichBoard(r, q); err != nil {
		return a, err
	}
	a.limit = q.Number("limit", api.DefaultLimit, 1, maxLiveLimit)
	a.from = LastEvent(r, q)
	return a, q.Done()
}

// noSeat refuses a viewer of a stream. The viewer can read the board meanwhile.
func noSeat() *problem.Problem {
	p := problem.New("no-seat", "too many open streams on this server or from your IP; retry after Retry-After, or poll GET /v1/leaderboards/{mode}")
	p.Wait = 30 * time.Second // a viewer may have left by then
	return p
}
