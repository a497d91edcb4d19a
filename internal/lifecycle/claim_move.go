package lifecycle

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/player"
	"github.com/framedle/leaderboards/internal/redis"
)

// moveScript moves an entry of one day from a device to its owner, on all boards of the day,
// if both still have what the caller has read. In the same step it notes the day in the claim
// and marks it to be closed again.
//
// KEYS: the claim, closed, details, boards…
// ARGV: device, player, mode's day, what the claim notes, "take" or "drop" for the device's
// details ("" for none), the mark of a day that is to be closed again, and for each board the
// scores that both have and the score that the player gets, "" for none
// Answer: {calls, "done" | "other"}
var moveScript = redis.NewScript(`
local device, player, day = ARGV[1], ARGV[2], ARGV[3]
local function same(has, seen)
  if seen == '' then return not has end
  return has and tonumber(has) == tonumber(seen)
end
for k = 4, #KEYS do
  local at = 7 + 3 * (k - 4)
  local has = call('ZMSCORE', KEYS[k], device, player)
  if not (same(has[1], ARGV[at]) and same(has[2], ARGV[at + 1])) then return answer('other') end
end
for k = 4, #KEYS do
  local at = 7 + 3 * (k - 4)
  local was, gets = ARGV[at + 1], ARGV[at + 2]
  if gets == '' and was ~= '' then
    call('ZREM', KEYS[k], player)
  elseif gets ~= was then
    call('ZADD', KEYS[k], gets, player)
  end
  if ARGV[at] ~= '' then
    call('ZREM', KEYS[k], device)
  end
end
if ARGV[5] ~= '' then
  local details = ARGV[5] == 'take' and call('HGET', KEYS[3], device)
  if details then
    call('HSET', KEYS[3], player, details)
  elseif ARGV[5] == 'take' then
    call('HDEL', KEYS[3], player)
  end
  call('HDEL', KEYS[3], device)
end
call('HSET', KEYS[2], day, ARGV[6], '` + game.MovedField + `', ARGV[6])
call('HSET', KEYS[1], day, ARGV[4])
return answer('done')
`)

// countries reads the countries of the device and of the player.
func (c *claim) countries(r, own *removal) func(context.Context) error {
	return func(ctx context.Context) error {
		var p redis.Pipeline
		askCountry(&p, r)
		askCountry(&p, own)
		_, err := p.Run(ctx, c.rp.DB.Redis)
		return err
	}
}

// enterScript puts a player onto a board, if the board exists.
//
// KEYS: board
// ARGV: player, score, "NX" to keep an entry or "CH"
// Answer: {calls}
var enterScript = redis.NewScript(`
if call('EXISTS', KEYS[1]) == 1 then call('ZADD', KEYS[1], ARGV[3], ARGV[2], ARGV[1]) end
return answer()
`)

// enter puts the player onto every existing derived board, with what its sources have now. A
// missing board is made when somebody looks.
func (c *claim) enter(own *removal) func(context.Context) error {
	return func(ctx context.Context) error {
		all, read, err := derivedBoards{own}.read(ctx, func(h reworking) bool {
			return len(h.expired) > 0 && own.past == nil || h.inBands != nil // a board in bands takes its entries from the days
		})
		if err != nil {
			return err
		}
		var p redis.Pipeline
		for _, h := range all {
			entry := h.entry(read)
			for _, key := range h.keys {
				if !entry.Found {
					own.takeOff(&p, key)
					continue
				}
				p.Add(enterScript.Command([]string{key}, c.player, game.FormatStored(entry.Stored), "CH").Idempotent(), nil)
				c.rp.Windows.Forget(key)
			}
		}
		return own.runChunks(ctx, &p)
	}
}

// enterXP puts the player onto the boards of XP of these days, with 0, if the player has no
// entry: xpRework then has an entry to set.
func (c *claim) enterXP(own *removal) func(context.Context) error {
	return func(ctx context.Context) error {
		keys := map[string]struct{}{}
		for _, t := range own.modes {
			if !t.mode.GivesXP() {
				continue
			}
			keys[game.XPBaseKey], keys[game.XPKey] = struct{}{}, struct{}{}
			for _, d := range t.dates {
				keys[game.XPDayKey(d)] = struct{}{}
			}
		}
		var p redis.Pipeline
		for key := range keys {
			p.Add(enterScript.Command([]string{key}, c.player, "0", "NX").Idempotent(), nil)
		}
		return own.runChunks(ctx, &p)
	}
}

// play notes in the player's streak the days that the player has received.
func (c *claim) play(own *removal) func(context.Context) error {
	return func(ctx context.Context) error {
		if c.rp.DB.Game.Streak.Off {
			return nil
		}
		wanted := map[string]redis.Place{}
		for _, t := range own.modes {
			for _, d := range t.dates {
				wanted[game.DayBoardKey(t.mode.Name, d)] = redis.Place{}
			}
		}
		if err := own.readPlaces(ctx, wanted); err != nil {
			return err
		}
		dates := slices.DeleteFunc(datesOf(own.modes), func(d game.Date) bool { return !(streakRework{own}).playedOn(d, wanted) })
		return c.rp.XP.ChangeStreaks(ctx, []string{c.player}, func(_ string, record player.Streak) player.Streak {
			for _, d := range dates {
				record = record.Play(c.rp.DB.Game.Streak, d)
			}
			return record
		})
	}
}
