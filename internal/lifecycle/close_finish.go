package lifecycle

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
)

// RefreshClosed derives XP and those boards of all players that the days belong to: their
// weeks, and those months, seasons and all time that somebody has looked at. Other boards, and
// those of scopes, are made when somebody looks, and once more when their week or month
// closes.
//
// Cost: for each mode 1 billed command and 1 for each board that is not a week's, and for each
// derived board that of a refresh, except that each day is read once for all large ones; 12
// for XP.
func (ds *Days) RefreshClosed(ctx context.Context, days []ClosedDay) error {
	if len(days) == 0 {
		return nil
	}
	for _, m := range ds.DB.Game.Modes {
		var boards []game.Board
		for _, day := range days {
			if !slices.Contains(day.day.Modes, m) {
				continue
			}
			for _, p := range ds.DB.Game.PeriodsOf(day.day.Date) {
				b := game.BoardOf(m, p, game.Scope{})
				if !slices.Contains(boards, b) && !ds.Rollup.Frozen(b) {
					boards = append(boards, b)
				}
			}
		}
		if len(boards) == 0 {
			continue
		}
		if err := ds.Rollup.DeriveClosed(ctx, m, boards); err != nil {
			return redis.Wrap("refresh the boards of "+m.Name, err)
		}
	}
	added := make([]game.Date, len(days))
	for i, day := range days {
		added[i] = day.day.Date
	}
	return redis.Wrap("refresh XP", ds.XP.Rebase(ctx, added))
}

// doneScript marks days as closed, except those that changed after the run settled them.
//
// KEYS: closed
// ARGV: mode's day, what the run has written there, …
// Answer: {calls}
var doneScript = redis.NewScript(`
local ask, put = {'HMGET', KEYS[1]}, {'HSET', KEYS[1]}
for i = 1, #ARGV, 2 do ask[#ask + 1] = ARGV[i] end
local stand = call(unpack(ask))
for i = 1, #stand do
  if stand[i] == ARGV[2 * i] then
    put[#put + 1] = ARGV[2 * i - 1]
    put[#put + 1] = '1'
  end
end
if #put > 2 then call(unpack(put)) end
return answer()
`)

// FinishDays marks days as closed. Call it after everything that follows from them is done:
// until then the next run closes them again.
//
// Cost: 3 billed commands; if a board has nobody, 1 more, and up to 4 for each such board.
func (ds *Days) FinishDays(ctx context.Context, days []ClosedDay) error {
	var args []string
	var none []derive.DayKey
	for _, day := range days {
		if len(day.done) > 0 {
			none = append(none, day.none...)
		}
		for _, field := range day.done {
			args = append(args, field, derive.SettledMark+day.run)
		}
	}
	if len(args) == 0 {
		return nil
	}
	if err := ds.Rollup.Calendar.NoteEmpty(ctx, none); err != nil {
		return err
	}
	_, err := ds.DB.Redis.Do(ctx, doneScript.Command([]string{game.ClosedKey}, args...).Idempotent())
	return redis.Wrap("mark days as closed", err)
}

// RefreshXP makes XP again from everything it is made of; a closing only adds the new day.
//
// Cost: that of refreshing XP after a closing.
func (ds *Days) RefreshXP(ctx context.Context) error {
	return redis.Wrap("refresh XP", ds.XP.Rebase(ctx, nil))
}
