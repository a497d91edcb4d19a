package wallet

import (
	"context"
	"maps"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// RestorePlays puts back the accepted plays of a mode's day. Plays that Redis already has do
// not change.
//
// Cost: 1 billed command for every 10,000 plays, and 1.
func (w Books) RestorePlays(ctx context.Context, mode string, d game.Date, plays []string) error {
	end, _ := w.db.Game.Expires(game.Day.Of(d))
	key := game.PlaysKey(mode, d)
	var p redis.Pipeline
	for some := range slices.Chunk(plays, redis.WritePage) {
		words := []string{"ZADD", key}
		for _, play := range some {
			words = append(words, "0", play)
		}
		p.Add(upstash.Cmd(words...).Idempotent(), nil)
	}
	p.Add(redis.ExpireBy(w.db, key, end), nil)
	_, err := p.Run(ctx, w.db.Redis)
	return redis.Wrap("restore which plays there were", err)
}

// DropPlays removes plays from a mode's day.
//
// Cost: 1 billed command for every 10,000 plays.
func (w Books) DropPlays(ctx context.Context, mode string, d game.Date, plays []string) error {
	var p redis.Pipeline
	for some := range slices.Chunk(plays, redis.WritePage) {
		p.Add(upstash.Cmd(append([]string{"ZREM", game.PlaysKey(mode, d)}, some...)...).Idempotent(), nil)
	}
	_, err := p.Run(ctx, w.db.Redis)
	return redis.Wrap("drop plays", err)
}

// RestoreDay puts back what a closed day has given, for a day that may be closed once more.
//
// Cost: 6 billed commands for every 3,500 players.
func (w Books) RestoreDay(ctx context.Context, currency string, d game.Date, amounts map[string]int64) error {
	end, _ := w.db.Game.Expires(game.Day.Of(d))
	seconds := redis.Itoa(w.db.SecondsUntil(end.Add(beyond)))
	_, err := w.give(ctx, []string{EarnedDayKey(currency, d), EarnedKey(currency)}, []string{seconds}, amounts)
	return redis.Wrap("restore what a day has given", err)
}

// totalScript sets players' totals: what was given by the days before, plus the parts of the
// days that it names.
//
// KEYS: the total, the parts of days
// ARGV: player, amount, …
// Answer: {calls}
var totalScript = redis.NewScript(`
local players, all, put = {}, {}, {'ZADD', KEYS[1]}
for i = 1, #ARGV, 2 do
  players[#players + 1] = ARGV[i]
  all[#all + 1] = tonumber(ARGV[i + 1])
end
for k = 2, #KEYS do
  local n = call('ZMSCORE', KEYS[k], unpack(players))
  for i = 1, #players do all[i] = all[i] + tonumber(n[i] or 0) end
end
for i = 1, #players do
  put[#put + 1] = string.format('%.0f', all[i])
  put[#put + 1] = players[i]
end
call(unpack(put))
return answer()
`)

// RestoreTotals puts back what players have earned: before, which is from the days before
// oldest, and the parts of the days since then.
//
// Cost: for every 3,500 players 2 billed commands, and 1 for each day that is known.
func (w Books) RestoreTotals(ctx context.Context, currency string, oldest game.Date, before map[string]int64) error {
	keys := []string{EarnedKey(currency)}
	for _, d := range w.countedDays() {
		if !d.Before(oldest) {
			keys = append(keys, EarnedDayKey(currency, d))
		}
	}
	return w.inPages(ctx, before, func(words []string) upstash.Command { return totalScript.Command(keys, words...) })
}

// Oldest returns the first day whose part of the total Redis may have for some time yet.
func (w Books) Oldest() game.Date {
	days := w.countedDays()
	oldest := days[len(days)-1]
	if end, _ := w.db.Game.Expires(game.Day.Of(oldest)); !w.db.Now().Add(margin).Before(end.Add(beyond)) {
		oldest = oldest.AddDays(1)
	}
	return oldest
}

// spentScript sets what players have spent: what the archive has, plus what is in the stream
// to the archive.
//
// KEYS: spent, the stream
// ARGV: currency, then player, amount, …
// Answer: {calls}
var spentScript = redis.NewScript(`
local coming, put = {}, {'ZADD', KEYS[1]}
for _, row in ipairs(call('XRANGE', KEYS[2], '-', '+')) do
  local of = {}
  for i = 1, #row[2], 2 do of[row[2][i]] = row[2][i + 1] end
  if of.currency == ARGV[1] then coming[of.player] = (coming[of.player] or 0) + tonumber(of.amount) end
end
for i = 2, #ARGV, 2 do
  put[#put + 1] = string.format('%.0f', tonumber(ARGV[i + 1]) + (coming[ARGV[i]] or 0))
  put[#put + 1] = ARGV[i]
end
call(unpack(put))
return answer()
`)

// RestoreSpent puts back what players have spent according to the archive. The stream must have
// nothing that the archive has, and nobody may move the stream to the archive meanwhile.
//
// Cost: 3 billed commands for every 3,500 players.
func (w Books) RestoreSpent(ctx context.Context, currency string, spent map[string]int64) error {
	return w.inPages(ctx, spent, func(words []string) upstash.Command {
		return spentScript.Command([]string{SpentKey(currency), SpendsKey}, append([]string{currency}, words...)...)
	})
}

func (w Books) inPages(ctx context.Context, amounts map[string]int64, command func(words []string) upstash.Command) error {
	for some := range slices.Chunk(slices.Collect(maps.Keys(amounts)), takePage) {
		words := make([]string, 0, 2*len(some))
		for _, player := range some {
			words = append(words, player, redis.Itoa(amounts[player]))
		}
		if _, err := w.db.Redis.Do(ctx, command(words).Idempotent()); err != nil {
			return redis.Wrap("restore wallets", err)
		}
	}
	return nil
}

// Totals reads what all players have earned on days that are taken in, and what they have
// spent.
//
// Cost: 1 billed command for every 20,000 players of each, at least 2.
func (w Books) Totals(ctx context.Context, currency string) (earned, spent map[string]int64, err error) {
	if earned, err = w.read(ctx, EarnedKey(currency)); err == nil {
		spent, err = w.read(ctx, SpentKey(currency))
	}
	return earned, spent, redis.Wrap("read all wallets", err)
}
