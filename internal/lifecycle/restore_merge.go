package lifecycle

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/player"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// mergePage is the number of players in one call of mergeScript: each takes up to four values
// on Lua's stack, which has room for some 8,000.
const mergePage = 1500

// How far a merge is, where it is past the last player. No player's id begins so.
const (
	mergedBoard = "~"  // the board of all players is merged, those of scopes may not be
	mergedAll   = "~~" // so are those of scopes
)

// mergeScript writes entries to a day's board, and notes how far the merge is, in one step. It
// does so only if each player still has the score that the caller has read, no removal was
// noted since, and the merge is as far as the caller says. It leaves a Redis of another name
// than the caller's alone. During the merge the day counts as not closed. With the last page
// the day is closed if the caller asks for that and nobody has played on it since the merge
// began.
//
// KEYS: closed, board, details, removals
// ARGV: field of how far the merge is, its value so far ("" for not begun), its value after
// this, mode's day, "1" to close the day in the end if nobody has played on it since the merge
// began ("" not to), the name of the Redis ("" for any), how many removals were noted, then for
// each player the id, the score read ("" for none), the one to put ("" to leave it) and details
// ("" to leave them)
// Answer: {calls, "done" | "other" | "lost"}
var mergeScript = redis.NewScript(`
if ARGV[6] ~= '' and call('HGET', KEYS[1], '` + game.SourceField + `') ~= ARGV[6] then return answer('lost') end
local far = call('HGET', KEYS[1], ARGV[1]) or ''
if far ~= ARGV[2] then return answer('other') end
if call('HLEN', KEYS[4]) ~= tonumber(ARGV[7]) then return answer('other') end
local ask, put, details = {'ZMSCORE', KEYS[2]}, {'ZADD', KEYS[2]}, {'HSET', KEYS[3]}
for i = 8, #ARGV, 4 do
  ask[#ask + 1] = ARGV[i]
  if ARGV[i + 2] ~= '' then
    put[#put + 1] = ARGV[i + 2]
    put[#put + 1] = ARGV[i]
  end
  if ARGV[i + 3] ~= '' then
    details[#details + 1] = ARGV[i]
    details[#details + 1] = ARGV[i + 3]
  end
end
if #ask > 2 then
  local has = call(unpack(ask))
  for k = 1, #has do
    local seen = ARGV[8 + 4 * (k - 1) + 1]
    if seen == '' then
      if has[k] then return answer('other') end
    elseif not has[k] or tonumber(has[k]) ~= tonumber(seen) then
      return answer('other')
    end
  end
end
if #put > 2 then call(unpack(put)) end
if #details > 2 then call(unpack(details)) end
if far == '' then
  call('HSET', KEYS[1], ARGV[4], 'merging')
end
if string.sub(ARGV[3], -1) == '~' then
  if ARGV[5] == '1' and call('HGET', KEYS[1], ARGV[4]) == 'merging' then
    call('HSET', KEYS[1], ARGV[4], '1')
  else
    call('HDEL', KEYS[1], ARGV[4])
  end
end
call('HSET', KEYS[1], ARGV[1], ARGV[3])
return answer('done')
`)

// mergedScript notes that boards of scopes are merged too, where the board of all players is.
//
// KEYS: closed. ARGV: field of how far the merge is, the beginning of its values
// Answer: {calls, "done" | "other" | "lost"}
var mergedScript = redis.NewScript(`
local far = call('HGET', KEYS[1], ARGV[1])
if not far then return answer('` + dayLost + `') end
if far == ARGV[2] .. '` + mergedBoard + `' then
  call('HSET', KEYS[1], ARGV[1], ARGV[2] .. '` + mergedAll + `')
elseif far ~= ARGV[2] .. '` + mergedAll + `' then
  return answer('other')
end
return answer('` + dayDone + `')
`)

// MergeDay merges a mode's day of a lost Redis with what has been played in this one since,
// player by player under the mode's policy; lost is the lost Redis' name. Each player is
// merged once, however often MergeDay is called and wherever it is cut off, until
// [Restore.ForgetMerged]. closed says that the archive has all of the day and this Redis had
// nothing of it: then the day is closed. Otherwise it is left to be closed.
//
// Cost: 1 billed command for each mode; for every 1,500 players some 10; where there are
// groups 4, and for each group's board 4.
func (rs *Restore) MergeDay(ctx context.Context, m *game.Mode, d game.Date, results []game.Result, lost string, closed bool) error {
	b := game.BoardOf(m, game.Day.Of(d), game.Scope{})
	of := &dayMerge{rs: rs, board: b, date: d, results: results, from: lost, closed: closed, merge: MergePlaces}
	return redis.Wrap("merge "+b.Key, of.run(ctx))
}

