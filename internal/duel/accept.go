package duel

import (
	"context"
	"fmt"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// acceptScript has a player accept a duel.
//
// KEYS: duel, due, played, list of the player
// ARGV: id, player, now, until, stake…
var acceptScript = upstash.NewScript(header+stake+`
local player, now = ARGV[2], tonumber(ARGV[3])
if f[1] == '' then return answer('unknown') end
if f[2] == player then return answer(f[1] == 'waiting' and 'own' or 'late') end
if f[3] ~= '' and f[3] ~= player then return answer(f[7] == '' and 'unknown' or 'taken') end
if f[1] ~= 'waiting' then return answer(f[3] == player and f[7] ~= '' and 'same' or 'over') end
if now > tonumber(f[6]) then
  set(1, 'expired')
  return answer('over')
end
set(1, 'ready')
set(3, player)
set(6, ARGV[4])
stake(KEYS[3], ARGV[5], ARGV[6], ARGV[7])
local done = answer('new')
redis.call('ZADD', KEYS[2], ARGV[4], ARGV[1])
redis.call('ZADD', KEYS[4], f[5], ARGV[1])
done[1] = done[1] + 2
return done
`, innerCalls)

// Accept makes a waiting duel ready. Accepting again is answered as the first
// time. Errors: ErrUnknown (also for a duel that waits for another player, or
// whose challenger may not be met), ErrOwn, ErrTaken, ErrOver.
//
// Cost: 6 billed commands in 2 round trips, 8 where a K is provisional.
func (s *Store) Accept(ctx context.Context, id, player string) (game.Duel, error) {
	challenge, err := s.Duel(ctx, id)
	if err == nil {
		err = s.mayKnow(ctx, challenge, player)
	}
	if err != nil {
		return game.Duel{}, err
	}
	now := s.now()
	keys := []string{game.DuelRecordKey(id), game.DuelsDueKey, game.DuelsPlayedKey, game.DuelsOfKey(player)}
	args := append([]string{id, player, millis(now), millis(now.Add(s.rules.Timeout))}, s.stake()...)
	reply, err := s.redis.Do(ctx, acceptScript.Command(keys, args...).Idempotent())
	if err != nil {
		return game.Duel{}, fmt.Errorf("accept the duel %s: %w", id, err)
	}
	verdict, d, err := answered(id, reply)
	if err != nil {
		return game.Duel{}, err
	}
	switch verdict {
	case "unknown":
		return game.Duel{}, ErrUnknown
	case "own":
		return game.Duel{}, ErrOwn
	case "late", "taken":
		return game.Duel{}, ErrTaken
	case "over":
		return game.Duel{}, ErrOver
	}
	return d, nil
}
