package duel

import (
	"context"
	"fmt"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
)

// declineScript ends a challenge that waits. Its new place in the due list says that it is no
// longer open, and lets the next run take it off.
//
// KEYS: duel, due
// ARGV: id, player, now
var declineScript = redis.NewScript(header + `
local id, player, now = unpack(ARGV)
if duel.a ~= player and duel.b ~= player then return answer('unknown') end
if duel.state == 'expired' then return answer('same') end
if duel.state ~= 'waiting' then return answer('late') end
set('state', 'expired')
set('until', now)
save()
call('ZADD', KEYS[2], 'XX', now, id)
return answer('new')
`)

// Decline ends a challenge that waits: its opponent declines it, or the challenger withdraws it. A
// repeated call gets the first answer. Errors: ErrUnknown, ErrAccepted.
//
// Cost: 5 billed commands in 2 round trips.
func (s *Store) Decline(ctx context.Context, id, player string) (Duel, error) {
	challenge, err := s.Duel(ctx, id) // not See, which shows no challenge that has ended to its opponent
	if err == nil {
		err = s.mayDuel.know(ctx, challenge, player)
	}
	if err != nil {
		return Duel{}, err
	}
	reply, err := s.redis.Do(ctx, declineScript.Command([]string{game.DuelRecordKey(id), game.DuelsDueKey}, id, player, redis.Millis(s.now())).Idempotent())
	if err != nil {
		return Duel{}, fmt.Errorf("decline the duel %s: %w", id, err)
	}
	says, err := answered(id, reply)
	if err != nil {
		return Duel{}, err
	}
	switch says.verdict {
	case "unknown":
		return Duel{}, ErrUnknown
	case "late":
		return Duel{}, ErrAccepted
	}
	return says.duel, nil
}
