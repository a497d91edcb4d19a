package refill

import (
	"context"
	"maps"
	"slices"

	"github.com/framedle/leaderboards/internal/daily"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/notices"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/internal/repair"
	"github.com/framedle/leaderboards/internal/rollup"
	"github.com/framedle/leaderboards/upstash"
)

// RestoreDay makes a mode's day from all of its results: the global board,
// those of scopes, and details. The day counts as not rolled up, and as closed if
// the results are all there are; if not, a board that is there is left alone. The
// global board comes last: where it is there, all else of the day is.
//
// A board that is there and whose day is not closed has been written to since it
// was archived, or is of a backup: then the two are brought together, each player
// having what was played last by the mode's policy, and the day is left to be
// closed. So it is where somebody plays while the day is made.
//
// Cost: 2 billed commands, 1 for every 10,000 entries, 9 for each board. A day that is
// brought together: that of [Refill.MergeDay], and 3.
func (rs *Refill) RestoreDay(ctx context.Context, m *game.Mode, d game.Date, results []game.Result, complete bool) error {
	day := game.Day.Of(d)
	global := game.BoardOf(m, day, game.Scope{})
	if !complete {
		if there, err := rs.DB.Exists(ctx, global.Key); err != nil || there {
			return err
		}
	} else if written, err := rs.writtenSince(ctx, m, d); err != nil || written {
		if err == nil {
			err = rs.mergeAgain(ctx, m, d, results)
		}
		return rdb.Wrap("restore "+global.Key, err)
	}
	boards := map[game.Scope]map[string]float64{{}: {}}
	details := []string{"HSET", game.DetailsKey(m.Name, d)}
	for _, r := range results {
		boards[game.Scope{}][r.Player] = r.Stored
		for _, scoped := range r.Scopes {
			if scoped.Scope.Kind() == game.Country {
				continue
			}
			if boards[scoped.Scope] == nil {
				boards[scoped.Scope] = map[string]float64{}
			}
			boards[scoped.Scope][r.Player] = r.Stored
		}
		if len(r.Details) > 0 {
			details = append(details, r.Player, game.DetailsRecord(m, r.Stored, r.Details))
		}
	}
	var p rdb.Pipeline
	for pairs := range slices.Chunk(details[2:], 2*daily.RecordsPage) {
		p.Add(upstash.Cmd(append(details[:2:2], pairs...)...).Idempotent(), nil)
	}
	if end, ok := rs.DB.Game.Expires(day); ok && len(details) > 2 {
		p.Add(upstash.Cmd("EXPIRE", details[1], rdb.Itoa(rs.DB.SecondsUntil(end))).Idempotent(), nil)
	}
	if _, err := p.Run(ctx, rs.DB.Redis); err != nil {
		return rdb.Wrap("restore the details of "+global.Key, err)
	}
	scopes := slices.DeleteFunc(slices.Collect(maps.Keys(boards)), func(scope game.Scope) bool { return scope == game.Scope{} })
	for _, scope := range append(scopes, game.Scope{}) {
		b, all := game.BoardOf(m, day, scope), boards[scope]
		if err := rs.Played.Put(ctx, scope, slices.Collect(maps.Keys(all))); err != nil {
			return err
		}
		if err := rs.noteDay(ctx, m, d, scope, notices.DayOpen); err != nil {
			return rdb.Wrap("restore "+b.Key, err)
		}
		done, err := rs.putDay(ctx, global, b, d, all, complete)
		if err == nil && !done {
			return rdb.Wrap("restore "+global.Key, rs.mergeAgain(ctx, m, d, results))
		}
		if err != nil {
			return rdb.Wrap("restore "+b.Key, err)
		}
	}
	return nil
}

// writtenSince reports whether a day's board is there and its day is not closed.
func (rs *Refill) writtenSince(ctx context.Context, m *game.Mode, d game.Date) (bool, error) {
	var there int64
	var state string
	var p rdb.Pipeline
	p.Add(upstash.Cmd("EXISTS", game.BoardKey(m.Name, game.Day.Of(d), game.Scope{})), rdb.IntInto(&there))
	p.Add(upstash.Cmd("HGET", game.ClosedKey, game.ClosedDay(m.Name, d)), func(r upstash.Reply) (err error) {
		if !r.IsNil() {
			state, err = r.Text()
		}
		return err
	})
	_, err := p.Run(ctx, rs.DB.Redis)
	return there > 0 && state != rollup.ClosedMark, err
}

