package duel

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Erased replaces the id of an erased player in duels.
const Erased = "erased"

// eraseScript takes a player's id out of a duel, and ends the duel. It deletes a challenge by
// the player without a trace. If the duel has given the player XP, the script changes the
// duel's score in the due list, so that a concurrent Keep reads the duel again before it adds
// the XP up.
//
// KEYS: duel, due
// ARGV: player, the id that replaces it, id of the duel
var eraseScript = redis.NewScript(header + `
local player, erased, id = unpack(ARGV)
if duel.state == 'waiting' and duel.a == player then
  call('DEL', KEYS[1])
  return answer('deleted')
end
for _, side in ipairs({'a', 'b'}) do
  if duel[side] == player then
    set(side, erased)
    if duel['xp_' .. side] ~= '' then call('ZADD', KEYS[2], 'XX', 'INCR', '-1', id) end
    if duel.state ~= 'decided' then
      set('state', 'expired')
      set('k', '')
    end
  end
end
return answer('done')
`)

// Erase takes a player out of every duel, of the queue and of the ratings. The other players
// of the duels keep their results. After an error, a repeated call finishes the work.
//
// Cost: 4 billed commands; 3 for each duel that Redis has of the player, 4 for one that has
// given XP, and 5; and 3, and 2 for each mode, if the player waits for an opponent.
func (s *Store) Erase(ctx context.Context, player string) error {
	ids, err := s.traces(ctx, player)
	if err != nil {
		return fmt.Errorf("list the duels of a player: %w", err)
	}
	if len(ids) == 0 {
		return nil
	}
	var cmds []upstash.Command
	for _, id := range ids {
		cmds = append(cmds, eraseScript.Command([]string{game.DuelRecordKey(id), game.DuelsDueKey}, player, Erased, id).Idempotent())
	}
	cmds = append(cmds,
		upstash.Cmd("ZREM", game.DuelKey, player).Idempotent(),
		upstash.Cmd("ZREM", game.DuelXPKey, player).Idempotent(),
		upstash.Cmd("ZREM", game.XPKey, player).Idempotent())
	result, err := s.redis.Pipeline(ctx, cmds...)
	if err == nil {
		err = result.Err()
	}
	if err == nil {
		// The lists come last, because a repeated call finds the duels by them. Only these ids
		// are removed: other duels may have been added meanwhile.
		result, err = s.redis.Pipeline(ctx, upstash.Cmd(append([]string{"ZREM", game.DuelsOfKey(player)}, ids...)...).Idempotent(),
			upstash.Cmd(append([]string{"ZREM", game.DuelsUnseenKey(player)}, ids...)...).Idempotent())
	}
	if err == nil {
		err = result.Err()
	}
	if err != nil {
		return fmt.Errorf("erase a player from duels: %w", err)
	}
	return nil
}

// traces deletes the player's keys that no duel depends on, and finds the player's duels.
func (s *Store) traces(ctx context.Context, player string) (ids []string, err error) {
	loose := []string{"DEL", game.DuelsOpenKey(player)}
	var queues []string
	var leave []upstash.Command
	for _, mode := range queuesOf(s.game) {
		loose = append(loose, game.DuelMatchKey(mode, player))
		queues = append(queues, game.DuelQueueKey(mode))
		leave = append(leave,
			upstash.Cmd("HDEL", game.DuelQueuedKey(mode), player).Idempotent(),
			upstash.Cmd("ZREM", game.DuelQueueKey(mode), player).Idempotent())
	}
	// after runs some commands, and then those that delete the keys and list the duels, with
	// those that the player does not see.
	after := func(some ...upstash.Command) (first upstash.Reply, err error) {
		result, err := s.redis.Pipeline(ctx, append(some,
			upstash.Cmd(loose...).Idempotent(),
			upstash.Cmd("HDEL", game.DuelsPlayedKey, player).Idempotent(),
			upstash.Cmd("ZUNION", "2", game.DuelsOfKey(player), game.DuelsUnseenKey(player)))...)
		if err == nil {
			err = result.Err()
		}
		if err != nil {
			return first, err
		}
		ids, err = result.Replies[len(result.Replies)-1].Strings()
		return result.Replies[0], err
	}
	// The player is alone in the set that the erasure has written. ZDIFF returns the player
	// if the set exists and no queue has the player. Without the set, the player may be in
	// any queue.
	alone := game.ErasureKey(game.DateOf(s.now()), player)
	reply, err := after(upstash.Cmd(slices.Concat([]string{"ZDIFF", strconv.Itoa(len(queues) + 1), alone}, queues)...))
	if err != nil {
		return nil, err
	}
	elsewhere, err := reply.Strings()
	if err == nil && !slices.Contains(elsewhere, player) {
		// A waiting player may have been given a duel meanwhile. So the queues are left
		// first, and then the keys are deleted and the duels listed once more.
		_, err = after(leave...)
	}
	return ids, err
}
