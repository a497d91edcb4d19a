package api

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
	"github.com/framedle/leaderboards/internal/platform/budget"
)

// Card is one player's card. For a player who asks for their own card and is not on the
// board, it has the total; the rest of the standing is null.
type Card struct {
	Board
	Rank         *int64          `json:"rank"` // replaces the entry's
	Entry                        // player, score, name, picture, country, me
	Total        int64           `json:"total"`
	Percentile   *float64        `json:"percentile"`
	TopPercent   *float64        `json:"top_percent"`
	PreviousRank *int64          `json:"previous_rank"`
	RankChange   *int64          `json:"rank_change"`
	Details      json.RawMessage `json:"details,omitempty"`
	Stale        bool            `json:"stale,omitempty"`
	UpdatedAt    string          `json:"updated_at,omitempty"` // only in stale answers
	History      string          `json:"history,omitempty"`
}

// getCard reads GET /v1/leaderboards/{mode}/players/{player}.
func (s *Boards) getCard(w http.ResponseWriter, r *gate.Request) error {
	q := decode.OpenQuery(r.URL)
	player, own := gate.PathPlayer(r, q)
	b, err := s.WhichBoard(r, q)
	if err != nil {
		return err
	}
	near(q) // checked only: a card needs no hint, one command answers rank and score
	if err := q.Done(); err != nil {
		return err
	}
	answer, lacks, err := s.Card(r.Context(), b, Whose{Player: player, Me: r.Caller.Player.ID})
	if err != nil && !isAbsentMe(r, err) {
		return err
	}
	ShowDegraded(w, lacks)
	return respond.Public(w, r.Request, respond.CacheOf(w, own), answer)
}

// Card is a player's card as the caller of.Me may see it; an empty of.Me is an unknown
// caller. With leaderboard.ErrNotOnBoard it still returns the answer for a player who asks for
// their own card and is not on the board yet.
func (s *Boards) Card(ctx context.Context, b game.Board, of Whose) (Card, budget.Measures, error) {
	player, me := of.Player, of.Me
	read, err := s.Reads.Card(ctx, b, player)
	card, lacks := read.Found, read.Degraded
	if err == nil {
		return s.NewCard(ctx, b, card, me), lacks, nil
	}
	answer := Card{Board: NewBoard(b), Total: card.Total}
	answer.Player, answer.Me = player, player == me
	if answer.Me && errors.Is(err, leaderboard.ErrNotOnBoard) {
		answer.Total, answer.History, err = s.withoutMe(ctx, b, card.Total, err)
	}
	return answer, lacks, err
}

// NewCard is a player's card as the caller me may see it.
func (s *Boards) NewCard(ctx context.Context, b game.Board, card game.Standing, me string) Card {
	answer := Card{Board: NewBoard(b), Total: card.Total}
	percentile, top := game.Percentile(card.Rank, card.Total), game.TopPercent(card.Rank, card.Total)
	answer.Rank, answer.Percentile, answer.TopPercent = &card.Rank, &percentile, &top
	answer.Entry, answer.Details = newEntry(b, card.Entry, me), card.Details
	if card.Stale != nil {
		s.LogStale(ctx, card.Stale)
		answer.Stale, answer.UpdatedAt = true, card.UpdatedAt.UTC().Format(time.RFC3339)
	}
	if card.Profile.Hidden && card.Player != me {
		answer.Details = nil
	}
	if card.PreviousRank > 0 {
		change := card.PreviousRank - card.Rank
		answer.PreviousRank, answer.RankChange = &card.PreviousRank, &change
	}
	return answer
}

// Around is a player's entry among its neighbours. For a player who asks for their own
// and is not on the board, it has the total only.
type Around struct {
	Page
	Rank   *int64          `json:"rank"`
	Score  json.RawMessage `json:"score"`
	Values json.RawMessage `json:"values,omitempty"`
}

// getAround reads GET /v1/leaderboards/{mode}/around/{player}.
func (s *Boards) getAround(w http.ResponseWriter, r *gate.Request) error {
	q := decode.OpenQuery(r.URL)
	player, own := gate.PathPlayer(r, q)
	b, err := s.WhichBoard(r, q)
	if err != nil {
		return err
	}
	reach, hint := q.Number("range", DefaultRange, 1, maxRange), near(q)
	if err := q.Done(); err != nil {
		return err
	}
	me := r.Caller.Player.ID
	answer, lacks, err := s.Around(r.Context(), b, Whose{player, me, reach, leaderboard.PlaceHint{Rank: hint}})
	if err != nil && !isAbsentMe(r, err) {
		return err
	}
	ShowDegraded(w, lacks)
	return WritePage(w, r, respond.CacheOf(w, own || HasOwnRow(answer.Entries)), answer)
}

// Whose names the player of a card or of its surroundings, and the caller who asks for it.
type Whose struct {
	Player, Me string // Me is the caller; empty: unknown
	Reach      int64
	Seen       leaderboard.PlaceHint
}

// Around is a player's entry among its neighbours. With leaderboard.ErrNotOnBoard it still returns
// the answer for a player who asks for their own and is not on the board yet.
func (s *Boards) Around(ctx context.Context, b game.Board, of Whose) (Around, budget.Measures, error) {
	read, err := s.Reads.Around(ctx, b, of.Player, of.Reach, of.Seen)
	page, lacks := read.Found, read.Degraded
	if err != nil {
		now := s.Now()
		page = game.Page{Board: b, Total: page.Total, UpdatedAt: now, Closed: s.Game.Closed(b.Period, now)}
		answer := Around{Page: NewPage(page, of.Me)}
		if of.Player == of.Me && errors.Is(err, leaderboard.ErrNotOnBoard) {
			answer.Total, answer.History, err = s.withoutMe(ctx, b, page.Total, err)
		}
		return answer, lacks, err
	}
	s.LogStale(ctx, page.Stale)
	answer := Around{Page: NewPage(page, of.Me)}
	for i, row := range answer.Entries {
		if row.Player == of.Player {
			answer.Rank, answer.Score, answer.Values = &answer.Entries[i].Rank, row.Score, row.Values
		}
	}
	return answer, lacks, nil
}

// isAbsentMe reports whether the only error is that callers who ask for themselves are not on
// the board. Before their first play, most callers are not.
func isAbsentMe(r *gate.Request, err error) bool {
	return r.PathValue("player") == "me" && errors.Is(err, leaderboard.ErrNotOnBoard)
}

// withoutMe returns the total of a board that the caller is not on. If Redis has no entries
// of a closed board, the archive may have them, so withoutMe reads a page through it. It
// returns the error absent, unless reading fails.
func (s *Boards) withoutMe(ctx context.Context, b game.Board, found int64, absent error) (total int64, history string, err error) {
	if found > 0 || !s.Game.Closed(b.Period, s.Now()) {
		return found, "", absent
	}
	page, err := s.Reads.Page(ctx, b, game.PageRequest{Limit: 1})
	if err != nil {
		return 0, "", err
	}
	if page.Unkept {
		history = historyUnavailable
	}
	return page.Found.Total, history, absent
}

// near reads the caller's last known rank, a hint; 0: none.
func near(q *decode.Query) int64 { return q.Number("near", 0, 1, maxNear) }
