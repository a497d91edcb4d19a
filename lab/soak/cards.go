package soak

import (
	"context"
	"encoding/json"
	"math"
	"net/url"
	"slices"
	"sync/atomic"
)

// cardShare is how many boards there are to one whose cards are read.
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

// cards reads the card of one player on some of the boards.
func (r *run) cards(boards []board) []read {
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

func (r *run) checkCard(ctx context.Context, b board, pick int) (finding, error) {
	rows := r.model.rows(b)
	if len(rows) == 0 {
		return finding{}, nil
	}
	want := rows[pick%len(rows)]
	m := r.model.ruleOf(b)
	id := r.model.people[want.player].id
	var got cardBody
	found, err := r.calls.get(ctx, nobody, "/v1/leaderboards/"+m.Name+"/players/"+url.PathEscape(id)+"?"+r.query(b).Encode(), &got)
	if err != nil {
		return finding{}, err
	}
	atomic.AddInt64(&r.report.Cards, 1)
	total := int64(len(rows))
	score, ok := scaled(got.Score.String(), m.Decimals)
	switch {
	case !found:
		return r.finding(b, "%s has no card, must have rank %d", id, want.rank)
	case !ok || score != want.score || !r.ranked(b, rows, want, got.Rank):
		return r.finding(b, "the card of %s tells rank %d with %s, must be %d with %s", id, got.Rank, got.Score, want.rank, written(want.score, m.Decimals))
	case got.Total != total:
		f, _ := r.finding(b, "the card of %s tells a total of %d, must be %d", id, got.Total, total)
		f.total = got.Total < total
		return f, nil
	case !share(got.Percentile, total-got.Rank+1, total) || !share(got.TopPercent, got.Rank, total):
		return r.finding(b, "the card of %s tells percentile %v and top %v%% at rank %d of %d", id, got.Percentile, got.TopPercent, got.Rank, total)
	}
	return r.checkPrevious(b, want, got)
}

// checkPrevious holds a card's rank of the period before against the model.
func (r *run) checkPrevious(b board, want row, got cardBody) (finding, error) {
	id := r.model.people[want.player].id
	before, ok := b.period.Previous()
	if b.mode < 0 || !ok || !r.History && !r.inRedis(before) {
		return finding{}, nil
	}
	earlier := board{b.mode, before, b.scope}
	rows := r.model.rows(earlier)
	i := slices.IndexFunc(rows, func(was row) bool { return was.player == want.player })
	switch {
	case i < 0 && got.PreviousRank != nil:
		return r.finding(b, "the card of %s tells previous rank %d, must be none", id, *got.PreviousRank)
	case i < 0:
		return finding{}, nil
	case got.PreviousRank == nil || !r.ranked(earlier, rows, rows[i], *got.PreviousRank):
		return r.finding(b, "the card of %s tells previous rank %s, must be %d", id, shown(got.PreviousRank), rows[i].rank)
	case got.RankChange == nil || *got.RankChange != *got.PreviousRank-got.Rank:
		return r.finding(b, "the card of %s tells a change of %s from rank %d to %d", id, shown(got.RankChange), *got.PreviousRank, got.Rank)
	}
	return finding{}, nil
}

// ranked reports whether a rank is the row's, or of one that it may change
// places with.
func (r *run) ranked(b board, rows []row, want row, rank int64) bool {
	for _, other := range rows {
		if other.rank == rank && r.model.interchangeable(b, other, want) {
			return true
		}
	}
	return false
}

// share reports whether a percentage, rounded to two decimals, is that of n of total.
func share(percent float64, n, total int64) bool {
	return math.Abs(percent-100*float64(n)/float64(total)) < 0.00501
}

func shown(n *int64) string {
	text, _ := json.Marshal(n) // a number or null
	return string(text)
}
