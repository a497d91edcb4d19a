package archive

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
)

// endsRow reads the lowest and the highest true score of a board; null for an empty board.
const endsRow = `
SELECT min(floor(stored)), max(floor(stored)) FROM board`

// bucketRows counts the players of a board by buckets. The buckets begin at given true scores,
// the lowest first; bucket 0 is everything below the first.
//
// $7 where buckets begin
const bucketRows = `
SELECT width_bucket(floor(stored)::double precision, $7::double precision[]), count(*) FROM board GROUP BY 1`

// Distribution counts a board in at most so many buckets, in two round trips. Scores that come
// in between the two count in the outer buckets.
func (a Boards) Distribution(ctx context.Context, b game.Board, buckets int) (game.Distribution, error) {
	d := game.Distribution{Board: b}
	if b.Period.Kind() == game.AllTime {
		return d, errNoHistory
	}
	var low, high *float64
	if err := a.db.Change(ctx, "read the ends of "+b.Key, rowsOf(b)+endsRow, argumentsOf(b), &low, &high); err != nil || low == nil || high == nil {
		return d, err
	}
	d.Buckets = game.Buckets(b.Mode, game.TrueScore(*low), game.TrueScore(*high), buckets)
	begins, downwards := make([]float64, len(d.Buckets)), false
	for i, bucket := range d.Buckets {
		from, _ := bucket.Bounds(b.Mode)
		begins[i] = float64(from)
		downwards = i > 0 && begins[i] < begins[i-1]
	}
	place := func(row int) int { return max(row-1, 0) }
	if downwards { // the value's low numbers are the high scores
		slices.Reverse(begins)
		place = func(row int) int { return len(begins) - max(row, 1) }
	}
	rows, err := Mapped[int, int64](ctx, a.db, "count "+b.Key, rowsOf(b)+bucketRows, argumentsOf(b, begins))
	players := make([]int64, len(d.Buckets))
	for row, n := range rows {
		players[place(row)] += n
	}
	d.Count(players)
	return d, err
}
