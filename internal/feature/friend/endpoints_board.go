package friend

import (
	"context"
	"net/http"

	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/budget"
)

// GetBoard ranks the caller and the caller's friends: GET /v1/leaderboards/{mode}/friends.
func (s Endpoints) GetBoard(w http.ResponseWriter, r *gate.Request) error {
	q := decode.OpenQuery(r.URL)
	b, err := s.Boards.WhichBoard(r, q)
	if err != nil {
		return err
	}
	if b.Scope != (game.Scope{}) || q.Has("scope") {
		q.Fault("scope", "a board of friends has no scope; omit it")
	}
	if err := q.Done(); err != nil {
		return err
	}
	answer, lacks, err := s.Board(r.Context(), b, r.Caller.Player.ID)
	if err != nil {
		return err
	}
	api.ShowDegraded(w, lacks)
	return api.WritePage(w, r, respond.OwnCache, answer)
}

// Board is a player's board of friends. It has all rows: its total is their number.
func (s Endpoints) Board(ctx context.Context, b game.Board, player string) (api.Page, budget.Measures, error) {
	read, err := s.Boards.Reads.Friends(ctx, b, player, s.Lists.Read)
	if err != nil {
		return api.Page{}, budget.Measures{}, err
	}
	now := s.Boards.Now()
	page := game.Page{Board: b, Total: int64(len(read.Found)), UpdatedAt: now, Closed: s.Boards.Game.Closed(b.Period, now), Entries: read.Found}
	return api.NewPage(page, player), read.Degraded, nil
}
