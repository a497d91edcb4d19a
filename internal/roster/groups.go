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

// Both scripts change one player's memberships, a record of digest=group
// separated by spaces. A digest is hexadecimal, so it has no magic characters
// of a pattern.
//
// KEYS: ended, groups, gone. ARGV: player, its digest, membership's digest,
// group, seconds. Answer: {calls}
var (
	joinScript = upstash.NewScript(`
if redis.call('SISMEMBER', KEYS[3], ARGV[2]) == 1 then return {1} end
if redis.call('GET', KEYS[1]) then return {2} end
local have = redis.call('HGET', KEYS[2], ARGV[1]) or ''
if string.find(' ' .. have, ' ' .. ARGV[3] .. '=', 1, true) then return {3} end
if have ~= '' then have = have .. ' ' end
redis.call('HSET', KEYS[2], ARGV[1], have .. ARGV[3] .. '=' .. ARGV[4])
return {4}
`, calls)
	leaveScript = upstash.NewScript(`
redis.call('SET', KEYS[1], '1', 'EX', ARGV[5])
local have = redis.call('HGET', KEYS[2], ARGV[1])
if not have then return {2} end
local left = {}
for one in string.gmatch(have, '%S+') do
  if string.sub(one, 1, #ARGV[3] + 1) ~= ARGV[3] .. '=' then left[#left + 1] = one end
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

func (r *Roster) change(ctx context.Context, script *upstash.Script, m webhook.MembershipSaved) error {
	membership := game.BanMember(m.ID) // a digest, as ids may hold anything
	_, err := r.Redis.Do(ctx, script.Command(
		[]string{game.EndedKey(membership), game.GroupsKey, game.GoneKey},
		m.Player, game.BanMember(m.Player), membership, m.Group, fmt.Sprint(endedSeconds)).Idempotent())
	if err != nil {
		return fmt.Errorf("change the groups of %s: %w", m.Player, err)
	}
	return nil
}

// join makes a player a member. A membership that has ended stays ended; what
// it says does not change while it lasts, so its moments need not be compared.
func (r *Roster) join(ctx context.Context, m webhook.MembershipSaved) error {
	return r.change(ctx, joinScript, m)
}

func (r *Roster) leave(ctx context.Context, m webhook.MembershipEnded) error {
	return r.change(ctx, leaveScript, webhook.MembershipSaved(m))
}

func (r *Roster) forgetGroups(ctx context.Context, player string) error {
	if _, err := r.Redis.Do(ctx, upstash.Cmd("HDEL", game.GroupsKey, player).Idempotent()); err != nil {
		return fmt.Errorf("forget the groups of %s: %w", player, err)
	}
	return nil
}
