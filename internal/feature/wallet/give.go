package wallet

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// A claim gives the owner of a device what the merged entries earn, never the sum of both: there
// may be any number of devices for one player. Redis knows the entries of a day as long as its
// boards are there. Of older days a store only knows what each of both has earned, and the owner
// gets the larger amount: of each day that is known by itself, else of all of them together.
//
// Only larger amounts replace smaller ones, so claims of several devices at once come to the same
// in any order, and a claim that is repeated changes nothing.

// Part is what a day has given a player of a currency.
type Part struct {
	Day      game.Date
	Currency string
	Amount   int64
}

// giveAllScript gives the owner of a device what both have earned, in one atomic step. The boards of
// days that a claim moves have to be merged before.
//
// KEYS: plays, then for each currency the total, and for each of its days the day's part and
// what shows what the day gives
// ARGV: device, player, number of keys of plays, then for each currency what the player is known
// to have from older days, and for each day "day" and the worth of its sources, see earnedLua
// Answer: {calls, the player's parts of the days…}
var giveAllScript = redis.NewScript(`
local device, player, k, i = ARGV[1], ARGV[2], tonumber(ARGV[3]), 4
for n = 1, k do
  for _, play in ipairs(call('ZRANGEBYLEX', KEYS[n], '[' .. device .. ' ', '(' .. device .. '!')) do
    call('ZADD', KEYS[n], 0, player .. string.sub(play, #device + 1))
    call('ZREM', KEYS[n], play)
  end
end
local function whole(n) return string.format('%.0f', n) end
local function both(key)
  local has = call('ZMSCORE', key, device, player)
  return tonumber(has[1] or 0), tonumber(has[2] or 0), has[1]
end
local parts = {}
while ARGV[i] do
  k = k + 1
  local total, older = KEYS[k], tonumber(ARGV[i])
  local his, own, earned = both(total)
  local was, sum = own, 0
  i = i + 1
  while ARGV[i] == 'day' do
    k, i = k + 1, i + 1
    local part, gives = KEYS[k], 0
    local of, mine = both(part)
    while ARGV[i] and string.find(ARGV[i], '^[el]') do
      k = k + 1
      if of > 0 then
        local amount = tonumber(string.sub(ARGV[i], 2))
        if string.sub(ARGV[i], 1, 1) == 'l' then
          gives = gives + amount * call('ZLEXCOUNT', KEYS[k], '[' .. player .. ' ', '(' .. player .. '!')
        else
          local has = call('ZMSCORE', KEYS[k], device, player)
          if has[1] or has[2] then gives = gives + amount end
        end
      end
      i = i + 1
    end
    gives = math.max(of, mine, math.min(of + mine, gives))
    if of > 0 then
      call('ZADD', part, whole(gives), player)
      call('ZREM', part, device)
    end
    his, own, sum = his - of, own - mine, sum + gives
    parts[#parts + 1] = whole(gives)
  end
  sum = sum + math.max(his, own, older)
  if sum ~= was then call('ZADD', total, whole(sum), player) end
  if earned then call('ZREM', total, device) end
end
return answer(unpack(parts))
`)

// Give gives the player who has claimed a device what the device has earned, and returns what
// the days from oldest on have given the player by then. older is what the player is known to
// have earned before oldest, by currency. It may be repeated.
//
// Cost: 1 billed command, 1 for each day and mode whose plays are counted, 2 for each play of the
// device on these days; for each currency 1 and 1 for each day, up to 2 more for what changes, and
// for each day on which the device has earned 2, and 1 for each mode.
func (w Books) Give(ctx context.Context, device, player string, oldest game.Date, older map[string]int64) ([]Part, error) {
	days := slices.DeleteFunc(w.countedDays(), func(d game.Date) bool { return d.Before(oldest) })
	var keys, args []string
	for _, m := range w.db.Game.Modes {
		for _, d := range days {
			if m.CountsPlays() {
				keys = append(keys, game.PlaysKey(m.Name, d))
			}
		}
	}
	args = append(args, device, player, redis.Itoa(int64(len(keys))))
	var parts []Part
	for _, c := range CurrenciesOf(w.db.Game) {
		keys, args = append(keys, EarnedKey(c.Name)), append(args, redis.Itoa(older[c.Name]))
		for _, d := range days {
			parts = append(parts, Part{Day: d, Currency: c.Name})
			keys, args = append(keys, EarnedDayKey(c.Name, d)), append(args, "day")
			if w.boardsLast(d) {
				live, worth := w.live(c, d)
				keys, args = append(keys, live...), append(args, worth...)
			}
		}
	}
	reply, err := w.db.Redis.Do(ctx, giveAllScript.Command(keys, args...).Idempotent())
	if err != nil {
		return nil, redis.Wrap("give what a device has earned", err)
	}
	words, err := reply.Strings()
	if err == nil && len(words) != 1+len(parts) {
		err = redis.WrongShape("what days have given", len(words))
	}
	for i := range parts {
		if err == nil {
			parts[i].Amount, _, err = amounts(words[1+i], "0")
		}
	}
	return parts, redis.Wrap("give what a device has earned", err)
}

// owners returns the owners of devices that are on the boards of a sealed day: claims have not
// moved these entries, but have given what they earn to their owners. holders are who has earned
// anything on the day.
//
// Cost: 1 billed command for every 10,000 players, and 1 for each claimed device.
func (w Books) owners(ctx context.Context, players []string, holders map[string]int64) (map[string]string, error) {
	byDigest := map[string]string{}
	for player := range holders {
		byDigest[game.BanMember(player)] = player
	}
	owners := map[string]string{}
	var p redis.Pipeline
	for some := range slices.Chunk(players, redis.WritePage) {
		digests := make([]string, len(some))
		for i, player := range some {
			digests[i] = game.BanMember(player)
		}
		reply, err := w.db.Redis.Do(ctx, upstash.Cmd(append([]string{"SMISMEMBER", game.ClaimIndexKey}, digests...)...))
		if err != nil {
			return nil, err
		}
		claimed, err := redis.Values(reply, len(some), "which devices are claimed")
		if err != nil {
			return nil, err
		}
		for i, is := range claimed {
			if n, err := is.Int64(); err != nil || n == 0 {
				continue
			}
			p.Add(upstash.Cmd("HGET", game.ClaimDigestKey(digests[i]), "player"), func(r upstash.Reply) error {
				if r.IsNil() {
					return nil
				}
				owner, err := r.Text()
				if byDigest[owner] != "" {
					owners[some[i]] = byDigest[owner]
				}
				return err
			})
		}
	}
	_, err := p.Run(ctx, w.db.Redis)
	return owners, err
}
