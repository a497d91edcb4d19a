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
// player is deleted, as if there had been none. A duel that has given the player XP
// takes another place on the list: whoever is adding that up has to read it again.
//
// KEYS: duel, due
// ARGV: player, what stands for it, id
var eraseScript = rdb.NewScript(header + `
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

// Erase takes a player out of every duel, of the queue and of the ratings. The
// other player keeps theirs. It may be repeated, and is finished by that.
//
// Cost: 4 billed commands; 3 for each duel that Redis has of the player, 4 for one that
// has given XP, and 4; and 3, and 2 for each mode, where the player waits for an opponent.
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
		// Last, since it tells a repetition what there is to do; and no duel that came
		// onto it meanwhile.
		_, err = s.redis.Do(ctx, upstash.Cmd(append([]string{"ZREM", game.DuelsOfKey(player)}, ids...)...).Idempotent())
	}
	if err != nil {
		return fmt.Errorf("erase a player from duels: %w", err)
	}
	return nil
}

// traces takes away what nothing else follows from, and finds the duels of a player.
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
	// after does some commands, and then all of this.
	after := func(some ...upstash.Command) (first upstash.Reply, err error) {
		result, err := s.redis.Pipeline(ctx, append(some,
			upstash.Cmd(loose...).Idempotent(),
			upstash.Cmd("HDEL", game.DuelsPlayedKey, player).Idempotent(),
			upstash.Cmd("ZRANGE", game.DuelsOfKey(player), "0", "-1"))...)
		if err == nil {
			err = result.Err()
		}
		if err != nil {
			return first, err
		}
		ids, err = result.Replies[len(result.Replies)-1].Strings()
		return result.Replies[0], err
	}
	// The set that an erasure counts itself in has no other player: what it has
	// and no queue does. Where it is not there the player may be in any.
	alone := game.ErasureKey(game.DateOf(s.now()), player)
	reply, err := after(upstash.Cmd(slices.Concat([]string{"ZDIFF", strconv.Itoa(len(queues) + 1), alone}, queues)...))
	if err != nil {
		return nil, err
	}
	elsewhere, err := reply.Strings()
	if err == nil && !slices.Contains(elsewhere, player) {
		// Whoever waits may have been given a duel: what a queue leaves is taken away, and
		// the duels are looked for, once nobody finds the player there.
		_, err = after(leave...)
	}
	return ids, err
}
