package board

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/profiles"
	"github.com/framedle/leaderboards/internal/rdb"
)

// pageScript reads a run of entries and the profiles of its players in one round trip. It is
// for a board whose players this process does not know.
//
// KEYS: board, profiles
// ARGV: first place, last place, and REV on desc boards
// Answer: {calls, members with scores, profiles}
var pageScript = rdb.NewScript(`
local query = {'ZRANGE', KEYS[1], ARGV[1], ARGV[2], 'WITHSCORES'}
if ARGV[3] then query[6] = ARGV[3] end
local flat = call(unpack(query))
if #flat == 0 then return answer(flat, {}) end
local ask = {'HMGET', KEYS[2]}
for i = 1, #flat, 2 do
  ask[#ask + 1] = flat[i]
  ask[#ask + 1] = '` + game.OwnProfile("") + `' .. flat[i]
end
return answer(flat, call(unpack(ask)))
`)

// readNamed reads a run of entries, and remembers the players' profiles: 3 billed commands in 1
// round trip.
func (s pages) readNamed(ctx context.Context, b game.Board, first, last int64, entries *[]game.Entry) error {
	args := []string{rdb.Itoa(first), rdb.Itoa(last)}
	if b.Mode.Order != game.Asc {
		args = append(args, "REV")
	}
	reply, err := s.db.Redis.Do(ctx, pageScript.Command([]string{b.Key, game.ProfilesKey}, args...).Idempotent())
	if err != nil {
		return err
	}
	parts, err := rdb.Values(reply, 3, "entries and profiles")
	if err != nil {
		return err
	}
	if err := rdb.EntriesInto(b, entries)(parts[1]); err != nil {
		return err
	}
	profiles, err := profiles.ProfilesOf(parts[2], len(*entries))
	if err != nil {
		return err
	}
	for i, p := range profiles {
		s.players.Directory.Learn((*entries)[i].Player, p)
	}
	return nil
}
