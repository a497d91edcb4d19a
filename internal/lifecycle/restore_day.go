package lifecycle

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// RestoreDay makes a mode's day from all of its archived results: the global board, the boards
// of scopes, and details. The day counts as not rolled up and, if complete, as closed;
// complete says that the day has no other results. The global board comes last: if it exists,
// everything else of the day does too. lost is the name of the lost Redis that the day is
// from, or "". If it is set, RestoreDay notes with it that the day was brought back, until
// [Restore.ForgetMerged].
//
// If the day is not complete, RestoreDay leaves an existing board alone. If it is complete,
// and its board exists although the day is not closed, somebody has played since the day was
// archived, or the board comes from a backup. Then RestoreDay merges the two by the mode's
// policy, player by player, and leaves the day to be closed. It does the same if somebody
// plays while it makes the day. It begins again if a score of any day is removed meanwhile, so
// that a removed score never returns; after some tries the error is redis.ErrVanished.
//
// Cost: 3 billed commands, 1 for every 10,000 entries, 10 for each board. If it merges: that
// of [Restore.MergeDay], and 3.
func (rs *Restore) RestoreDay(ctx context.Context, m *game.Mode, d game.Date, results []game.Result, complete bool, lost string) error {
	day := game.Day.Of(d)
	global := game.BoardOf(m, day, game.Scope{})
	together := func() error {
		if lost != "" {
			return rs.MergeDay(ctx, m, d, results, lost, false)
		}
		return rs.mergeAgain(ctx, global, d, results, "")
	}
	if !complete {
		if there, err := rs.DB.Exists(ctx, global.Key); err != nil || there {
			return err
		}
	} else if written, err := rs.writtenSince(ctx, m, d); err != nil || written {
		if err == nil {
			err = together()
		}
		return redis.Wrap("restore "+global.Key, err)
	}
	put := dayPut{rs: rs, board: global, date: d, complete: complete, lost: lost}
	for range putTries {
		switch became, err := put.run(ctx, results); {
		case err != nil:
			return redis.Wrap("restore "+global.Key, err)
		case became == dayDone:
			return nil
		case became == dayPlayed:
			return redis.Wrap("restore "+global.Key, together())
		}
	}
	return redis.Wrap("restore "+global.Key, redis.ErrVanished)
}

// boardsOf returns the written boards of a day: the global one, those of groups, with the same
// scores, and those of levels.
func boardsOf(results []game.Result) map[game.Scope]map[string]float64 {
	boards := map[game.Scope]map[string]float64{{}: {}}
	for _, r := range results {
		boards[game.Scope{}][r.Player] = r.Stored
		for _, scoped := range r.Scopes {
			if scoped.Scope.ByCountry() {
				continue
			}
			if boards[scoped.Scope] == nil {
				boards[scoped.Scope] = map[string]float64{}
			}
			if boards[scoped.Scope][r.Player] = r.Stored; scoped.Scope.OwnEntries() {
				boards[scoped.Scope][r.Player] = scoped.Stored
			}
		}
	}
	return boards
}

// expire queues the expiry of keys, so that they leave Redis with their board.
func (rs *Restore) expire(p *redis.Pipeline, b game.Board, keys ...string) {
	for _, key := range keys {
		end, ok := game.KeyExpires(rs.DB.Game, key, b.Period)
		if !ok {
			continue
		}
		p.Add(redis.ExpireBy(rs.DB, key, rs.atLeast(end)), nil)
	}
}

// returnedLife is how long a day's board lives that was put back after its life was over. The
// run that puts it back rolls it up; if that is cut off, the next run puts it back again.
const returnedLife = time.Hour

// atLeast is when a key expires whose moment may have passed.
func (rs *Restore) atLeast(end time.Time) time.Time {
	if least := rs.DB.Now().Add(returnedLife); end.Before(least) && !rs.DB.Now().Before(end) {
		return least
	}
	return end
}

