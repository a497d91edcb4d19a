package api

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/framedle/leaderboards/internal/budget"
	"github.com/framedle/leaderboards/internal/game"
)

type cardAnswer struct {
	Mode         string          `json:"mode"`
	Period       string          `json:"period"`
	Key          string          `json:"key"`
	Scope        string          `json:"scope"`
	entryAnswer                  // rank, player, score, name, picture, country
	Total        int64           `json:"total"`
	Percentile   float64         `json:"percentile"`
	TopPercent   float64         `json:"top_percent"`
	PreviousRank *int64          `json:"previous_rank"`
	RankChange   *int64          `json:"rank_change"`
	Details      json.RawMessage `json:"details,omitempty"`
	Stale        bool            `json:"stale,omitempty"`
	UpdatedAt    string          `json:"updated_at,omitempty"` // where it is stale
}

// getCard reads GET /v1/leaderboards/{mode}/players/{player}.
func (s boards) getCard(w http.ResponseWriter, r *request) error {
	q := newQuery(r)
	player, cache := playerOf(r, q)
	b, err := whichBoard(s.game, s.now(), r, q)
	if err != nil {
		return err
	}
	near(q) // a card's rank and score are one command's answer, hint or none
	if err := q.done(); err != nil {
		return err
	}
	read, err := s.reads.Card(r.Context(), b, player)
	if err != nil {
		return err
	}
	card := read.Found
	answer := cardAnswer{
		Mode: b.Mode.Called(), Period: b.Period.Kind().String(), Key: b.Period.Key(), Scope: b.Scope.String(),
		entryAnswer: newEntry(b.Mode, card.Entry),
		Total:       card.Total,
		Percentile:  game.Percentile(card.Rank, card.Total),
		TopPercent:  game.TopPercent(card.Rank, card.Total),
		Details:     card.Details,
	}
	if card.Stale != nil {
		s.tellStale(r.Context(), card.Stale)
		answer.Stale, answer.UpdatedAt = true, card.UpdatedAt.UTC().Format(time.RFC3339)
	}
	if card.Profile.Hidden && r.PathValue("player") != "me" {
		answer.Details = nil
	}
	if card.PreviousRank > 0 {
		change := card.PreviousRank - card.Rank
		answer.PreviousRank, answer.RankChange = &card.PreviousRank, &change
	}
	tellDegraded(w, budget.Measures{Refresh: read.Degraded.Refresh, Features: read.Degraded.Features})
	return writePublic(w, r, cache, answer)
}

// getAround reads GET /v1/leaderboards/{mode}/around/{player}.
func (s boards) getAround(w http.ResponseWriter, r *request) error {
	q := newQuery(r)
	player, cache := playerOf(r, q)
	b, err := whichBoard(s.game, s.now(), r, q)
	if err != nil {
		return err
	}
	reach, hint := q.number("range", defaultRange, 1, maxRange), near(q)
	if err := q.done(); err != nil {
		return err
	}
	page, err := s.reads.Around(r.Context(), b, player, reach, hint)
	if err != nil {
		return err
	}
	s.tellStale(r.Context(), page.Found.Stale)
	tellDegraded(w, budget.Measures{Refresh: page.Degraded.Refresh})
	return writePage(w, r, cache, newPageAnswer(page.Found))
}

// near reads the rank that the caller knows of; 0: none.
func near(q *query) int64 { return q.number("near", 0, 1, maxNear) }
