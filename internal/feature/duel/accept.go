package duel

import (
	"context"
	"fmt"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
)

// acceptScript accepts a duel for a player.
//
// KEYS: duel, due, played, list of the player
// ARGV: id, player, now, until, stake…
var acceptScript = redis.NewScript(header + stake + `
local id, player, now, ends, k, provisional_duels, provisional_k = unpack(ARGV)
if duel.state == '' then return answer('unknown') end
if duel.a == player then return answer(duel.state == 'waiting' and 'own' or 'late') end
if duel.b ~= '' and duel.b ~= player then return answer(duel.k == '' and 'unknown' or 'taken') end
if duel.state ~= 'waiting' then return answer(duel.b == player and duel.k ~= '' and 'same' or 'over') end
if tonumber(now) > tonumber(duel['until']) then
  set('state', 'expired')
  return answer('over')
end
set('state', 'ready')
set('b', player)
set('until', ends)
stake(KEYS[3], k, provisional_duels, provisional_k)
save()
call('ZADD', KEYS[2], ends, id)
call('ZADD', KEYS[4], duel.at, id)
return answer('new')
`)

// Accept makes a waiting duel ready. A repeated call gets the first answer. Errors:
// ErrUnknown (also for a duel that waits for another player, or if the player may not meet
// the challenger), ErrOwn, ErrTaken, ErrOver.
//
// Cost: 6 billed commands in 2 round trips, 8 if a K is provisional.
func (s *Store) Accept(ctx context.Context, id, player string) (Duel, error) {
	challenge, err := s.Duel(ctx, id)
	if err == nil {
		err = s.mayDuel.know(ctx, challenge, player)
	}
	if err != nil {
		return Duel{}, err
	}
	now := s.now()
	keys := []string{game.DuelRecordKey(id), game.DuelsDueKey, game.DuelsPlayedKey, game.DuelsOfKey(player)}
	args := append([]string{id, player, redis.Millis(now), redis.Millis(now.Add(s.rules.Timeout))}, stakeOf(s.rules)...)
	reply, err := s.redis.Do(ctx, acceptScript.Command(keys, args...).Idempotent())
	if err != nil {
		return Duel{}, fmt.Errorf("accept the duel %s: %w", id, err)
	}
	says, err := answered(id, reply)
	if err != nil {
		return Duel{}, err
	}
	switch says.verdict {
	case "unknown":
		return Duel{}, ErrUnknown
	case "own":
		return Duel{}, ErrOwn
	case "late", "taken":
		return Duel{}, ErrTaken
	case "over":
		return Duel{}, ErrOver
	}
	return says.duel, nil
}
