package lifecycle

import (
	"context"
	"maps"
	"slices"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// dayPut replaces a mode's day with what was archived of it: see [Restore.RestoreDay].
type dayPut struct {
	rs       *Restore
	board    game.Board // of all players
	date     game.Date
	complete bool
	lost     string
	removed  RecentRemovals
}

// putDayScript renames a scratch key to a board of a day. With the last board it marks the day
// as closed, and deletes the details of players whose scores were removed. It does nothing if
// the day's global board exists and the day is not closed, if a removal was noted since the
// caller read them, or if Redis has lost the scratch key. Sent twice, it changes nothing.
//
// KEYS: closed, the day's global board, board, scratch, removals, details
// ARGV: mode's day, seconds the board lives, "1" if the board has players, "1" if the day is
// closed with it, the field that notes what was brought back, its value ("" to note nothing),
// how many removals were noted, then the players whose details to delete
// Answer: {calls, "done" | "played" | "removed" | "lost"}
var putDayScript = redis.NewScript(`
if call('EXISTS', KEYS[2]) == 1 then
  if call('HGET', KEYS[1], ARGV[1]) ~= '` + derive.ClosedMark + `' then
    call('UNLINK', KEYS[4])
    return answer('` + dayPlayed + `')
  end
end
if call('HLEN', KEYS[5]) ~= tonumber(ARGV[7]) then
  call('UNLINK', KEYS[4])
  return answer('` + dayRemoved + `')
end
if ARGV[3] == '1' then
  if call('EXISTS', KEYS[4]) == 1 then
    call('UNLINK', KEYS[3])
    call('RENAME', KEYS[4], KEYS[3])
    call('PERSIST', KEYS[3])
    if ARGV[2] ~= '0' then call('EXPIRE', KEYS[3], ARGV[2]) end
  elseif call('EXISTS', KEYS[3]) == 0 then
    return answer('` + dayLost + `')
  end
else
  call('UNLINK', KEYS[3])
end
for i = 8, #ARGV do call('HDEL', KEYS[6], ARGV[i]) end
if ARGV[4] == '1' then call('HSET', KEYS[1], ARGV[1], '` + derive.ClosedMark + `') end
if ARGV[6] ~= '' then call('HSET', KEYS[1], ARGV[5], ARGV[6]) end
return answer('` + dayDone + `')
`)

// run puts details and all boards of the day, the global one last. Whatever the answer is but
// dayDone, the global board was not put.
func (r *dayPut) run(ctx context.Context, archived []game.Result) (became string, err error) {
	if r.removed, err = ReadTaken(ctx, r.rs.DB, r.board.Mode.Name, r.date); err != nil {
		return "", err
	}
	results := slices.DeleteFunc(slices.Clone(archived), func(result game.Result) bool { return r.removed.Players[result.Player] })
	if err := r.details(ctx, results); err != nil {
		return "", redis.Wrap("details", err)
	}
	boards := boardsOf(results)
	scopes := slices.DeleteFunc(slices.Collect(maps.Keys(boards)), func(scope game.Scope) bool { return scope == game.Scope{} })
	for _, scope := range append(scopes, game.Scope{}) {
		all := boards[scope]
		if err := r.rs.Played.Put(ctx, scope, slices.Collect(maps.Keys(all))); err != nil {
			return "", err
		}
		if err := r.note(ctx, scope); err != nil {
			return "", err
		}
		if became, err = r.one(ctx, game.BoardOf(r.board.Mode, r.board.Period, scope), all); err != nil || became != dayDone {
			return became, err
		}
	}
	return dayDone, nil
}

// note puts a board of the day onto the index. A day that has expired may be partly rolled up:
// then it is gone on with.
func (r *dayPut) note(ctx context.Context, scope game.Scope) error {
	if r.rs.DB.Alive(r.date) {
		return r.rs.noteDay(ctx, r.board.Mode, r.date, scope, derive.DayOpen)
	}
	f := r.rs.Rollup.SequenceOf(r.board.Mode, scope)
	_, err := r.rs.DB.Redis.Do(ctx, upstash.Cmd("HSETNX", f.Index, f.Field(r.date), derive.DayOpen).Idempotent())
	return redis.Wrap("put an expired day onto the index", err)
}

func (r *dayPut) details(ctx context.Context, results []game.Result) error {
	key := game.DetailsKey(r.board.Mode.Name, r.date)
	var pairs []string
	for _, result := range results {
		if len(result.Details) > 0 {
			pairs = append(pairs, result.Player, game.DetailsRecord(r.board.Mode, result.Stored, result.Details))
		}
	}
	if len(pairs) == 0 {
		return nil
	}
	var p redis.Pipeline
	for some := range slices.Chunk(pairs, 2*RecordsPage) {
		p.Add(upstash.Cmd(append([]string{"HSET", key}, some...)...).Idempotent(), nil)
	}
	r.rs.expire(&p, r.board, key)
	_, err := p.Run(ctx, r.rs.DB.Redis)
	return err
}

// one replaces one of the day's boards.
func (r *dayPut) one(ctx context.Context, b game.Board, all map[string]float64) (became string, err error) {
	scratch := r.rs.DB.Scratch(b.Key)
	if err := r.rs.DB.WriteMembers(ctx, scratch, all); err != nil {
		return "", err
	}
	mode := b.Mode.Name
	args := []string{game.ClosedDay(mode, r.date), "0", "", "", game.MergedDay(mode, r.date), "", redis.Itoa(int64(r.removed.Notes))}
	if end, ok := game.KeyExpires(r.rs.DB.Game, b.Key, b.Period); ok {
		args[1] = redis.Itoa(r.rs.DB.SecondsUntil(r.rs.atLeast(end)))
	}
	if len(all) > 0 {
		args[2] = "1"
	}
	if b == r.board {
		if r.complete {
			args[3] = "1"
		}
		if r.lost != "" {
			args[5] = r.lost + " " + mergedAll
		}
		if b.Mode.Details {
			args = append(args, r.strays(all)...)
		}
	}
	keys := []string{game.ClosedKey, r.board.Key, b.Key, scratch, game.RemovalsKey, game.DetailsKey(mode, r.date)}
	return r.rs.write(ctx, b, putDayScript.Command(keys, args...))
}

// strays are the removed players who are not on the board that is put. An earlier attempt,
// which began before they were removed, may have put details of them.
func (r *dayPut) strays(all map[string]float64) (players []string) {
	for _, removed := range []map[string]bool{r.removed.Players, r.removed.Erased} {
		for player := range removed {
			if _, put := all[player]; !put {
				players = append(players, player)
			}
		}
	}
	return players
}
