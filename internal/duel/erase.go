package duel

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// Erased stands in duels for players who have been erased.
const Erased = "erased"

// eraseScript takes a player's id out of a duel, and ends it. A challenge by the
// player is deleted, as if there had been none.
//
// KEYS: duel
// ARGV: player, what stands for it
var eraseScript = rdb.NewScript(header + `
local player, erased = ARGV[1], ARGV[2]
if duel.state == 'waiting' and duel.a == player then
  call('DEL', KEYS[1])
  return answer('deleted')
end
for _, side in ipairs({'a', 'b'}) do
  if duel[side] == player then
    set(side, erased)
    if duel.state ~= 'decided' then
      set('state', 'expired')
      set('k', '')
    end
  end
end
return answer('done')
`)

// Erase takes a player out of every duel, of the queue and of the ratings. The
// other player keeps theirs. It may be repeated, and is finished by that.
//
// Cost: 4 billed commands; 3 for each duel that Redis has of the player, and 4;
// and 2 for each mode where the player waits for an opponent.
func (s *Store) Erase(ctx context.Context, player string) error {
	ids, waits, err := s.traces(ctx, player)
	if err != nil {
		return fmt.Errorf("list the duels of a player: %w", err)
	}
	var cmds []upstash.Command
	for _, id := range ids {
		cmds = append(cmds, eraseScript.Command([]string{game.DuelRecordKey(id)}, player, Erased).Idempotent())
	}
	if waits {
		for _, mode := range queuesOf(s.game) {
			cmds = append(cmds,
				upstash.Cmd("HDEL", game.DuelQueuedKey(mode), player).Idempotent(),
				upstash.Cmd("ZREM", game.DuelQueueKey(mode), player).Idempotent())
		}
	}
	if len(ids) > 0 {
		cmds = append(cmds,
			upstash.Cmd("ZREM", game.DuelKey, player).Idempotent(),
			upstash.Cmd("ZREM", game.DuelXPKey, player).Idempotent(),
			upstash.Cmd("ZREM", game.XPKey, player).Idempotent())
	}
	if len(cmds) == 0 {
		return nil
	}
	result, err := s.redis.Pipeline(ctx, cmds...)
	if err == nil {
		err = result.Err()
	}
	if err == nil && len(ids) > 0 {
		// Last, since it tells a repetition what there is to do.
		_, err = s.redis.Do(ctx, upstash.Cmd("DEL", game.DuelsOfKey(player), game.DuelsOpenKey(player)).Idempotent())
	}
	if err != nil {
		return fmt.Errorf("erase a player from duels: %w", err)
	}
	return nil
}

// traces takes away what nothing else follows from, and finds the duels of a
// player and whether the player may wait for an opponent.
func (s *Store) traces(ctx context.Context, player string) (ids []string, waits bool, err error) {
	var matches, queues []string
	for _, mode := range queuesOf(s.game) {
		matches = append(matches, game.DuelMatchKey(mode, player))
		queues = append(queues, game.DuelQueueKey(mode))
	}
	// The set that an erasure counts itself in has no other player: what it has
	// and no queue does. Where it is not there the player may be in any.
	alone := game.ErasureKey(game.DateOf(s.now()), player)
	result, err := s.redis.Pipeline(ctx,
		upstash.Cmd("ZRANGE", game.DuelsOfKey(player), "0", "-1"),
		upstash.Cmd(slices.Concat([]string{"ZDIFF", strconv.Itoa(len(queues) + 1), alone}, queues)...),
		upstash.Cmd(append([]string{"DEL"}, matches...)...).Idempotent(),
		upstash.Cmd("HDEL", game.DuelsPlayedKey, player).Idempotent())
	if err == nil {
		err = result.Err()
	}
	if err != nil {
		return nil, false, err
	}
	if ids, err = result.Replies[0].Strings(); err != nil {
		return nil, false, err
	}
	elsewhere, err := result.Replies[1].Strings()
	return ids, !slices.Contains(elsewhere, player), err
}
