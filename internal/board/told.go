package board

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/upstash"
)

// toldSeconds is how long older news of a profile are known as such. Whoever
// sends webhooks gives up after some days.
const toldSeconds = 7 * 24 * 60 * 60

// toldScript writes a profile unless newer news have been, or the player is gone.
//
// KEYS: told, gone, profiles, countries. ARGV: player, its digest, moment, record,
// seconds, number of the country it moves to, "-" for none, empty where it stays.
// Answer: {calls, 1 where it was written}
var toldScript = upstash.NewScript(`
if redis.call('SISMEMBER', KEYS[2], ARGV[2]) == 1 then return {1, 0} end
local told = redis.call('GET', KEYS[1])
if told and tonumber(told) > tonumber(ARGV[3]) then return {2, 0} end
redis.call('SET', KEYS[1], ARGV[3], 'EX', ARGV[5])
redis.call('HSET', KEYS[3], ARGV[1], ARGV[4])
if ARGV[6] == '' then return {4, 1} end
if ARGV[6] == '-' then
  redis.call('ZREM', KEYS[4], ARGV[1])
else
  redis.call('ZADD', KEYS[4], ARGV[6], ARGV[1])
end
return {5, 1}
`, firstInt)

// SaveTold keeps what an authority tells of a player's profile from a moment
// on, unless it has told something newer, or that the player is gone. What it
// leaves out stays. Here it shows at once, in other processes within 15 minutes.
//
// Cost: up to 7 billed commands in 2 round trips.
func (s *Store) SaveTold(ctx context.Context, player string, p Profile, moment time.Time) (saved bool, err error) {
	read, err := s.readProfiles(ctx, []string{player})
	if err != nil {
		return false, wrap("read the profile of "+player, err)
	}
	news := read[player]
	before := news.profile().Country
	news.told = p.over(news.told)
	moves := ""
	if country := news.profile().Country; s.countries && country != before {
		moves = "-"
		if country != "" {
			moves = itoa(game.CountryNumber(country))
		}
	}
	reply, err := s.redis.Do(ctx, toldScript.Command(
		[]string{game.ToldKey(player), game.GoneKey, game.ProfilesKey, game.CountriesKey},
		player, game.BanMember(player), itoa(moment.UnixMilli()), news.told.record(moment), itoa(toldSeconds), moves).Idempotent())
	if err != nil {
		return false, wrap("save the profile of "+player, err)
	}
	answer, err := reply.Array()
	if err == nil && len(answer) != 2 {
		err = errShape("2 numbers", len(answer))
	}
	if err != nil {
		return false, wrap("save the profile of "+player, err)
	}
	written, err := answer[1].Int64()
	if written == 1 {
		s.directory.forget(player)
	}
	return written == 1, wrap("save the profile of "+player, err)
}

// MarkGone has nothing be saved any more that is told of a player. What there
// is stays: see Erase.
//
// Cost: 2 billed commands in 1 round trip.
func (s *Store) MarkGone(ctx context.Context, player string) error {
	var p pipeline
	p.add(upstash.Cmd("SADD", game.GoneKey, game.BanMember(player)).Idempotent(), nil)
	p.add(upstash.Cmd("DEL", game.ToldKey(player)).Idempotent(), nil)
	_, err := p.run(ctx, s.redis)
	return wrap("mark "+player+" as gone", err)
}

// ProfileOf reads a player's whole profile, what is hidden too.
//
// Cost: 1 billed command.
func (s *Store) ProfileOf(ctx context.Context, player string) (Profile, error) {
	read, err := s.readProfiles(ctx, []string{player})
	return read[player].profile(), wrap("read the profile of "+player, err)
}
