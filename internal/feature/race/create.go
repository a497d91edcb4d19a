package race

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
)

// trimEvery is how many seats a process gives away before it trims a player's list of races
// again.
const trimEvery = 16

// seating is for scripts that give a player a seat. The newest race on the player's list must
// be the one that the process has looked at. If it is another, a concurrent request has added
// it, and the answer is "again".
//
// Its function listed adds the race to the list as the newest, even within a millisecond of the
// race before, and even if the clock of the process that added that one is ahead.
//
// KEYS: list of the player
// ARGV: player, race that the player was in last, seconds to live, when the oldest race was
// made or ""
const seating = `
local list = KEYS[6]
local player, last, life, oldest = ARGV[13], ARGV[14], ARGV[15], ARGV[16]
local newest = 0
local function overtaken()
  local top = call('ZREVRANGE', list, 0, 0, 'WITHSCORES')
  newest = tonumber(top[2] or 0)
  return (top[1] or '') ~= last
end
local function listed()
  call('ZADD', list, whole(math.max(now, newest + 1)), id)
  if oldest ~= '' then call('ZREMRANGEBYSCORE', list, '-inf', oldest) end
  call('EXPIRE', list, life)
end
local function make(mode, size, rating, ends, text)
  set('state', 'waiting')
  set('mode', mode)
  set('size', size)
  set('at', whole(now))
  set('until', ends)
  if text ~= '' then set('text', text) end
  sit(player)
  if rating ~= '' then
    set('open', '1')
    call('ZADD', open, rating, id)
    call('EXPIRE', open, life)
  end
  save()
  call('EXPIRE', KEYS[1], life)
  call('ZADD', due, ends, id)
  listed()
end
`

// seating are the arguments of the seating part of a script.
func (s *Store) seating(player, last string) []string {
	oldest := ""
	if s.taken.Add(1)%trimEvery == 1 {
		oldest = redis.Millis(s.now().Add(-s.rules.Keep))
	}
	return []string{player, last, redis.Seconds(s.rules.Keep), oldest}
}

// createScript makes a race, unless a race with its id exists.
//
// ARGV: …, mode, size, "open" or "", until, text or empty
//
// ARGV: …, mode, size, "open" or "", until, text or empty
var createScript = redis.NewScript(header + seating + `
local mode, size, public, ends, text = ARGV[17], ARGV[18], ARGV[19], ARGV[20], ARGV[21]
if race.state then return says(race.mode == mode and seat(player) and 'same' or 'other') end
if overtaken() then return says('again') end
local rating = ''
if public ~= '' then rating = ratingOf(player) end
make(mode, size, rating, ends, text)
return says('new')
`)

// Wanted describes a race to make.
type Wanted struct {
	ID     string // the same id gives the same race; empty: a new race
	Player string
	Mode   string
	Size   int  // 2 to game.MaxRacers; 0: the game's own number
	Open   bool // whether the queue may add players; otherwise they join by its id
}

// Create makes a race that waits for players. Errors: ErrUnknown if the game has no races,
// ErrOther, ErrElsewhere.
//
// Cost: 9 billed commands in 2 round trips, 12 if the queue may add players, and 1 in 1 for a
// player who has raced before.
func (s *Store) Create(ctx context.Context, w Wanted) (Race, error) {
	if s.off() {
		return Race{}, ErrUnknown
	}
	if w.ID == "" {
		w.ID = s.newID()
	}
	if w.Size == 0 {
		w.Size = s.rules.Players
	}
	public := ""
	if w.Open {
		public = "open"
	}
	text, err := s.text(w.Mode)
	if err != nil {
		return Race{}, err
	}
	for {
		last, under, err := s.last(ctx, w.Player)
		if err != nil {
			return Race{}, err
		}
		if under && last.ID != w.ID {
			return Race{}, ErrElsewhere
		}
		args := append(s.seating(w.Player, last.ID), w.Mode, nth("", w.Size), public, redis.Millis(s.now().Add(s.rules.Invite)), text)
		says, err := s.step(ctx, createScript, w.ID, w.Mode, []string{game.RacesOfKey(w.Player)}, args...)
		switch {
		case err != nil:
			return Race{}, err
		case says.verdict == "other":
			return Race{}, ErrOther
		case says.verdict != "again":
			return says.race, nil
		}
	}
}
