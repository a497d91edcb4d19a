package duel

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
)

// trimEvery is the number of new duels in a process after which one of them trims the lists.
const trimEvery = 16

// createScript makes a duel, unless a duel with its id exists.
//
// KEYS: duel, due, played, open challenges of a, list of a[, list, or unseen duels, of b]
// ARGV: id, state, a, b, mode, now, until, seconds to live, "trim" or "", when the oldest key
// was made, stake…, "instead" or "": whether a challenge by b to a is replaced, how many
// challenges of a may wait
//
// A challenge is added to the list of open ones, which gives the list's length. Only if that
// is too long does the script remove challenges that no longer wait: their time is over, or
// their score in the due list has changed since they were made.
var createScript = redis.NewScript(header + stake + `
local id, state, a, b, mode, now, ends, life, trim, oldest, k, provisional_duels, provisional_k, instead, most = unpack(ARGV)
if duel.state ~= '' and not (instead == 'instead' and duel.state == 'waiting' and duel.a == b and duel.b == a) then
  return answer(duel.a == a and duel.b == b and duel.mode == mode and 'same' or 'other')
end
local due, played, waiting = KEYS[2], KEYS[3], KEYS[4]
if state == 'waiting' then
  local entry = ends .. ' ' .. id
  local length = call('RPUSH', waiting, entry)
  if length > tonumber(most) then
    local listed = call('LRANGE', waiting, 0, -2)
    local ask, open = {'ZMSCORE', due}, {'RPUSH', waiting}
    for i = 1, #listed do ask[i + 2] = string.match(listed[i], ' (.+)$') end
    local places = call(unpack(ask))
    for i = 1, #listed do
      local over = tonumber(string.match(listed[i], '^%d+'))
      if places[i] and tonumber(places[i]) == over and over >= tonumber(now) then open[#open + 1] = listed[i] end
    end
    if #open - 2 >= tonumber(most) then
      call('RPOP', waiting)
      return answer('full')
    end
    open[#open + 1] = entry
    call('DEL', waiting)
    length = call(unpack(open))
  end
  if length == 1 or trim == 'trim' then call('EXPIRE', waiting, life) end
end
set('state', state)
set('a', a)
set('b', b)
set('mode', mode)
set('at', now)
set('until', ends)
if state == 'ready' then stake(played, k, provisional_duels, provisional_k) end
save()
call('EXPIRE', KEYS[1], life)
call('ZADD', due, ends, id)
for i = 5, #KEYS do
  call('ZADD', KEYS[i], now, id)
  if trim == 'trim' then
    call('ZREMRANGEBYSCORE', KEYS[i], '-inf', oldest)
    call('EXPIRE', KEYS[i], life)
  end
end
return answer('new')
`)

// newDuel describes a duel to make.
type newDuel struct {
	id      string
	state   State
	players [2]string
	mode    string
	// unseen puts the duel among those that the opponent does not see, not on the opponent's
	// list. The duel then also replaces a challenge by the opponent, which the player cannot see
	// either.
	unseen bool
}

func (s *Store) create(ctx context.Context, wanted newDuel) (Duel, error) {
	id, players := wanted.id, wanted.players
	now := s.now()
	until := now.Add(s.rules.Invite)
	if wanted.state == Ready {
		until = now.Add(s.rules.Timeout)
	}
	keys := []string{game.DuelRecordKey(id), game.DuelsDueKey, game.DuelsPlayedKey, game.DuelsOpenKey(players[0]), game.DuelsOfKey(players[0])}
	switch {
	case players[1] != "" && wanted.unseen:
		keys = append(keys, game.DuelsUnseenKey(players[1]))
	case players[1] != "":
		keys = append(keys, game.DuelsOfKey(players[1]))
	}
	trim, instead := "", ""
	if wanted.unseen {
		instead = "instead"
	}
	if s.made.Add(1)%trimEvery == 1 {
		trim = "trim"
	}
	args := append([]string{
		id, string(wanted.state), players[0], players[1], wanted.mode, redis.Millis(now), redis.Millis(until), redis.Seconds(life(s.rules)), trim, redis.Millis(now.Add(-life(s.rules))),
	}, append(stakeOf(s.rules), instead, strconv.Itoa(s.rules.Open))...)
	reply, err := s.redis.Do(ctx, createScript.Command(keys, args...).Idempotent())
	if err != nil {
		return Duel{}, fmt.Errorf("make a duel: %w", err)
	}
	says, err := answered(id, reply)
	if err != nil {
		return Duel{}, err
	}
	switch says.verdict {
	case "other":
		return Duel{}, ErrOther
	case "full":
		return Duel{}, ErrOpen
	}
	return says.duel, nil
}

// life is how long a duel's key lives: through each of the waits, and then as long as the
// game keeps the duel.
func life(rules Rules) time.Duration {
	return rules.Invite + rules.Timeout + rules.Keep
}
