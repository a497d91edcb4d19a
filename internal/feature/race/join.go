package race

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
)

// joinScript gives a player a seat in a waiting race, and starts the race if that was the
// last seat.
var joinScript = redis.NewScript(header + seating + `
if not race.state then return says('unknown') end
local at = seat(player)
if race.state == 'waiting' and at then set('seen' .. at, whole(now)) end
tick()
if seat(player) then return says('same') end
if race.state ~= 'waiting' then return says('full') end
if overtaken() then return says('again') end
sit(player)
listed()
tick()
return says('new')
`)

// Join gives a player a seat. Errors: ErrUnknown (also if the race has somebody whom the
// player may not meet), ErrFull, ErrElsewhere.
//
// Cost: 8 billed commands in 3 round trips, 1 more in 1 for a player who has raced before, up
// to 3 more if it starts the race, and 2 for a provisional K; and that of Options.MayMeet.
func (s *Store) Join(ctx context.Context, id, player string) (Race, error) {
	r, err := s.race(ctx, id)
	if err != nil {
		return Race{}, err
	}
	if r.Seat(player) < 0 {
		if err := s.know(ctx, r, player); err != nil {
			return Race{}, err
		}
	}
	for {
		last, under, err := s.last(ctx, player)
		if err != nil {
			return Race{}, err
		}
		if under && last.ID != id {
			return Race{}, ErrElsewhere
		}
		joined, again, err := s.join(ctx, r, player, last.ID)
		if err != nil || !again {
			return joined, err
		}
	}
}

// join tries once to join. again reports that the player has got into another race meanwhile.
func (s *Store) join(ctx context.Context, r Race, player, last string) (joined Race, again bool, err error) {
	says, err := s.step(ctx, joinScript, r.ID, r.Mode, []string{game.RacesOfKey(player)}, s.seating(player, last)...)
	switch {
	case err != nil:
		return Race{}, false, err
	case says.verdict == "unknown":
		return Race{}, false, ErrUnknown
	case says.verdict == "full":
		return Race{}, false, ErrFull
	}
	return says.race, says.verdict == "again", nil
}
