package lists

import (
	"context"
	"slices"
	"strconv"

	"github.com/framedle/leaderboards/internal/friends"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/upstash"
)

// writeScript keeps lists, each unless a newer one is there. Versions stay far
// below 2^53, so that a number in Lua holds them.
//
// KEYS: friends, blocks. ARGV for each list: player, version, record of the
// friends, record of those who are blocked, empty where nobody is.
// Answer: {calls}
var writeScript = upstash.NewScript(`
local ask = {'HMGET', KEYS[1]}
for i = 1, #ARGV, 4 do ask[#ask + 1] = ARGV[i] end
local have = redis.call(unpack(ask))
local friends, blocks, none = {'HSET', KEYS[1]}, {'HSET', KEYS[2]}, {'HDEL', KEYS[2]}
for i = 1, #have do
  local a = i * 4 - 3
  local version = -1
  if have[i] then version = tonumber(string.match(have[i], '^%d+')) or -1 end
  if tonumber(ARGV[a + 1]) >= version then
    friends[#friends + 1] = ARGV[a]
    friends[#friends + 1] = ARGV[a + 2]
    if ARGV[a + 3] ~= '' then
      blocks[#blocks + 1] = ARGV[a]
      blocks[#blocks + 1] = ARGV[a + 3]
    else
      none[#none + 1] = ARGV[a]
    end
  end
end
local calls = 1
for _, write in ipairs({friends, blocks, none}) do
  if #write > 2 then
    redis.call(unpack(write))
    calls = calls + 1
  end
end
return {calls}
`, func(r upstash.Reply) int {
	values, err := r.Array()
	if err != nil || len(values) == 0 {
		return 0
	}
	n, err := values[0].Int64()
	if err != nil {
		return 0
	}
	return int(n)
})

// writeAtOnce bounds one script: 200 full lists with as many blocks are 6 MB.
const writeAtOnce = 200

// Write puts lists in place of older ones. Writing one again changes nothing.
//
// Cost: up to 5 billed commands for every 200 lists.
func (l *Lists) Write(ctx context.Context, all []friends.Lists) error {
	for some := range slices.Chunk(all, writeAtOnce) {
		args := make([]string, 0, 4*len(some))
		for _, list := range some {
			blocked := ""
			if len(list.Blocked) > 0 {
				blocked = record(list.Version, list.Blocked)
			}
			args = append(args, list.Player, strconv.FormatInt(list.Version, 10), record(list.Version, list.Friends), blocked)
		}
		_, err := l.redis.Do(ctx, writeScript.Command([]string{game.FriendsKey, game.BlocksKey}, args...).Idempotent())
		if err != nil {
			return err
		}
	}
	return nil
}

// Forget removes a player's lists.
//
// Cost: 2 billed commands in 1 round trip.
func (l *Lists) Forget(ctx context.Context, player string) error {
	l.known.Remove(player)
	result, err := l.redis.Pipeline(ctx,
		upstash.Cmd("HDEL", game.FriendsKey, player).Idempotent(),
		upstash.Cmd("HDEL", game.BlocksKey, player).Idempotent())
	if err != nil {
		return err
	}
	return result.Err()
}
