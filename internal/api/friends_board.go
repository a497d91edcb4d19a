package api

import (
	"context"
	"net/http"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/budget"
)

// getFriends ranks the caller and the caller's friends: GET /v1/leaderboards/{mode}/friends.
func (s boards) getFriends(w http.ResponseWriter, r *gate.Request) error {
	q := decode.OpenQuery(r.URL)
	b, err := s.whichBoard(r, q)
	if err != nil {
		return err
	}
	if b.Scope != (game.Scope{}) || q.Has("scope") {
		q.Fault("scope", "friends are ranked among themselves; leave the scope out")
	}
	if err := q.Done(); err != nil {
		return err
	}
	answer, lacks, err := s.friends(r.Context(), b, r.Caller.Player.ID)
	if err != nil {
		return err
	}
	showDegraded(w, lacks)
	return writePage(w, r, respond.OwnCache, answer)
}

// friends is a player's board of friends. It has all rows: its total is their number.
func (s boards) friends(ctx context.Context, b game.Board, player string) (pageAnswer, budget.Measures, error) {
	read, err := s.reads.Friends(ctx, b, player, s.Lists.Read)
	if err != nil {
		return pageAnswer{}, budget.Measures{}, err
	}
	now := s.Now()
	page := game.Page{Board: b, Total: int64(len(read.Found)), UpdatedAt: now, Closed: s.Game.Closed(b.Period, now), Entries: read.Found}
	return newPageAnswer(page, player), read.Degraded, nil
}
