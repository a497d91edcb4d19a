package profiles

import (
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// lateProfilesScript writes profiles, unless something newer is stored for the player. A
// record begins with when it was said; one that does not may be of any time.
//
// KEYS: profiles, countries. ARGV: player, milliseconds, record and number of
// the country, "" for none, for each.
// Answer: {calls, 1 where it was written and 0 where not, for each}
var lateProfilesScript = rdb.NewScript(`
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

// writeLateProfiles queues profiles that were said some time ago. Where something newer
// stands, the process goes on with what it knew of the player, and asks again in due time.
//
// Cost: 4 billed commands for any number of players, 3 without countries.
func (ps *Profiles) writeLateProfiles(p *rdb.Pipeline, late []ProfileWrite) {
	if len(late) == 0 {
		return
	}
	args := make([]string, 0, 4*len(late))
	for _, w := range late {
		number := ""
		if country := w.asked.Profile().Country; ps.RankCountries && country != "" {
			number = rdb.Itoa(game.CountryNumber(country))
		}
		at := max(0, w.At.UnixMilli())
		args = append(args, w.Player, rdb.Itoa(at), Record(w.asked.told, time.UnixMilli(at)), number)
	}
	p.Add(lateProfilesScript.Command([]string{game.ProfilesKey, game.CountriesKey}, args...).Idempotent(), func(r upstash.Reply) error {
		written, err := rdb.Counts(r, len(late), "what became of each profile")
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
