package race

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
)

// leaveScript frees a player's seat in a waiting race; in a started race the player gives up.
// If the race is not in the state that the caller requires, it stays as it is.
//
// KEYS: list of the player
// ARGV: player, required state: "waiting", "alone" or "" for any
var leaveScript = redis.NewScript(header + `
local player, list, only = ARGV[13], KEYS[6], ARGV[14]
local at = seat(player)
if only ~= '' and race.state ~= 'waiting' or only == 'alone' and seats > 1 then return says('stays') end
if at and race.state == 'waiting' then
  free(at)
  call('ZREM', list, id)
  if seats == 0 then
    if race.open then call('ZREM', open, id) end
    finish('expired')
  end
end
if at and race.state == 'started' and not race['score' .. at] then set('left' .. at, '1') end
tick()
return says(at and 'left' or 'unknown')
`)

// Leave takes a player out of a waiting race. In a started race the player gives up, and will
// be last. It may be repeated. Errors: ErrUnknown.
//
// Cost: 5 billed commands in 2 round trips, 2 more if a waiting race has nobody left, or if
// leaving decides a race.
func (s *Store) Leave(ctx context.Context, id, player string) (Race, error) {
	r, err := s.race(ctx, id)
	if err != nil {
		return Race{}, err
	}
	says, err := s.leave(ctx, r, player, "")
	if err != nil {
		return Race{}, err
	}
	if says.verdict == "unknown" {
		return Race{}, ErrUnknown
	}
	return says.race, nil
}

// leave takes a player out of a race only while the race still is "waiting", or the player is
// "alone" in it. So no player gives up a race that has started meanwhile.
func (s *Store) leave(ctx context.Context, r Race, player, only string) (answer, error) {
	return s.step(ctx, leaveScript, r.ID, r.Mode, []string{game.RacesOfKey(player)}, player, only)
}
