package friend

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// writeScript writes lists, each unless a newer one is there. Versions stay far below 2^53, so
// a number in Lua holds them.
//
// KEYS: versions, blocks, friends of each list
// ARGV, for each list: player, version, ids of the friends, record of the blocked players or ""
// Answer: {calls}
var writeScript = redis.NewScript(`
local ask = {'HMGET', KEYS[1]}
for i = 1, #ARGV, 4 do ask[#ask + 1] = ARGV[i] end
local have = call(unpack(ask))
local versions, blocks, none = {'HSET', KEYS[1]}, {'HSET', KEYS[2]}, {'HDEL', KEYS[2]}
for i = 1, #have do
  local a = i * 4 - 3
  if tonumber(ARGV[a + 1]) >= (tonumber(have[i] or -1) or -1) then
    versions[#versions + 1] = ARGV[a]
    versions[#versions + 1] = ARGV[a + 1]
    if have[i] then call('DEL', KEYS[i + 2]) end
    if ARGV[a + 2] ~= '' then
      local put = {'ZADD', KEYS[i + 2], '0', ARGV[a]}
      for id in string.gmatch(ARGV[a + 2], '%S+') do
        put[#put + 1] = '0'
        put[#put + 1] = id
      end
      call(unpack(put))
    end
    if ARGV[a + 3] ~= '' then
      blocks[#blocks + 1] = ARGV[a]
      blocks[#blocks + 1] = ARGV[a + 3]
    else
      none[#none + 1] = ARGV[a]
    end
  end
end
for _, write in ipairs({versions, blocks, none}) do
  if #write > 2 then call(unpack(write)) end
end
return answer()
`)

// writeAtOnce bounds one script: 200 full lists with as many blocks are 6 MB.
const writeAtOnce = 200

// Write puts lists in place of older ones. Writing one again changes nothing.
//
// Cost: up to 5 billed commands for every 200 lists, and up to 2 for each.
func (l *Cache) Write(ctx context.Context, all []Lists) error {
	for some := range slices.Chunk(all, writeAtOnce) {
		keys := []string{game.ListsKey, game.BlocksKey}
		args := make([]string, 0, 4*len(some))
		for _, list := range some {
			blocked := ""
			if len(list.Blocked) > 0 {
				blocked = record(list.Version, list.Blocked)
			}
			keys = append(keys, game.FriendsKey(list.Player))
			args = append(args, list.Player, strconv.FormatInt(list.Version, 10), strings.Join(list.Friends, " "), blocked)
		}
		_, err := l.redis.Do(ctx, writeScript.Command(keys, args...).Idempotent())
		if err != nil {
			return err
		}
	}
	return nil
}

// dropScript removes lists, each unless a newer one is there.
//
// KEYS: versions, blocks, friends of each list
// ARGV: player and version of each
// Answer: {calls}
var dropScript = redis.NewScript(`
local ask, drop = {'HMGET', KEYS[1]}, {}
for i = 1, #ARGV, 2 do ask[#ask + 1] = ARGV[i] end
local have = call(unpack(ask))
for i = 1, #have do
  if have[i] and tonumber(have[i]) <= tonumber(ARGV[2 * i]) then
    call('DEL', KEYS[i + 2])
    drop[#drop + 1] = ARGV[2 * i - 1]
  end
end
if #drop > 0 then
  call('HDEL', KEYS[1], unpack(drop))
  call('HDEL', KEYS[2], unpack(drop))
end
return answer()
`)

// Drop removes lists, each unless a newer one is there.
//
// Cost: up to 4 billed commands for every 200 lists, and 1 for each.
func (l *Cache) Drop(ctx context.Context, all []Lists) error {
	for some := range slices.Chunk(all, writeAtOnce) {
		keys := []string{game.ListsKey, game.BlocksKey}
		args := make([]string, 0, 2*len(some))
		for _, list := range some {
			keys, args = append(keys, game.FriendsKey(list.Player)), append(args, list.Player, strconv.FormatInt(list.Version, 10))
		}
		if _, err := l.redis.Do(ctx, dropScript.Command(keys, args...).Idempotent()); err != nil {
			return err
		}
	}
	return nil
}

// Forget removes a player's lists.
//
// Cost: 3 billed commands in 1 round trip.
func (l *Cache) Forget(ctx context.Context, player string) error {
	result, err := l.redis.Pipeline(ctx,
		upstash.Cmd("DEL", game.FriendsKey(player)).Idempotent(),
		upstash.Cmd("HDEL", game.ListsKey, player).Idempotent(),
		upstash.Cmd("HDEL", game.BlocksKey, player).Idempotent())
	if err != nil {
		return err
	}
	return result.Err()
}
