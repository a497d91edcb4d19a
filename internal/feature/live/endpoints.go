package live

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
)

// maxLiveLimit is the longest page that is streamed.
const maxLiveLimit = 100

// Endpoints have the endpoint that streams boards. In a process that streams nothing, requests
// are checked and then sent to the one that does.
type Endpoints struct {
	*api.Boards
	Gate *gate.Guard
	Live *Live  // nil: this process cannot stream
	URL  string // of the process that can; empty: there is none
}

// Routes are the routes of streams of boards.
func (s Endpoints) Routes() []gate.Route {
	return []gate.Route{
		// Steady: a board's commands are shared by all who watch it.
		{Function: "leaderboard", Pattern: "GET /v1/live/{mode}", Auth: gate.Public, Limit: limit.Boards, Price: api.Look(api.BoardPrice), Serve: s.GetLive},
	}
}

// GetLive streams a board: GET /v1/live/{mode}.
func (s Endpoints) GetLive(w http.ResponseWriter, r *gate.Request) error {
	asked, err := s.asked(r)
	if err != nil {
		return err
	}
	if s.Live == nil {
		return s.away(w, r)
	}
	b, limit := asked.board, asked.limit
	if s.Game.Closed(b.Period, s.Now()) {
		return s.last(w, r, asked)
	}
	watched := BoardStream{
		Board: b, Limit: limit, From: asked.from, Log: s.Log,
		First: func(ctx context.Context) error {
			if _, err := s.Reads.Page(ctx, b, game.PageRequest{Limit: limit}); err != nil && !leaderboard.IsRefusal(err) {
				return err
			}
			return nil
		},
		Pay:  s.Gate.ForViewers(s.Gate.Address(r.Request), api.DayPrice+api.LookPrice(b)),
		Page: encodeVersioned, Change: func(e *Event) []byte { return encodeChange(b, e) },
	}
	if me := r.Caller.Player.ID; me != "" {
		watched.Own = func(ctx context.Context) (string, bool) { return s.ownCard(ctx, b, me) }
	}
	return s.Live.WatchBoard(w, r.Request, s.Gate.Address(r.Request), watched)
}

// last answers for a closed board: it sends the final page, once.
func (s Endpoints) last(w http.ResponseWriter, r *gate.Request, asked watchRequest) error {
	if AnswerClosed(w, asked.from) {
		return nil
	}
	page, err := s.Reads.Page(r.Context(), asked.board, game.PageRequest{Limit: asked.limit})
	if err != nil {
		return err
	}
	s.LogStale(r.Context(), page.Found.Stale)
	page.Found.Next = ""
	s.Live.Final(w, r.Request, encodeVersioned(page.Found, 1))
	return nil
}

// ownTime bounds the reading of a viewer's own card.
const ownTime = 3 * time.Second

// ownCard is a player's card for that player's own stream. It is empty if the card cannot be
// read now; the next change of the board tries again. Each card counts as a request of its own
// against what the player may spend, and refused reports that the limit has no room for it.
func (s Endpoints) ownCard(ctx context.Context, b game.Board, player string) (body string, refused bool) {
	if b.OfTeams() {
		return "", false
	}
	ctx, settle := gate.ChargeAgain(ctx, api.DayPrice+api.LookPrice(b))
	defer settle()
	ctx, cancel := context.WithTimeout(ctx, ownTime)
	defer cancel()
	card, _, err := s.Card(ctx, b, api.Whose{Player: player, Me: player})
	if err != nil && !errors.Is(err, leaderboard.ErrNotOnBoard) {
		var p *problem.Problem
		return "", errors.As(err, &p)
	}
	text, err := json.Marshal(card)
	if err != nil {
		return "", false
	}
	return string(text), false
}

// versionedPage is a page as the boards route has it, with its version.
type versionedPage struct {
	api.Page
	Version int64 `json:"version"`
}

func encodeVersioned(p game.Page, version int64) []byte {
	body, _ := json.Marshal(versionedPage{api.NewPage(p, ""), version}) // texts and numbers always marshal
	return body
}

// changeAnswer is what has changed on a board.
type changeAnswer struct {
	Version   int64       `json:"version"`
	Total     int64       `json:"total"`
	UpdatedAt string      `json:"updated_at"`
	Entries   []api.Entry `json:"entries"`
	Gone      []string    `json:"gone"`
}

func encodeChange(of game.Board, e *Event) []byte {
	body, _ := json.Marshal(changeAnswer{
		e.Version, e.Total, e.UpdatedAt.UTC().Format(time.RFC3339), api.NewEntries(of, e.Changed, ""), append([]string{}, e.Gone...),
	})
	return body
}
