package duel

import (
	"context"
	"fmt"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/upstash"
)

// Erased stands in duels for players who have been erased.
const Erased = "erased"

// eraseScript takes a player's id out of a duel, and ends it. A challenge by the
// player is gone, as if there had been none.
//
// KEYS: duel
// ARGV: player, what stands for it
var eraseScript = upstash.NewScript(header+`
if f[1] == 'waiting' and f[2] == ARGV[1] then
  call('DEL', KEYS[1])
  return answer('gone')
end
for i = 2, 3 do
  if f[i] == ARGV[1] then
    set(i, ARGV[2])
    if f[1] ~= 'decided' then
      set(1, 'expired')
      set(7, '')
    end
  end
end
return answer('done')
`, innerCalls)

// Erase takes a player out of every duel, of the queue and of the ratings. The
// other player keeps theirs. It may be repeated, and is finished by that.
//
// Cost: 3 billed commands for each duel that Redis has of the player, and 9,
// and 3 for each mode.
func (s *Store) Erase(ctx context.Context, player string) error {
	reply, err := s.redis.Do(ctx, upstash.Cmd("ZRANGE", game.DuelsOfKey(player), "0", "-1"))
	if err != nil {
		return fmt.Errorf("list the duels of a player: %w", err)
	}
	ids, err := reply.Strings()
	if err != nil {
		return err
	}
	var cmds []upstash.Command
	for _, id := range ids {
		cmds = append(cmds, eraseScript.Command([]string{game.DuelRecordKey(id)}, player, Erased).Idempotent())
	}
	for _, mode := range s.queues() {
		cmds = append(cmds,
			upstash.Cmd("HDEL", game.DuelQueuedKey(mode), player).Idempotent(),
			upstash.Cmd("ZREM", game.DuelQueueKey(mode), player).Idempotent(),
			upstash.Cmd("DEL", game.DuelMatchKey(mode, player)).Idempotent())
	}
	cmds = append(cmds,
		upstash.Cmd("HDEL", game.DuelsPlayedKey, player).Idempotent(),
		upstash.Cmd("ZREM", game.DuelKey, player).Idempotent(),
		upstash.Cmd("ZREM", game.DuelXPKey, player).Idempotent(),
		upstash.Cmd("ZREM", game.XPKey, player).Idempotent())
	result, err := s.redis.Pipeline(ctx, cmds...)
	if err == nil {
		err = result.Err()
	}
	if err == nil {
		// Last, since it tells a repetition what there is to do.
		_, err = s.redis.Do(ctx, upstash.Cmd("DEL", game.DuelsOfKey(player), game.DuelsOpenKey(player)).Idempotent())
	}
	if err != nil {
		return fmt.Errorf("erase a player from duels: %w", err)
	}
	return nil
}
