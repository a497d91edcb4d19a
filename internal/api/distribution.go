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
)

// distributionAnswer is how everybody on a board did.
type distributionAnswer struct {
	Board
	Total     int64          `json:"total"`
	UpdatedAt string         `json:"updated_at"`
	Closed    bool           `json:"closed"`
	Stale     bool           `json:"stale,omitempty"`
	Buckets   []bucketAnswer `json:"buckets"`
	Me        *ownBucket     `json:"me,omitempty"`
	History   string         `json:"history,omitempty"`
}

type bucketAnswer struct {
	From    json.RawMessage `json:"from"`
	To      json.RawMessage `json:"to"`
	Players int64           `json:"players"`
}

// ownBucket is the caller's bucket.
type ownBucket struct {
	Bucket     int             `json:"bucket"` // its index
	Score      json.RawMessage `json:"score"`
	Values     json.RawMessage `json:"values,omitempty"`
	Rank       int64           `json:"rank"`
	Percentile float64         `json:"percentile"`
	TopPercent float64         `json:"top_percent"`
}

// getDistribution reads GET /v1/leaderboards/{mode}/distribution.
func (s *Boards) getDistribution(w http.ResponseWriter, r *gate.Request) error {
	q := decode.OpenQuery(r.URL)
	b, err := s.WhichBoard(r, q)
	if err != nil {
		return err
	}
	buckets := int(q.Number("buckets", game.DefaultBuckets, 1, game.MostBuckets))
	if err := q.Done(); err != nil {
		return err
	}
	if err := gate.CostsMore(r.Context(), DistributionBeside+buckets); err != nil {
		return err
	}
	read, err := s.Reads.Distribution(r.Context(), b, buckets)
	if err != nil {
		return err
	}
	d := read.Found
	s.LogStale(r.Context(), d.Stale)
	ShowDegraded(w, read.Degraded)
	answer := newDistribution(d)
	if read.Unkept {
		answer.History = historyUnavailable
	}
	fresh, while := s.FreshFor(leaderboard.Answer[game.Page]{
		Found: game.Page{UpdatedAt: d.UpdatedAt, Closed: d.Closed, Stale: d.Stale}, Degraded: read.Degraded,
	})
	if answer.Me, err = s.ownBucket(r.Context(), &d, r.Caller.Player.ID); err != nil {
		return err
	}
	return respond.Public(w, r.Request, CacheFor(w, answer.Me != nil, fresh, while), answer)
}

func newDistribution(d game.Distribution) distributionAnswer {
	b := d.Board
	answer := distributionAnswer{
		Board: NewBoard(b),
		Total: d.Total, UpdatedAt: d.UpdatedAt.UTC().Format(time.RFC3339), Closed: d.Closed, Stale: d.Stale != nil,
		Buckets: make([]bucketAnswer, len(d.Buckets)),
	}
	v := game.Leading(b.Mode)
	for i, bucket := range d.Buckets {
		answer.Buckets[i] = bucketAnswer{json.RawMessage(v.Format(bucket.From)), json.RawMessage(v.Format(bucket.To)), bucket.Players}
	}
	return answer
}

// ownBucket finds the caller's bucket. It is nil if the caller is unknown or not on the
// board, and if the board ranks groups.
func (s *Boards) ownBucket(ctx context.Context, d *game.Distribution, me string) (*ownBucket, error) {
	b := d.Board
	if me == "" || b.OfTeams() || d.Total == 0 {
		return nil, nil
	}
	if err := gate.CostsMore(ctx, CardPrice-DayPrice); err != nil {
		return nil, err
	}
	read, err := s.Reads.Card(ctx, b, me)
	if errors.Is(err, leaderboard.ErrNotOnBoard) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	card := read.Found
	return &ownBucket{
		Bucket: d.BucketOf(card.Score), Score: json.RawMessage(b.Mode.FormatScore(card.Score)), Values: b.Mode.FormatValues(card.Score),
		Rank: card.Rank, Percentile: game.Percentile(card.Rank, card.Total), TopPercent: game.TopPercent(card.Rank, card.Total),
	}, nil
}
