package clerk

import (
	"context"
	"fmt"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/auth/webhook"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// endedSeconds is how long Redis remembers that a membership has ended, so that older news of
// it is recognized.
const endedSeconds = 7 * 24 * 60 * 60

// Both scripts change the memberships of players. A player's record has digest=group for each,
// separated by spaces. A digest is hexadecimal, so it has no magic characters of a pattern.
var (
	// KEYS: groups, deleted players, and the key "ended" of each membership
	// ARGV, for each membership: player, the player's digest, the membership's digest, group
	// Answer: {calls, for each 1 if it has not ended}
	joinScript = redis.NewScript(`
local n = #KEYS - 2
local players, digests, keys = {}, {}, {}
for i = 1, n do players[i], digests[i], keys[i] = ARGV[4 * i - 3], ARGV[4 * i - 2], KEYS[2 + i] end
local lasts = {}
for i = 1, n do lasts[i] = 0 end
local deleted = call('SMISMEMBER', KEYS[2], unpack(digests))
local all = true
for i = 1, n do all = all and deleted[i] == 1 end
if all then return answer(unpack(lasts)) end
local ended = call('MGET', unpack(keys))
all = true
for i = 1, n do
  if deleted[i] == 0 and not ended[i] then
    lasts[i] = 1
    all = false
  end
end
if all then return answer(unpack(lasts)) end
local records, have, changed = call('HMGET', KEYS[1], unpack(players)), {}, {}
for i = 1, n do have[players[i]] = records[i] or '' end
for i = 1, n do
  local of, member = have[players[i]], ARGV[4 * i - 1]
  if lasts[i] == 1 and not string.find(' ' .. of, ' ' .. member .. '=', 1, true) then
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
if #write > 0 then call('HSET', KEYS[1], unpack(write)) end
return answer(unpack(lasts))
`)
	// KEYS: ended, groups
	// ARGV: player, membership's digest, seconds
	// Answer: {calls}
	leaveScript = redis.NewScript(`
call('SET', KEYS[1], '1', 'EX', ARGV[3])
local have = call('HGET', KEYS[2], ARGV[1])
if not have then return answer() end
local left = {}
for one in string.gmatch(have, '%S+') do
  if string.sub(one, 1, #ARGV[2] + 1) ~= ARGV[2] .. '=' then left[#left + 1] = one end
end
if #left == 0 then
  call('HDEL', KEYS[2], ARGV[1])
else
  call('HSET', KEYS[2], ARGV[1], table.concat(left, ' '))
end
return answer()
`)
)

// joinAll makes players members. A membership that has ended stays ended. While it lasts, its
// content does not change, so moments need not be compared.
func (r *Roster) joinAll(ctx context.Context, members []webhook.MembershipSaved) error {
	at := r.now()
	all := make([]Membership, len(members))
	for i, m := range members {
		all[i] = Membership{ID: game.BanMember(m.ID), Player: m.Player, Group: m.Group} // a digest, since ids may contain anything
	}
	joined, err := join(ctx, r.Redis, all)
	if err != nil || r.Memberships == nil {
		return err
	}
	return r.Memberships.Put(ctx, joined, at)
}

// join adds memberships to Redis, and returns those that have not ended.
func join(ctx context.Context, client *upstash.Client, all []Membership) (joined []Membership, err error) {
	keys := []string{game.GroupsKey, game.DeletedKey}
	args := make([]string, 0, 4*len(all))
	for _, m := range all {
		keys = append(keys, game.EndedKey(m.ID))
		args = append(args, m.Player, game.BanMember(m.Player), m.ID, m.Group)
	}
	reply, err := client.Do(ctx, joinScript.Command(keys, args...).Idempotent())
	var lasts []int64
	if err == nil {
		lasts, err = redis.Counts(reply, len(all), "whether each membership lasts")
	}
	if err != nil {
		return nil, fmt.Errorf("change the groups of %d players: %w", len(all), err)
	}
	for i, m := range all {
		if lasts[i] == 1 {
			joined = append(joined, m)
		}
	}
	return joined, nil
}

func (r *Roster) leave(ctx context.Context, m webhook.MembershipEnded) error {
	at := r.now()
	membership := game.BanMember(m.ID)
	_, err := r.Redis.Do(ctx, leaveScript.Command(
		[]string{game.EndedKey(membership), game.GroupsKey}, m.Player, membership, fmt.Sprint(endedSeconds)).Idempotent())
	if err != nil {
		return fmt.Errorf("change the groups of %s: %w", m.Player, err)
	}
	if r.Memberships == nil {
		return nil
	}
	return r.Memberships.End(ctx, Membership{ID: membership, Player: m.Player}, at)
}

func (r *Roster) forgetGroups(ctx context.Context, player string) error {
	if _, err := r.Redis.Do(ctx, upstash.Cmd("HDEL", game.GroupsKey, player).Idempotent()); err != nil {
		return fmt.Errorf("forget the groups of %s: %w", player, err)
	}
	return nil
}
