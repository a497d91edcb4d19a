package soak

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"sync/atomic"

	"github.com/framedle/leaderboards/lab/caller"
	"github.com/framedle/leaderboards/lab/model"
)

// cardShare: the cards of one board in so many are read.
const cardShare = 9

type cardBody struct {
	Rank         int64       `json:"rank"`
	Score        json.Number `json:"score"`
	Total        int64       `json:"total"`
	Percentile   float64     `json:"percentile"`
	TopPercent   float64     `json:"top_percent"`
	PreviousRank *int64      `json:"previous_rank"`
	RankChange   *int64      `json:"rank_change"`
}

// cards returns reads of one player's card on some of the boards.
func (r *run) cards(boards []model.Board) []read {
	var reads []read
	rng := r.rng("cards", int(r.now.Unix()))
	for _, b := range boards {
		if rng.IntN(cardShare) > 0 {
			continue
		}
		pick := rng.Int()
		reads = append(reads, func(ctx context.Context) (finding, error) { return r.checkCard(ctx, b, pick) })
	}
	return reads
}

func (r *run) checkCard(ctx context.Context, b model.Board, pick int) (finding, error) {
	rows := r.model.Rows(b)
	if len(rows) == 0 {
		return finding{}, nil
	}
	want := rows[pick%len(rows)]
	m := r.model.RuleOf(b)
	id := r.model.IDs[want.Player]
	var got cardBody
	err := r.calls.Get(ctx, caller.Nobody, "/v1/leaderboards/"+m.Name+"/players/"+url.PathEscape(id)+"?"+r.query(b).Encode(), &got)
	if err != nil && !errors.Is(err, caller.ErrNotFound) {
		return finding{}, err
	}
	atomic.AddInt64(&r.report.Cards, 1)
	total := int64(len(rows))
	score, ok := model.Scaled(got.Score.String(), m.Decimals)
	switch {
	case err != nil:
		return r.finding(b, "%s has no card, must have rank %d", id, want.Rank)
	case !ok || score != want.Score || !r.model.MayRank(b, rows, want, got.Rank):
		return r.finding(b, "the card of %s tells rank %d with %s, must be %d with %s", id, got.Rank, got.Score, want.Rank, model.Written(want.Score, m.Decimals))
	case got.Total != total:
		f, _ := r.finding(b, "the card of %s tells a total of %d, must be %d", id, got.Total, total)
		f.total = got.Total < total
		return f, nil
	case !model.IsShare(got.Percentile, total-got.Rank+1, total) || !model.IsShare(got.TopPercent, got.Rank, total):
		return r.finding(b, "the card of %s tells percentile %v and top %v%% at rank %d of %d", id, got.Percentile, got.TopPercent, got.Rank, total)
	}
	return r.checkPrevious(b, want, got)
}

// checkPrevious compares a card's rank in the period before with the model.
func (r *run) checkPrevious(b model.Board, want model.Row, got cardBody) (finding, error) {
	id := r.model.IDs[want.Player]
	before, ok := b.Period.Previous()
	if b.Mode == model.XP || !ok || !r.History && !r.inRedis(before) {
		return finding{}, nil
	}
	earlier := model.Board{Mode: b.Mode, Period: before, Scope: b.Scope}
	rows := r.model.Rows(earlier)
	i := slices.IndexFunc(rows, func(was model.Row) bool { return was.Player == want.Player })
	switch {
	case i < 0 && got.PreviousRank != nil:
		return r.finding(b, "the card of %s tells previous rank %d, must be none", id, *got.PreviousRank)
	case i < 0:
		return finding{}, nil
	case got.PreviousRank == nil || !r.model.MayRank(earlier, rows, rows[i], *got.PreviousRank):
		return r.finding(b, "the card of %s tells previous rank %s, must be %d", id, shown(got.PreviousRank), rows[i].Rank)
	case got.RankChange == nil || *got.RankChange != *got.PreviousRank-got.Rank:
		return r.finding(b, "the card of %s tells a change of %s from rank %d to %d", id, shown(got.RankChange), *got.PreviousRank, got.Rank)
	}
	return finding{}, nil
}

func shown(n *int64) string {
	text, _ := json.Marshal(n) // a number or null
	return string(text)
}
