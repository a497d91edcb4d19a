package duel

import (
	"context"
	"fmt"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
)

// raiseScript raises counts to at least the given ones.
//
// KEYS: duels played
// ARGV: player, at least, …
// Answer: {calls}
var raiseScript = redis.NewScript(`
local ask, put = {'HMGET', KEYS[1]}, {'HSET', KEYS[1]}
for i = 1, #ARGV, 2 do ask[#ask + 1] = ARGV[i] end
local counts = call(unpack(ask))
for i = 1, #counts do
  if tonumber(counts[i] or 0) < tonumber(ARGV[2 * i]) then
    put[#put + 1] = ARGV[2 * i - 1]
    put[#put + 1] = ARGV[2 * i]
  end
end
if #put > 2 then call(unpack(put)) end
return answer()
`)

// begun restores how many duels each player has begun, on which K depends while it is
// provisional: the duels in the history, and those under way. It never lowers a count.
//
// Cost: 1 billed command for each duel on the list, and up to 3 for every 1,000 players.
func (r *restore) begun(ctx context.Context) error {
	if r.k.rules.Provisional.Duels == 0 {
		return nil
	}
	begun, err := r.k.begunUnderWay(ctx)
	if err != nil {
		return err
	}
	err = r.k.history.EachBegun(ctx, func(page []Begun) error {
		for _, b := range page {
			begun[b.Player] += b.Duels
		}
		return nil
	})
	if err != nil {
		return err
	}
	args := make([]string, 0, 2*len(begun))
	for player, duels := range begun {
		args = append(args, player, redis.Itoa(duels))
	}
	for some := range slices.Chunk(args, 2*restorePage) {
		if _, err := r.k.redis.Do(ctx, raiseScript.Command([]string{game.DuelsPlayedKey}, some...).Idempotent()); err != nil {
			return fmt.Errorf("restore how many duels players have begun: %w", err)
		}
	}
	return nil
}