// dayMerge is the merging of one day.
type dayMerge struct {
	rs      *Restore
	board   game.Board // of all players
	date    game.Date
	results []game.Result
	from    string // the name of the lost Redis, or of this run
	into    string // the name of the Redis to write to; "": any
	closed  bool   // the day is closed with it, unless somebody plays meanwhile
	merge   func(m *game.Mode, archived, current redis.Place) (merged redis.Place, taken bool)
	removed RecentRemovals  // players whose entry of the day was removed: it is not put back
	claimed map[string]bool // devices whose entry is their owners' by now; nil: this Redis has not had the day yet
}

func (r *dayMerge) run(ctx context.Context) error {
	if err := r.all(ctx); err != nil || r.last() == mergedAll {
		return err
	}
	if err := r.groups(ctx); err != nil {
		return err
	}
	became, err := r.rs.write(ctx, r.board, mergedScript.Command([]string{game.ClosedKey}, r.field(), r.from+" "))
	if err == nil && became != dayDone {
		err = redis.ErrVanished
	}
	return err
}

// last is how far the page with the last player brings the merge.
func (r *dayMerge) last() string {
	if game.WritesScopes(r.board.Mode) {
		return mergedBoard
	}
	return mergedAll
}

func (r *dayMerge) field() string { return game.MergedDay(r.board.Mode.Name, r.date) }

func (r *dayMerge) all(ctx context.Context) error {
	slices.SortFunc(r.results, func(x, y game.Result) int { return cmp.Compare(x.Player, y.Player) })
	field := r.field()
	for try := 0; try < player.RebaseTries; {
		far, err := redis.Field(ctx, r.rs.DB.Redis, game.ClosedKey, field)
		if err != nil {
			return err
		}
		last := ""
		if of, player, ok := strings.Cut(far, " "); ok && of == r.from {
			last = player
		}
		if last == mergedBoard || last == mergedAll {
			return r.ends(ctx)
		}
		at, _ := slices.BinarySearchFunc(r.results, last, func(result game.Result, last string) int { return cmp.Compare(result.Player, last) })
		if at < len(r.results) && r.results[at].Player == last {
			at++
		}
		page := r.results[at:min(at+mergePage, len(r.results))]
		next := r.last()
		if at+len(page) < len(r.results) {
			next = page[len(page)-1].Player
		}
		done, err := r.once(ctx, page, mergeStep{field, far, r.from + " " + next})
		if err != nil {
			return err
		}
		if try++; done {
			try = 0
		}
	}
	return redis.ErrVanished
}

// mergeStep is how far a merging is, and how far it is after one more page.
type mergeStep struct {
	field, far, next string
}

// once merges one page, unless somebody played meanwhile.
func (r *dayMerge) once(ctx context.Context, page []game.Result, step mergeStep) (done bool, err error) {
	current := make([]redis.Place, len(page))
	var p redis.Pipeline
	AskTaken(&p, r.rs.DB, r.board.Mode.Name, r.date, &r.removed)
	if len(page) > 0 {
		members := make([]redis.Member, len(page))
		for i, result := range page {
			members[i].Player = result.Player
		}
		p.Add(redis.ScoresOf(r.board.Key, members), redis.PlacesInto(current))
	}
	if _, err := p.Run(ctx, r.rs.DB.Redis); err != nil {
		return false, err
	}
	if err := r.learnClaimed(ctx, page, current); err != nil {
		return false, err
	}
	args := []string{step.field, step.far, step.next, game.ClosedDay(r.board.Mode.Name, r.date), "", r.into, redis.Itoa(int64(r.removed.Notes))}
	if r.closed {
		args[4] = derive.ClosedMark
	}
	for i, result := range page {
		if r.leaves(result.Player) {
			continue
		}
		merged, taken := r.merge(r.board.Mode, redis.Place{Stored: result.Stored, Found: true}, current[i])
		put, details := "", ""
		if !current[i].Found || merged.Stored != current[i].Stored {
			put = merged.Text()
		}
		if taken && r.board.Mode.Details && len(result.Details) > 0 {
			details = game.DetailsRecord(r.board.Mode, result.Stored, result.Details)
		}
		args = append(args, result.Player, current[i].Text(), put, details)
	}
	keys := []string{game.ClosedKey, r.board.Key, game.DetailsKey(r.board.Mode.Name, r.date), game.RemovalsKey}
	became, err := r.rs.write(ctx, r.board, mergeScript.Command(keys, args...))
	return became == dayDone, err
}

