package race

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
)

// leaveScript frees the seat of a player in a race that waits, and has one who
// plays give up. Where the race is not as the player was to leave it, it stays so.
//
// KEYS: list of the player
// ARGV: player, "waiting" or "alone" where the race must be that, or empty
var leaveScript = rdb.NewScript(header + `
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

// Leave takes a player out of a race that waits; one who plays gives up, and will
// be last. It may be repeated. Errors: ErrUnknown.
//
// Cost: 5 billed commands in 2 round trips, 2 more where nobody is left in one that
// waits, or where it is decided by that.
func (s *Store) Leave(ctx context.Context, id, player string) (game.Race, error) {
	r, err := s.race(ctx, id)
	if err != nil {
		return game.Race{}, err
	}
	says, err := s.leave(ctx, r, player, "")
	if err != nil {
		return game.Race{}, err
	}
	if says.verdict == "unknown" {
		return game.Race{}, ErrUnknown
	}
	return says.race, nil
}

// leave has a player leave a race that was read, while it still is "waiting", or the player
// "alone" in it: nobody gives up a race by it that has started meanwhile.
func (s *Store) leave(ctx context.Context, r game.Race, player, only string) (answer, error) {
	return s.step(ctx, leaveScript, r.ID, r.Mode, []string{game.RacesOfKey(player)}, player, only)
}
