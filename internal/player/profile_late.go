package player

import (
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// lateProfilesScript writes profiles, each unless Redis has a newer record of the player. A
// record begins with the time at which the credential said it; a record without a time is
// replaced.
//
// KEYS: profiles, countries
// ARGV, for each profile: player, milliseconds, record, number of the country or ""
// Answer: {calls, for each profile 1 if it was written, else 0}
var lateProfilesScript = redis.NewScript(`
local ask, put, move, written = {'HMGET', KEYS[1]}, {'HSET', KEYS[1]}, {'ZADD', KEYS[2]}, {}
for i = 1, #ARGV, 4 do ask[#ask + 1] = ARGV[i] end
local stand = call(unpack(ask))
for i = 1, #ARGV, 4 do
  local record = stand[(i + 3) / 4]
  local said = record and string.match(record, '^{"at":(%d+)')
  if said and tonumber(said) > tonumber(ARGV[i + 1]) then
    written[#written + 1] = 0
  else
    written[#written + 1] = 1
    put[#put + 1] = ARGV[i]
    put[#put + 1] = ARGV[i + 2]
    if ARGV[i + 3] ~= '' then
      move[#move + 1] = ARGV[i + 3]
      move[#move + 1] = ARGV[i]
    end
  end
end
if #move > 2 then call(unpack(move)) end
if #put > 2 then call(unpack(put)) end
return answer(unpack(written))
`)

// writeLateProfiles queues profiles from credentials that are old. If Redis has a newer record
// of a player, the process does not learn it here: it asks again once it no longer relies on
// what it knows.
//
// Cost: 4 billed commands for any number of players, 3 without countries.
func (ps *Profiles) writeLateProfiles(p *redis.Pipeline, late []ProfileWrite) {
	if len(late) == 0 {
		return
	}
	args := make([]string, 0, 4*len(late))
	for _, w := range late {
		number := ""
		if country := w.asked.Profile().Country; ps.RankCountries && country != "" {
			number = redis.Itoa(game.CountryNumber(country))
		}
		at := max(0, w.At.UnixMilli())
		args = append(args, w.Player, redis.Itoa(at), Record(w.asked.told, time.UnixMilli(at)), number)
	}
	p.Add(lateProfilesScript.Command([]string{game.ProfilesKey, game.CountriesKey}, args...).Idempotent(), func(r upstash.Reply) error {
		written, err := redis.Counts(r, len(late), "what became of each profile")
		if err != nil {
			return err
		}
		for i, w := range late {
			if written[i] == 1 {
				ps.Directory.Learn(w.Player, w.asked)
			}
		}
		return nil
	})
}