// putDayScript takes a scratch key for a board of a day, and the day as closed
// with its last board; nothing of this where the day's board of all players is
// there and the day is not closed. Sent twice, it changes nothing.
//
// KEYS: closed, the day's board of all players, board, scratch
// ARGV: mode's day, seconds the board lives, "1" where it has players, "1" where
// the day is closed with it
// Answer: {calls, "done" | "played"}
var putDayScript = upstash.NewScript(`
local calls = 1
if redis.call('EXISTS', KEYS[2]) == 1 then
  calls = calls + 1
  if redis.call('HGET', KEYS[1], ARGV[1]) ~= '1' then
    redis.call('UNLINK', KEYS[4])
    return {calls + 1, 'played'}
  end
end
if ARGV[3] == '1' then
  calls = calls + 1
  if redis.call('EXISTS', KEYS[4]) == 1 then
    redis.call('UNLINK', KEYS[3])
    redis.call('RENAME', KEYS[4], KEYS[3])
    redis.call('PERSIST', KEYS[3])
    calls = calls + 3
    if ARGV[2] ~= '0' then
      redis.call('EXPIRE', KEYS[3], ARGV[2])
      calls = calls + 1
    end
  end
else
  redis.call('UNLINK', KEYS[3])
  calls = calls + 1
end
if ARGV[4] == '1' then
  redis.call('HSET', KEYS[1], ARGV[1], '1')
  calls = calls + 1
end
return {calls, 'done'}
`, rdb.FirstInt)

// putDay has a board of a day hold what was archived, unless somebody has played
// on that day.
func (rs *Refill) putDay(ctx context.Context, global, b game.Board, d game.Date, all map[string]float64, complete bool) (done bool, err error) {
	scratch := rs.DB.Scratch(b.Key)
	if err := rs.DB.WriteMembers(ctx, scratch, all); err != nil {
		return false, err
	}
	args := []string{game.ClosedDay(b.Mode.Name, d), "0", "", ""}
	if end, ok := rs.DB.Game.Expires(b.Period); ok {
		args[1] = rdb.Itoa(rs.DB.SecondsUntil(end))
	}
	if len(all) > 0 {
		args[2] = "1"
	}
	if complete && b == global {
		args[3] = "1"
	}
	reply, err := rs.DB.Redis.Do(ctx, putDayScript.Command([]string{game.ClosedKey, global.Key, b.Key, scratch}, args...).Idempotent())
	if err != nil {
		return false, err
	}
	answer, err := reply.Array()
	if err != nil {
		return false, err
	}
	if len(answer) != 2 {
		return false, rdb.WrongShape("what became of the day", len(answer))
	}
	rs.Totals.Forget(b.Key)
	rs.Windows.Forget(b.Key)
	word, err := answer[1].Text()
	return word == "done", err
}

// mergeAgain brings a day together with what was archived of it earlier.
func (rs *Refill) mergeAgain(ctx context.Context, m *game.Mode, d game.Date, results []game.Result) error {
	b := game.BoardOf(m, game.Day.Of(d), game.Scope{})
	// Bringing together again changes nothing, so each run is one of its own.
	run := dayMerge{from: rs.DB.Scratch("again"), merge: laterPlace}
	if err := rs.mergeAll(ctx, b, d, results, run); err != nil {
		return err
	}
	if err := rs.mergeGroups(ctx, b, d, results); err != nil {
		return err
	}
	return rs.ForgetMerged(ctx, m, d)
}

// laterPlace is what a player has of two states of one board, where neither is
// known to be the later: of a total that only grows, the larger; of one that may
// shrink, what is in Redis.
func laterPlace(m *game.Mode, archived, stands rdb.Place) (merged rdb.Place, taken bool) {
	if m.Policy != game.Sum || !archived.Found || !stands.Found {
		return repair.MergePlaces(m, archived, stands)
	}
	if m.Min >= 0 && m.Decode(archived.Stored) > m.Decode(stands.Stored) {
		return archived, true
	}
	return stands, false
}
