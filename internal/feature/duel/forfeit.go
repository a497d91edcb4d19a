package duel

import (
	"context"
	"fmt"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// forfeitScript takes a player's XP of a duel away, or keeps a duel under way from giving any.
// If the duel has given XP, the script changes the duel's score in the due list, so that a
// concurrent Keep reads the duel again before it adds the XP up.
//
// KEYS: duel, due
// ARGV: player, id of the duel
var forfeitScript = redis.NewScript(header + `
local player, id = unpack(ARGV)
for _, side in ipairs({'a', 'b'}) do
  local xp = 'xp_' .. side
  if duel[side] == player and duel[xp] ~= '0' then
    if duel[xp] ~= '' then call('ZADD', KEYS[2], 'XX', 'INCR', '-1', id) end
    set(xp, '0')
  end
end
return answer('done')
`)

// Forfeit takes away the XP that duels have given a player, and keeps those under way from
// giving any. Ratings and points stay. The board of XP is the caller's to make again. After an
// error, a repeated call finishes the work.
//
// Cost: none if duels give no XP; else 2 billed commands, and up to 4 for each duel that Redis
// has of the player.
func (s *Store) Forfeit(ctx context.Context, player string) error {
	if !s.rules.GiveXP() {
		return nil
	}
	reply, err := s.redis.Do(ctx, upstash.Cmd("ZRANGE", game.DuelsOfKey(player), "0", "-1"))
	if err != nil {
		return fmt.Errorf("list the duels of a player: %w", err)
	}
	ids, err := reply.Strings()
	if err != nil {
		return fmt.Errorf("list the duels of a player: %w", err)
	}
	var cmds []upstash.Command
	for _, id := range ids {
		cmds = append(cmds, forfeitScript.Command([]string{game.DuelRecordKey(id), game.DuelsDueKey}, player, id).Idempotent())
	}
	// The sum comes last: by then no Keep can add to it any more.
	cmds = append(cmds, upstash.Cmd("ZREM", game.DuelXPKey, player).Idempotent())
	for some := range slices.Chunk(cmds, drainPage) {
		result, err := s.redis.Pipeline(ctx, some...)
		if err == nil {
			err = result.Err()
		}
		if err != nil {
			return fmt.Errorf("take the XP of a player's duels: %w", err)
		}
	}
	return nil
}
