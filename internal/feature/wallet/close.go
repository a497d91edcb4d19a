package wallet

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// takePage is how many players one call of a script handles: Lua can pass some 8,000 values,
// and each player takes an id and a number.
const takePage = 3500

// beyond is how much longer than its board a day's part of the total lives: as long as the day
// can be taken in again, the part must be known.
const beyond = 24 * time.Hour

// setLua sets players' parts of a day, and changes the total by the difference.
//
// KEYS: the day's part of the total, the total
const setLua = `
local function set(players, gives, seconds)
  local ask = {'ZMSCORE', KEYS[1], unpack(players)}
  local was = call(unpack(ask))
  ask[2] = KEYS[2]
  local total = call(unpack(ask))
  local put, sums, gone = {'ZADD', KEYS[1]}, {'ZADD', KEYS[2]}, {'ZREM', KEYS[1]}
  for i = 1, #players do
    local old = tonumber(was[i] or 0)
    if gives[i] ~= old then
      sums[#sums + 1] = string.format('%.0f', tonumber(total[i] or 0) + gives[i] - old)
      sums[#sums + 1] = players[i]
      if gives[i] == 0 then
        gone[#gone + 1] = players[i]
      else
        put[#put + 1] = string.format('%.0f', gives[i])
        put[#put + 1] = players[i]
      end
    end
  end
  if #sums == 2 then return end
  call(unpack(sums))
  if #gone > 2 then call(unpack(gone)) end
  if #put > 2 then
    call(unpack(put))
    call('EXPIRE', KEYS[1], seconds)
  end
end
`

// giveScript sets players' parts of a day, if the keys that the amounts were read from still
// have as many entries as then.
//
// KEYS: see setLua; then the keys that were read
// ARGV: seconds that the day's part lives, the number of entries of each key, then player,
// amount, …
// Answer: {calls, "given" | "moved"}
var giveScript = redis.NewScript(setLua + `
local sources, players, gives = #KEYS - 2, {}, {}
for s = 1, sources do
  if call('ZCARD', KEYS[2 + s]) ~= tonumber(ARGV[1 + s]) then return answer('moved') end
end
for i = 2 + sources, #ARGV, 2 do
  players[#players + 1] = ARGV[i]
  gives[#gives + 1] = tonumber(ARGV[i + 1])
end
set(players, gives, ARGV[1])
return answer('given')
`)

// Books are the wallets for closings and restores.
type Books struct{ *Wallets }

// Books returns the same wallets for closings and restores.
func (w *Wallets) Books() Books { return Books{w} }

// Close takes in a day as it is, and returns the day's part of each total, by currency and
// player. It may run any number of times, late, and twice at once: what a day gives now
// replaces what it gave before. If the day's boards have expired or are about to, it does
// nothing.
//
// Cost, for each currency: 1 billed command for each mode that earns it and every 20,000
// players or 10,000 plays of it, 1 more, and for every 3,500 players 6 and 1 for each mode; of a
// sealed day also that of owners.
func (w Books) Close(ctx context.Context, d game.Date) (map[string]map[string]int64, error) {
	if !w.boardsLast(d) {
		return nil, nil
	}
	end, _ := w.db.Game.Expires(game.Day.Of(d))
	taken := map[string]map[string]int64{}
	for _, c := range CurrenciesOf(w.db.Game) {
		of, err := w.take(ctx, c, d, redis.Itoa(w.db.SecondsUntil(end.Add(beyond))))
		if err != nil {
			return nil, redis.Wrap("take "+d.String()+" into "+c.Name, err)
		}
		taken[c.Name] = of
	}
	return taken, nil
}

// margin is longer than any script runs.
const margin = 5 * time.Minute

// boardsLast reports whether the boards of a day are in Redis as long as any script runs.
func (w *Wallets) boardsLast(d game.Date) bool {
	end, _ := w.db.Game.Expires(game.Day.Of(d))
	return w.db.Now().Add(margin).Before(end)
}

func (w Books) take(ctx context.Context, c Currency, d game.Date, seconds string) (map[string]int64, error) {
	part := EarnedDayKey(c.Name, d)
	for range tries {
		was, err := w.read(ctx, part)
		if err != nil {
			return nil, err
		}
		gives, keys, sizes, err := w.gives(ctx, c, d, was)
		if err != nil {
			return nil, err
		}
		all := maps.Clone(gives)
		for player := range was {
			all[player] += 0 // a player who earned before and earns nothing now
		}
		keys = append([]string{part, EarnedKey(c.Name)}, keys...)
		placed, err := w.give(ctx, keys, append([]string{seconds}, sizes...), all)
		if err != nil || placed {
			return gives, err
		}
	}
	return nil, redis.ErrVanished
}