// learnClaimed looks for devices whose entry of a page claims have moved to their owners since
// the archive was read. It comes after the board is read: a device is noted as claimed before it
// is moved.
func (r *dayMerge) learnClaimed(ctx context.Context, page []game.Result, current []redis.Place) error {
	if r.claimed == nil || !r.rs.DB.Game.Anonymous {
		return nil
	}
	notes, err := ClaimNotes(ctx, r.rs.DB)
	if err != nil {
		return err
	}
	var devices []string
	var owners []redis.Member
	for i, result := range page {
		if n, claimed := notes[result.Player]; claimed && !current[i].Found {
			devices, owners = append(devices, result.Player), append(owners, redis.Member{Player: n.Player})
		}
	}
	if len(devices) == 0 {
		return nil
	}
	has := make([]redis.Place, len(owners))
	if err := r.rs.DB.Ask(ctx, redis.ScoresOf(r.board.Key, owners), redis.PlacesInto(has)); err != nil {
		return err
	}
	for i, device := range devices { // neither is there: the board has lost both
		r.claimed[device] = has[i].Found
	}
	return nil
}

// leaves reports whether a player's archived entry is not put back.
func (r *dayMerge) leaves(player string) bool {
	return r.removed.Players[player] || r.claimed[player]
}

// ends sets the expiry of the board and its details, and adds the day to the index.
func (r *dayMerge) ends(ctx context.Context) error {
	if len(r.results) == 0 {
		return nil
	}
	var p redis.Pipeline
	r.rs.expire(&p, r.board, r.board.Key)
	if r.board.Mode.Details {
		r.rs.expire(&p, r.board, game.DetailsKey(r.board.Mode.Name, r.date))
	}
	if _, err := p.Run(ctx, r.rs.DB.Redis); err != nil {
		return err
	}
	return r.rs.noteDay(ctx, r.board.Mode, r.date, r.board.Scope, derive.DayOpen)
}

// Return merges a day whose board has lost players with what was archived of it: see
// [laterPlace]. The day is left to be closed. It may be repeated. In a Redis of another name
// it does nothing and returns control.ErrLost: otherwise a restore would take the returned
// scores for new plays and count them again.
//
// Cost: that of [Restore.MergeDay], 1 for every 1,500 players, 1 or 2 more in games with devices,
// and 2.
func (rs *Restore) Return(ctx context.Context, m *game.Mode, d game.Date, results []game.Result, instance string) error {
	b := game.BoardOf(m, game.Day.Of(d), game.Scope{})
	return redis.Wrap("return "+b.Key, rs.mergeAgain(ctx, b, d, results, instance))
}

// ForgetMerged drops the note of how far a day was merged. Call it once the archive knows that
// this Redis has the whole day.
//
// Cost: 1 billed command.
func (rs *Restore) ForgetMerged(ctx context.Context, m *game.Mode, d game.Date) error {
	_, err := rs.DB.Redis.Do(ctx, upstash.Cmd("HDEL", game.ClosedKey, game.MergedDay(m.Name, d)).Idempotent())
	return redis.Wrap("forget what was merged", err)
}

// Merged reads how far days of a lost Redis have been brought back.
//
// Cost: 1 billed command.
func (rs *Restore) Merged(ctx context.Context) (map[string]string, error) {
	reply, err := rs.DB.Redis.Do(ctx, upstash.Cmd("HGETALL", game.ClosedKey))
	if err != nil {
		return nil, redis.Wrap("read what was merged", err)
	}
	var merged map[string]string
	err = redis.FieldsInto(func(fields map[string]string) error { merged = fields; return nil })(reply)
	return merged, redis.Wrap("read what was merged", err)
}

// MergedAll reports whether a whole day of a mode has been brought back from a lost Redis,
// according to what Merged has read.
func MergedAll(merged map[string]string, m *game.Mode, d game.Date, lost string) bool {
	return merged[game.MergedDay(m.Name, d)] == lost+" "+mergedAll
}
