package restore

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
// plays while it makes the day.
//
// Cost: 3 billed commands, 1 for every 10,000 entries, 9 for each board. If it merges: that of
// [Restore.MergeDay], and 3.
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
		return rdb.Wrap("restore "+global.Key, err)
	}
	if err := rs.putDetails(ctx, global, d, results); err != nil {
		return rdb.Wrap("restore the details of "+global.Key, err)
	}
	boards := boardsOf(results)
	scopes := slices.DeleteFunc(slices.Collect(maps.Keys(boards)), func(scope game.Scope) bool { return scope == game.Scope{} })
	for _, scope := range append(scopes, game.Scope{}) {
		b, all := game.BoardOf(m, day, scope), boards[scope]
		if err := rs.Played.Put(ctx, scope, slices.Collect(maps.Keys(all))); err != nil {
			return err
		}
		if err := rs.noteDay(ctx, m, d, scope, notices.DayOpen); err != nil {
			return rdb.Wrap("restore "+b.Key, err)
		}
		done, err := rs.putDay(ctx, global, b, d, all, complete, lost)
		if err == nil && !done {
			return rdb.Wrap("restore "+global.Key, together())
		}
		if err != nil {
			return rdb.Wrap("restore "+b.Key, err)
		}
	}
	return rdb.Wrap("restore "+global.Key, takingBack{rs, global, d}.run(ctx, boards))
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

func (rs *Restore) putDetails(ctx context.Context, b game.Board, d game.Date, results []game.Result) error {
	key := game.DetailsKey(b.Mode.Name, d)
	var pairs []string
	for _, r := range results {
		if len(r.Details) > 0 {
			pairs = append(pairs, r.Player, game.DetailsRecord(b.Mode, r.Stored, r.Details))
		}
	}
	if len(pairs) == 0 {
		return nil
	}
	var p rdb.Pipeline
	for some := range slices.Chunk(pairs, 2*daily.RecordsPage) {
		p.Add(upstash.Cmd(append([]string{"HSET", key}, some...)...).Idempotent(), nil)
	}
	rs.expire(&p, b, key)
	_, err := p.Run(ctx, rs.DB.Redis)
	return err
}

// expire queues the expiry of keys, so that they leave Redis with their board.
func (rs *Restore) expire(p *rdb.Pipeline, b game.Board, keys ...string) {
	for _, key := range keys {
		end, ok := game.KeyExpires(rs.DB.Game, key, b.Period)
		if !ok {
			continue
		}
		p.Add(rdb.ExpireBy(rs.DB, key, end), nil)
	}
}

// writtenSince reports whether a day's board exists and its day is not closed.
func (rs *Restore) writtenSince(ctx context.Context, m *game.Mode, d game.Date) (bool, error) {
	var there int64
	var state string
	var p rdb.Pipeline
	p.Add(upstash.Cmd("EXISTS", game.DayBoardKey(m.Name, d)), rdb.IntInto(&there))
	p.Add(upstash.Cmd("HGET", game.ClosedKey, game.ClosedDay(m.Name, d)), rdb.TextInto(&state))
	_, err := p.Run(ctx, rs.DB.Redis)
	return there > 0 && state != rollup.ClosedMark, err
}

// putDayScript renames a scratch key to a board of a day, and with the last board marks the
// day as closed. It does nothing if the day's global board exists and the day is not closed,
// or if Redis has lost the scratch key. Sent twice, it changes nothing.
//
// KEYS: closed, the day's global board, board, scratch
// ARGV: mode's day, seconds the board lives, "1" if the board has players, "1" if the day is
// closed with it, the field that notes what was brought back, its value ("" to note nothing)
// Answer: {calls, "done" | "played" | "lost"}
var putDayScript = rdb.NewScript(`
if call('EXISTS', KEYS[2]) == 1 then
  if call('HGET', KEYS[1], ARGV[1]) ~= '1' then
    call('UNLINK', KEYS[4])
    return answer('played')
  end
end
if ARGV[3] == '1' then
  if call('EXISTS', KEYS[4]) == 1 then
    call('UNLINK', KEYS[3])
    call('RENAME', KEYS[4], KEYS[3])
    call('PERSIST', KEYS[3])
    if ARGV[2] ~= '0' then call('EXPIRE', KEYS[3], ARGV[2]) end
  elseif call('EXISTS', KEYS[3]) == 0 then
    return answer('lost')
  end
else
  call('UNLINK', KEYS[3])
end
if ARGV[4] == '1' then call('HSET', KEYS[1], ARGV[1], '1') end
if ARGV[6] ~= '' then call('HSET', KEYS[1], ARGV[5], ARGV[6]) end
return answer('done')
`)

// putDay replaces a board of a day with what was archived. It returns false if somebody has
// played on that day.
func (rs *Restore) putDay(ctx context.Context, global, b game.Board, d game.Date, all map[string]float64, complete bool, lost string) (done bool, err error) {
	scratch := rs.DB.Scratch(b.Key)
	if err := rs.DB.WriteMembers(ctx, scratch, all); err != nil {
		return false, err
	}
	args := []string{game.ClosedDay(b.Mode.Name, d), "0", "", "", game.MergedDay(b.Mode.Name, d), ""}
	if end, ok := game.KeyExpires(rs.DB.Game, b.Key, b.Period); ok {
		args[1] = rdb.Itoa(rs.DB.SecondsUntil(end))
	}
	if len(all) > 0 {
		args[2] = "1"
	}
	if complete && b == global {
		args[3] = "1"
	}
	if lost != "" && b == global {
		args[5] = lost + " " + mergedAll
	}
	return rs.write(ctx, b, putDayScript.Command([]string{game.ClosedKey, global.Key, b.Key, scratch}, args...))
}

// write runs a script that writes a day's board. done is false if somebody has played
// meanwhile; the error is notices.ErrLost if this is another Redis.
func (rs *Restore) write(ctx context.Context, b game.Board, script upstash.Command) (done bool, err error) {
	reply, err := rs.DB.Redis.Do(ctx, script.Idempotent())
	if err != nil {
		return false, err
	}
	word, err := rdb.Word(reply, "what became of the day")
	if err != nil {
		return false, err
	}
	rs.forget(b)
	if word == "lost" {
		return false, notices.ErrLost
	}
	return word == "done", nil
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
	again := &dayMerge{rs: rs, board: b, date: d, results: results, from: rs.DB.Scratch("again"), into: redis, merge: laterPlace}
	if err := again.run(ctx); err != nil {
		return err
	}
	return rs.ForgetMerged(ctx, b.Mode, d)
}

// laterPlace decides between two states of a player's entry, of which neither is known to be
// the later: of a total that only grows, the larger; of one that may shrink, the one in Redis.
func laterPlace(m *game.Mode, archived, stands rdb.Place) (merged rdb.Place, taken bool) {
	if m.Policy != game.Sum || !archived.Found || !stands.Found {
		return repair.MergePlaces(m, archived, stands)
	}
	if m.Min >= 0 && m.Decode(archived.Stored) > m.Decode(stands.Stored) {
		return archived, true
	}
	return stands, false
}
