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

// cardAnswer is one player's card. For a player who asks for their own card and is not on the
// board, it has the total; the rest of the standing is null.
type cardAnswer struct {
	boardAnswer
	Rank         *int64          `json:"rank"` // replaces the entry's
	entryAnswer                  // player, score, name, picture, country, me
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
func (s boards) getCard(w http.ResponseWriter, r *gate.Request) error {
	q := decode.OpenQuery(r.URL)
	player, own := gate.PathPlayer(r, q)
	b, err := s.whichBoard(r, q)
	if err != nil {
		return err
	}
	near(q) // checked only: a card needs no hint, one command answers rank and score
	if err := q.Done(); err != nil {
		return err
	}
	answer, lacks, err := s.card(r.Context(), b, whose{player: player, me: r.Caller.Player.ID})
	if err != nil && !isAbsentMe(r, err) {
		return err
	}
	showDegraded(w, lacks)
	return respond.Public(w, r.Request, respond.CacheOf(w, own), answer)
}

// card is a player's card as the caller of.me may see it; an empty of.me is an unknown
// caller. With leaderboard.ErrNotOnBoard it still returns the answer for a player who asks for
// their own card and is not on the board yet.
func (s boards) card(ctx context.Context, b game.Board, of whose) (cardAnswer, budget.Measures, error) {
	player, me := of.player, of.me
	read, err := s.reads.Card(ctx, b, player)
	card, lacks := read.Found, read.Degraded
	if err == nil {
		return s.newCard(ctx, b, card, me), lacks, nil
	}
	answer := cardAnswer{boardAnswer: newBoardAnswer(b), Total: card.Total}
	answer.Player, answer.Me = player, player == me
	if answer.Me && errors.Is(err, leaderboard.ErrNotOnBoard) {
		answer.Total, answer.History, err = s.withoutMe(ctx, b, card.Total, err)
	}
	return answer, lacks, err
}

// newCard is a player's card as the caller me may see it.
func (s boards) newCard(ctx context.Context, b game.Board, card game.Standing, me string) cardAnswer {
	answer := cardAnswer{boardAnswer: newBoardAnswer(b), Total: card.Total}
	percentile, top := game.Percentile(card.Rank, card.Total), game.TopPercent(card.Rank, card.Total)
	answer.Rank, answer.Percentile, answer.TopPercent = &card.Rank, &percentile, &top
	answer.entryAnswer, answer.Details = newEntry(b, card.Entry, me), card.Details
	if card.Stale != nil {
		s.logStale(ctx, card.Stale)
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

// aroundAnswer is a player's entry among its neighbours. For a player who asks for their own
// and is not on the board, it has the total only.
type aroundAnswer struct {
	pageAnswer
	Rank   *int64          `json:"rank"`
	Score  json.RawMessage `json:"score"`
	Values json.RawMessage `json:"values,omitempty"`
}

// getAround reads GET /v1/leaderboards/{mode}/around/{player}.
func (s boards) getAround(w http.ResponseWriter, r *gate.Request) error {
	q := decode.OpenQuery(r.URL)
	player, own := gate.PathPlayer(r, q)
	b, err := s.whichBoard(r, q)
	if err != nil {
		return err
	}
	reach, hint := q.Number("range", defaultRange, 1, maxRange), near(q)
	if err := q.Done(); err != nil {
		return err
	}
	me := r.Caller.Player.ID
	answer, lacks, err := s.around(r.Context(), b, whose{player, me, reach, leaderboard.Seen{Rank: hint}})
	if err != nil && !isAbsentMe(r, err) {
		return err
	}
	showDegraded(w, lacks)
	return writePage(w, r, respond.CacheOf(w, own || marked(answer.Entries)), answer)
}

// whose names the player of a card or of its surroundings, and the caller who asks for it.
type whose struct {
	player, me string // me is the caller; empty: unknown
	reach      int64
	seen       leaderboard.Seen
}

// around is a player's entry among its neighbours. With leaderboard.ErrNotOnBoard it still returns
// the answer for a player who asks for their own and is not on the board yet.
func (s boards) around(ctx context.Context, b game.Board, of whose) (aroundAnswer, budget.Measures, error) {
	read, err := s.reads.Around(ctx, b, of.player, of.reach, of.seen)
	page, lacks := read.Found, read.Degraded
	if err != nil {
		now := s.Now()
		page = game.Page{Board: b, Total: page.Total, UpdatedAt: now, Closed: s.Game.Closed(b.Period, now)}
		answer := aroundAnswer{pageAnswer: newPageAnswer(page, of.me)}
		if of.player == of.me && errors.Is(err, leaderboard.ErrNotOnBoard) {
			answer.Total, answer.History, err = s.withoutMe(ctx, b, page.Total, err)
		}
		return answer, lacks, err
	}
	s.logStale(ctx, page.Stale)
	answer := aroundAnswer{pageAnswer: newPageAnswer(page, of.me)}
	for i, row := range answer.Entries {
		if row.Player == of.player {
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
func (s boards) withoutMe(ctx context.Context, b game.Board, found int64, absent error) (total int64, history string, err error) {
	if found > 0 || !s.Game.Closed(b.Period, s.Now()) {
		return found, "", absent
	}
	page, err := s.reads.Page(ctx, b, game.PageRequest{Limit: 1})
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
