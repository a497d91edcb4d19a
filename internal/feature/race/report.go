package race

import (
	"context"
	"errors"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
)

// reportScript takes a score, and decides the race if no other score is awaited.
//
// A score in time counts even after a long silence of its player, unless the race was decided
// meanwhile.
//
// ARGV: player, score, mode
var reportScript = redis.NewScript(header + `
local player, score, mode = ARGV[13], ARGV[14], ARGV[15]
if not race.state or race.mode ~= mode then return says('unknown') end
local at = seat(player)
if not at then return says('unknown') end
if race.state == 'waiting' then return says('early') end
if race['score' .. at] then
  tick()
  return says(race['score' .. at] == score and 'same' or 'other')
end
if race.state == 'started' and now < tonumber(race.starts) then return says('early') end
if race.state == 'started' and now <= tonumber(race['until']) and not race['left' .. at] then
  set('score' .. at, score)
  tick()
  return says('new')
end
tick()
return says('over')
`)

// Report takes the score of a player in a race of a mode. A repeated call gets the first
// answer. Errors: ErrUnknown, ErrEarly, ErrOver, ErrOtherScore.
//
// Cost: 3 billed commands in 1 round trip, 5 if it decides the race, 2 for a repeated score.
func (s *Store) Report(ctx context.Context, id, mode, player string, score game.Score) (Race, error) {
	if s.off() {
		return Race{}, ErrUnknown
	}
	says, err := s.step(ctx, reportScript, id, mode, nil, player, scoreText(score), mode)
	if err != nil {
		return Race{}, err
	}
	switch says.verdict {
	case "unknown":
		return Race{}, ErrUnknown
	case "early":
		return Race{}, ErrEarly
	case "over":
		return says.race, ErrOver
	case "other":
		return says.race, ErrOtherScore
	}
	return says.race, nil
}

// Final reports whether an error of Tell is final: telling the score again would return it
// again.
func Final(err error) bool {
	for _, final := range []error{ErrUnknown, ErrEarly, ErrOver, ErrOtherScore} {
		if errors.Is(err, final) {
			return true
		}
	}
	return err == nil
}
