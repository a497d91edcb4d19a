package roster

import (
	"context"
	"fmt"

	"github.com/framedle/leaderboards/internal/auth/webhook"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/upstash"
)

// endedSeconds is how long older news of a membership are known as such.
const endedSeconds = 7 * 24 * 60 * 60

// Both scripts change players' memberships, for each a record of digest=group
// separated by spaces. A digest is hexadecimal, so it has no magic characters
// of a pattern.
var (
	// KEYS: groups, gone, and ended of each membership. ARGV, for each: player,
	// its digest, membership's digest, group. Answer: {calls}
	joinScript = upstash.NewScript(`
local n = #KEYS - 2
local players, digests, keys = {}, {}, {}
for i = 1, n do players[i], digests[i], keys[i] = ARGV[4 * i - 3], ARGV[4 * i - 2], KEYS[2 + i] end
local gone = redis.call('SMISMEMBER', KEYS[2], unpack(digests))
local all = true
for i = 1, n do all = all and gone[i] == 1 end
if all then return {1} end
local ended = redis.call('MGET', unpack(keys))
all = true
for i = 1, n do all = all and (gone[i] == 1 or ended[i]) end
if all then return {2} end
local records, have, changed = redis.call('HMGET', KEYS[1], unpack(players)), {}, {}
for i = 1, n do have[players[i]] = records[i] or '' end
for i = 1, n do
  local of, member = have[players[i]], ARGV[4 * i - 1]
  if gone[i] == 0 and not ended[i] and not string.find(' ' .. of, ' ' .. member .. '=', 1, true) then
    if of ~= '' then of = of .. ' ' end
    have[players[i]] = of .. member .. '=' .. ARGV[4 * i]
    changed[players[i]] = true
  end
end
local write = {}
for player in pairs(changed) do
  write[#write + 1] = player
  write[#write + 1] = have[player]
end
if #write == 0 then return {3} end
redis.call('HSET', KEYS[1], unpack(write))
return {4}
`, calls)
	// KEYS: ended, groups. ARGV: player, membership's digest, seconds.
	// Answer: {calls}
	leaveScript = upstash.NewScript(`
redis.call('SET', KEYS[1], '1', 'EX', ARGV[3])
local have = redis.call('HGET', KEYS[2], ARGV[1])
if not have then return {2} end
local left = {}
for one in string.gmatch(have, '%S+') do
  if string.sub(one, 1, #ARGV[2] + 1) ~= ARGV[2] .. '=' then left[#left + 1] = one end
end
if #left == 0 then
  redis.call('HDEL', KEYS[2], ARGV[1])
else
  redis.call('HSET', KEYS[2], ARGV[1], table.concat(left, ' '))
end
return {3}
`, calls)
)

func calls(r upstash.Reply) int {
	values, err := r.Array()
	if err != nil || len(values) == 0 {
		return 0
	}
	n, err := values[0].Int64()
	if err != nil {
		return 0
	}
	return int(n)
}

// joinAll makes players members. A membership that has ended stays ended; what
// it says does not change while it lasts, so its moments need not be compared.
func (r *Roster) joinAll(ctx context.Context, members []webhook.MembershipSaved) error {
	keys := []string{game.GroupsKey, game.GoneKey}
	args := make([]string, 0, 4*len(members))
	for _, m := range members {
		membership := game.BanMember(m.ID) // a digest, as ids may hold anything
		keys = append(keys, game.EndedKey(membership))
		args = append(args, m.Player, game.BanMember(m.Player), membership, m.Group)
	}
	if _, err := r.Redis.Do(ctx, joinScript.Command(keys, args...).Idempotent()); err != nil {
		return fmt.Errorf("change the groups of %d players: %w", len(members), err)
	}
	return nil
}

func (r *Roster) leave(ctx context.Context, m webhook.MembershipEnded) error {
	membership := game.BanMember(m.ID)
	_, err := r.Redis.Do(ctx, leaveScript.Command(
		[]string{game.EndedKey(membership), game.GroupsKey}, m.Player, membership, fmt.Sprint(endedSeconds)).Idempotent())
	if err != nil {
		return fmt.Errorf("change the groups of %s: %w", m.Player, err)
	}
	return nil
}

func (r *Roster) forgetGroups(ctx context.Context, player string) error {
	if _, err := r.Redis.Do(ctx, upstash.Cmd("HDEL", game.GroupsKey, player).Idempotent()); err != nil {
		return fmt.Errorf("forget the groups of %s: %w", player, err)
	}
	return nil
}