// ReturnExpired puts back a mode's day that expired before it was rolled up, from its archived
// results. The day is left to be closed and rolled up. It may be repeated. Nothing is put back
// of which a removal was noted meanwhile.
//
// Cost: that of [Restore.RestoreDay], and 1.
func (rs *Restore) ReturnExpired(ctx context.Context, m *game.Mode, d game.Date, results []game.Result) error {
	b := game.BoardOf(m, game.Day.Of(d), game.Scope{})
	if _, err := rs.DB.Redis.Do(ctx, derive.Reopen(rs.DB, game.ClosedDay(m.Name, d))); err != nil {
		return redis.Wrap("return "+b.Key, err)
	}
	put := dayPut{rs: rs, board: b, date: d}
	for range putTries {
		switch became, err := put.run(ctx, results); {
		case err != nil:
			return redis.Wrap("return "+b.Key, err)
		case became != dayRemoved: // dayPlayed: an earlier run has put it
			return nil
		}
	}
	return redis.Wrap("return "+b.Key, redis.ErrVanished)
}

// writtenSince reports whether a day's board exists and its day is not closed.
func (rs *Restore) writtenSince(ctx context.Context, m *game.Mode, d game.Date) (bool, error) {
	var there int64
	var state string
	var p redis.Pipeline
	p.Add(upstash.Cmd("EXISTS", game.DayBoardKey(m.Name, d)), redis.IntInto(&there))
	p.Add(upstash.Cmd("HGET", game.ClosedKey, game.ClosedDay(m.Name, d)), redis.TextInto(&state))
	_, err := p.Run(ctx, rs.DB.Redis)
	return there > 0 && state != derive.ClosedMark, err
}

// putTries is how often RestoreDay begins, if scores are removed meanwhile each time.
const putTries = 20

// What became of a day that was to be written.
const (
	dayDone   = "done"
	dayPlayed = "played" // somebody has played on it, so it must be merged
	dayLost   = "lost"   // this is another Redis
	// dayRemoved is for a day of which a score was removed since the removals were read: it is
	// begun again.
	dayRemoved = "removed"
)

// write runs a script that writes a day's board, and returns its answer. The error is
// control.ErrLost if this is another Redis.
func (rs *Restore) write(ctx context.Context, b game.Board, script upstash.Command) (became string, err error) {
	reply, err := rs.DB.Redis.Do(ctx, script.Idempotent())
	if err != nil {
		return "", err
	}
	if became, err = redis.Word(reply, "what became of the day"); err != nil {
		return "", err
	}
	rs.forget(b)
	if became == dayLost {
		return "", control.ErrLost
	}
	return became, nil
}

// forget drops what the process remembers of a board that was written.
func (rs *Restore) forget(b game.Board) {
	rs.Totals.Forget(b.Key)
	rs.Windows.Forget(b.Key)
}

// mergeAgain merges a day with an earlier archived state of it, in the Redis of a name; "": in
// any Redis.
func (rs *Restore) mergeAgain(ctx context.Context, b game.Board, d game.Date, results []game.Result, redis string) error {
	// Merging again changes nothing, so each run gets its own name.
	again := &dayMerge{rs: rs, board: b, date: d, results: results, from: rs.DB.Scratch("again"), into: redis, merge: laterPlace, claimed: map[string]bool{}}
	if err := again.run(ctx); err != nil {
		return err
	}
	return rs.ForgetMerged(ctx, b.Mode, d)
}

// laterPlace decides between two states of a player's entry, of which neither is known to be
// the later: of a total that only grows, the larger; of one that may shrink, the one in Redis.
func laterPlace(m *game.Mode, archived, current redis.Place) (merged redis.Place, taken bool) {
	if m.Policy != game.Sum || !archived.Found || !current.Found {
		return MergePlaces(m, archived, current)
	}
	if m.Min >= 0 && m.Decode(archived.Stored) > m.Decode(current.Stored) {
		return archived, true
	}
	return current, false
}
