package api

import (
	"net/http"
	"strings"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/api/route"
	"github.com/framedle/leaderboards/internal/feature/live"
	"github.com/framedle/leaderboards/internal/feature/matches"
	"github.com/framedle/leaderboards/internal/game"
)

// liveEndpoints are the endpoints that stream.
type liveEndpoints struct{ board, duel, race gate.Endpoint }

// routes are the routes of streams.
func (e liveEndpoints) routes() []route.Route {
	return []route.Route{
		// Steady: a board's commands are shared by all who watch it.
		{Function: "leaderboard", Pattern: "GET /v1/live/{mode}", Auth: gate.Public, Limit: limit.Boards, Price: look(boardPrice), Serve: e.board},
		{Function: "leaderboard", Pattern: "GET /v1/live/duels/{id}", Auth: gate.PlayerOrServer, Limit: limit.Boards,
			Price: route.UpTo(2), Steady: 1, Serve: e.duel},
		{Function: "leaderboard", Pattern: "GET /v1/live/races/{id}", Auth: gate.SignedIn, Limit: limit.Boards,
			Price: route.UpTo(14), Steady: 4, Serve: e.race},
	}
}

// liveOf makes the endpoints that stream in this process; if it has no streams, those that
// send callers to the process that has.
func liveOf(a *API, s Services) liveEndpoints {
	here, away := streams{boards{a}, s.Live}, elsewhere{boards{a}}
	if s.Live == nil {
		return liveEndpoints{away.getLive, away.getLiveDuel, away.getLiveRace}
	}
	records := matches.NewStreams(matchesOf(a, s), s.Live, away.getLiveRace)
	return liveEndpoints{here.getLive, records.GetLiveDuel, records.GetLiveRace}
}

// elsewhere are the streaming endpoints of a process that cannot stream. Each request is
// checked as the streaming process would check it, and then sent there.
type elsewhere struct{ boards }

func (s elsewhere) getLive(w http.ResponseWriter, r *gate.Request) error {
	if _, err := s.liveAsked(r); err != nil {
		return err
	}
	return s.away(w, r)
}

func (s elsewhere) getLiveDuel(w http.ResponseWriter, r *gate.Request) error {
	return s.recordAway(w, r, game.ValidDuel)
}

func (s elsewhere) getLiveRace(w http.ResponseWriter, r *gate.Request) error {
	return s.recordAway(w, r, game.ValidRace)
}

func (s elsewhere) recordAway(w http.ResponseWriter, r *gate.Request, valid func(id string) error) error {
	if _, _, err := live.AskedRecord(r, valid); err != nil {
		return err
	}
	return s.away(w, r)
}

// away sends the caller to the process that streams.
func (s elsewhere) away(w http.ResponseWriter, r *gate.Request) error {
	if s.LiveURL == "" {
		return problem.NoLiveBoards()
	}
	w.Header().Set("Location", strings.TrimSuffix(s.LiveURL, "/")+r.URL.RequestURI())
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusTemporaryRedirect)
	return nil
}

// liveAsked is the board that a request wants to watch.
type liveAsked struct {
	board game.Board
	limit int64
	from  string // the last event that the caller has received; empty: none
}

// liveAsked reads which board a request wants to watch.
func (s boards) liveAsked(r *gate.Request) (asked liveAsked, err error) {
	q := decode.OpenQuery(r.URL)
	if asked.board, err = s.whichBoard(r, q); err != nil {
		return asked, err
	}
	asked.limit = q.Number("limit", defaultLimit, 1, maxLiveLimit)
	asked.from = live.LastEvent(r, q)
	return asked, q.Done()
}