// gives reads what a day gives each player of a currency. It returns the keys that it read and
// the number of entries of each. was is what the day gave before.
func (w Books) gives(ctx context.Context, c Currency, d game.Date, was map[string]int64) (all map[string]int64, keys, sizes []string, err error) {
	all = map[string]int64{}
	for _, m := range c.EarnedBy(w.db.Game.Modes) {
		counted, amount := m.CountsPlays(), c.Plays[m.Name]
		key := game.DayBoardKey(m.Name, d)
		if counted {
			key = game.PlaysKey(m.Name, d)
		}
		entries := map[string]struct{}{} // an entry that is read twice counts once
		err := w.db.EachMember(ctx, key, func(page []redis.Member) error {
			for _, e := range page {
				entries[e.Player] = struct{}{}
			}
			return nil
		})
		if err != nil {
			return nil, nil, nil, err
		}
		keys, sizes = append(keys, key), append(sizes, redis.Itoa(int64(len(entries))))
		if !counted && w.db.Age(game.Day.Of(d)) >= game.Sealed {
			owners, err := w.owners(ctx, slices.Collect(maps.Keys(entries)), was)
			if err != nil {
				return nil, nil, nil, err
			}
			for device, owner := range owners {
				delete(entries, device)
				entries[owner] = struct{}{}
			}
		}
		for entry := range entries {
			if game.IsSentPlay(entry) {
				continue
			}
			player, _, _ := strings.Cut(entry, " ")
			all[player] += amount
		}
	}
	return all, keys, sizes, nil
}

// give returns false if one of the keys has another number of entries than when it was read.
func (w Books) give(ctx context.Context, keys, head []string, amounts map[string]int64) (placed bool, err error) {
	for some := range slices.Chunk(slices.Collect(maps.Keys(amounts)), takePage) {
		args := slices.Clone(head)
		for _, player := range some {
			args = append(args, player, redis.Itoa(amounts[player]))
		}
		reply, err := w.db.Redis.Do(ctx, giveScript.Command(keys, args...).Idempotent())
		if err != nil {
			return false, err
		}
		words, err := reply.Strings()
		if err != nil {
			return false, err
		}
		if len(words) != 2 || words[1] != "given" {
			return false, nil
		}
	}
	return true, nil
}

func (w Books) read(ctx context.Context, key string) (map[string]int64, error) {
	all := map[string]int64{}
	err := w.db.EachMember(ctx, key, func(page []redis.Member) error {
		for _, m := range page {
			all[m.Player] = int64(m.Stored)
		}
		return nil
	})
	return all, err
}

// Through notes that all days up to one are taken in: from then on reads take these days from
// the total only. 1 billed command.
func (w Books) Through(ctx context.Context, d game.Date) error {
	_, err := w.db.Redis.Do(ctx, throughScript.Command([]string{game.ClosedKey}, d.String()).Idempotent())
	return redis.Wrap("note what was earned", err)
}

// throughScript notes the day through which everything was given, and never goes back.
//
// KEYS: closed
// ARGV: day
// Answer: {calls}
var throughScript = redis.NewScript(`
if (call('HGET', KEYS[1], 'earned') or '') < ARGV[1] then call('HSET', KEYS[1], 'earned', ARGV[1]) end
return answer()
`)

// Plays lists the accepted plays of a day of a mode whose plays are counted, in the form of
// game.PlayOf.
//
// Cost: 1 billed command for every 10,000 plays.
func (w Books) Plays(ctx context.Context, m *game.Mode, d game.Date) (plays []string, err error) {
	err = w.db.EachMember(ctx, game.PlaysKey(m.Name, d), func(page []redis.Member) error {
		for _, e := range page {
			if !game.IsSentPlay(e.Player) {
				plays = append(plays, e.Player)
			}
		}
		return nil
	})
	return plays, redis.Wrap("read which plays there were", err)
}

// PlaysOf lists the accepted plays of a player's day, as [Books.Plays] does.
//
// Cost: 1 billed command.
func (w Books) PlaysOf(ctx context.Context, m *game.Mode, d game.Date, player string) (plays []string, err error) {
	first, last := game.PlaysOf(player)
	reply, err := w.db.Redis.Do(ctx, upstash.Cmd("ZRANGEBYLEX", game.PlaysKey(m.Name, d), first, last))
	if err == nil {
		plays, err = reply.Strings()
	}
	return plays, redis.Wrap("read which plays there were of a player", err)
}
