package derive

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

const (
	// ratingsTime is how long, in seconds, one process has to settle the board before
	// another may.
	ratingsTime = 60
	// ratingsKept is how long, in seconds, Redis keeps the note that a week is settled: longer
	// than the week lasts.
	ratingsKept    = 9 * 24 * 60 * 60
	ratingsSettled = "settled"
)

// ratings keeps the board of decaying ratings in the order of what the ratings are this week.
// The first process that looks in a week writes the losses into the entries. That changes no
// rating: an entry says up to which week its losses are in it, and every reader works the
// others out. So a week may be settled twice, by two processes at once, or not at all.
type ratings struct{ ru *Rollup }

// refresh settles the board of the week, unless that is done, or being done by another
// process.
//
// Cost: nothing once this process knows the week to be settled, else 1 billed command; for the
// process that settles it 2, 1 for every 20,000 players, and 3 for every 1,000 players who
// lose something.
func (r ratings) refresh(ctx context.Context, b game.Board) error {
	week := game.RatingWeek(r.ru.db.Now())
	if known, ok := r.ru.derived.Get(b.Key); ok && known.slot == week {
		return nil
	}
	lock, current := game.RefreshKey(b.Key, week), ""
	var p redis.Pipeline
	p.Add(upstash.Cmd("SET", lock, r.ru.db.ID, "NX", "GET", "EX", redis.Itoa(ratingsTime)), redis.TextInto(&current))
	attempts, err := p.Run(ctx, r.ru.db.Redis)
	if err != nil {
		return redis.Wrap("look whether ratings are settled", err)
	}
	switch {
	case current == ratingsSettled:
		r.ru.derived.Add(b.Key, derivation{slot: week})
		return nil
	case current != "" && !(attempts > 1 && current == r.ru.db.ID):
		return nil // another process is settling it: until then the board is in last week's order
	}
	if err := r.settle(ctx, b, week); err != nil {
		_, _ = r.ru.db.Redis.Do(ctx, upstash.Cmd("DEL", lock).Idempotent()) // else the next has to wait for its end
		return redis.Wrap("settle ratings", err)
	}
	if _, err := r.ru.db.Redis.Do(ctx, upstash.Cmd("SET", lock, ratingsSettled, "EX", redis.Itoa(ratingsKept)).Idempotent()); err != nil {
		return redis.Wrap("note that ratings are settled", err)
	}
	r.ru.derived.Add(b.Key, derivation{slot: week})
	return nil
}

// settle writes the losses into the entries of all players that do not have them yet. A duel
// writes them too, so settle leaves an entry as it is if it has changed since it was read.
func (r ratings) settle(ctx context.Context, b game.Board, week int64) error {
	return r.ru.db.ScanMembers(ctx, b.Key, func(page []redis.Member) error {
		var moves []string
		for _, m := range page {
			now := b.Mode.Ratings.In(week, game.RatingOf(m.Stored))
			if now.Points != game.RatingOf(m.Stored).Points {
				moves = append(moves, m.Player, game.FormatStored(m.Stored), game.FormatStored(now.Stored()))
			}
		}
		for some := range slices.Chunk(moves, 3*redis.MostMoves) {
			if _, err := r.ru.db.Redis.Do(ctx, redis.MoveEntries(b.Key, some)); err != nil {
				return err
			}
		}
		return nil
	})
}
