package race

import (
	"context"
	"fmt"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Erased replaces the id of an erased player in races; the scripts have the same text.
const Erased = "erased"

// eraseScript takes a player's id out of a race. The race continues, and the erased player
// counts against nobody.
//
// ARGV: player
var eraseScript = redis.NewScript(header + `
local at = seat(ARGV[13])
if at and race.state == 'waiting' then
  free(at)
elseif at then
  set('p' .. at, 'erased')
  if race.state == 'started' then
    set('score' .. at, nil)
    set('left' .. at, '1')
  end
end
tick()
return says('done')
`)

// Erase takes a player out of every race that Redis has, and out of the ratings. After an
// error, a repeated call finishes the work.
//
// Cost: 1 billed command; 2 more for a player who has raced, and 4 for each race.
func (s *Store) Erase(ctx context.Context, player string) error {
	if s.off() {
		return nil
	}
	ids, err := s.racesOf(ctx, player)
	if err != nil || len(ids) == 0 {
		return err
	}
	races, err := s.read(ctx, ids)
	if err != nil {
		return err
	}
	var cmds []upstash.Command
	for _, r := range races {
		if r.ID != "" {
			cmds = append(cmds, s.command(eraseScript, r.ID, r.Mode, nil, player))
		}
	}
	// The list comes last, because a repeated call finds the races by it. Only these ids are
	// removed: other races may have been added meanwhile.
	done := append([]string{"ZREM", game.RacesOfKey(player)}, ids...)
	cmds = append(cmds, upstash.Cmd("ZREM", game.DuelKey, player).Idempotent(), upstash.Cmd(done...).Idempotent())
	result, err := s.redis.Pipeline(ctx, cmds...)
	if err == nil {
		err = result.Err()
	}
	if err != nil {
		return fmt.Errorf("erase a player from races: %w", err)
	}
	return nil
}

// racesOf lists the races that Redis may have of a player, oldest first.
func (s *records) racesOf(ctx context.Context, player string) ([]string, error) {
	reply, err := s.redis.Do(ctx, upstash.Cmd("ZRANGE", game.RacesOfKey(player), "0", "-1"))
	if err != nil {
		return nil, fmt.Errorf("list the races of a player: %w", err)
	}
	return reply.Strings()
}
