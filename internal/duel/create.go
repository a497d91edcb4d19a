package duel

import (
	"context"
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// trimEvery is how many new duels of a process share one trimming of the lists.
const trimEvery = 16

// createScript makes a duel, unless its id stands for one.
//
// KEYS: duel, due, played, open challenges of a, list of a[, list of b]
// ARGV: id, state, a, b, mode, now, until, seconds to live, "trim" or "", when the oldest key was made, stake…,
// "instead" or "": whether a challenge of b to a gives way, how many challenges of a may wait
//
// A challenge is put on the list of open ones, whose length is then known. Only
// where it is too long, those are taken off that wait no more: whose time is
// over, or whose place among the due is another than when they were made.
var createScript = upstash.NewScript(header+stake+`
if f[1] ~= '' and not (ARGV[14] == 'instead' and f[1] == 'waiting' and f[2] == ARGV[4] and f[3] == ARGV[3]) then
  return answer(f[2] == ARGV[3] and f[3] == ARGV[4] and f[4] == ARGV[5] and 'same' or 'other')
end
if ARGV[2] == 'waiting' then
  local most = tonumber(ARGV[15])
  local length = call('RPUSH', KEYS[4], ARGV[7] .. ' ' .. ARGV[1])
  if length > most then
    local listed = call('LRANGE', KEYS[4], 0, -2)
    local ask, open = {'ZMSCORE', KEYS[2]}, {'RPUSH', KEYS[4]}
    for i = 1, #listed do ask[i + 2] = string.match(listed[i], ' (.+)$') end
    local places = call(unpack(ask))
    for i = 1, #listed do
      local ends = tonumber(string.match(listed[i], '^%d+'))
      if places[i] and tonumber(places[i]) == ends and ends >= tonumber(ARGV[6]) then open[#open + 1] = listed[i] end
    end
    if #open - 2 >= most then
      call('RPOP', KEYS[4])
      return {calls, 'full', unpack(f)}
    end
    open[#open + 1] = ARGV[7] .. ' ' .. ARGV[1]
    call('DEL', KEYS[4])
    length = call(unpack(open))
  end
  if length == 1 or ARGV[9] == 'trim' then call('EXPIRE', KEYS[4], ARGV[8]) end
end
set(1, ARGV[2])
set(2, ARGV[3])
set(3, ARGV[4])
set(4, ARGV[5])
set(5, ARGV[6])
set(6, ARGV[7])
if ARGV[2] == 'ready' then stake(KEYS[3], ARGV[11], ARGV[12], ARGV[13]) end
local done = answer('new')
redis.call('EXPIRE', KEYS[1], ARGV[8])
redis.call('ZADD', KEYS[2], ARGV[7], ARGV[1])
done[1] = done[1] + 2
for i = 5, #KEYS do
  redis.call('ZADD', KEYS[i], ARGV[6], ARGV[1])
  done[1] = done[1] + 1
  if ARGV[9] == 'trim' then
    redis.call('ZREMRANGEBYSCORE', KEYS[i], '-inf', ARGV[10])
    redis.call('EXPIRE', KEYS[i], ARGV[8])
    done[1] = done[1] + 2
  end
end
return done
`, innerCalls)

// newDuel is a duel to be made.
type newDuel struct {
	id      string
	state   game.DuelState
	players [2]string
	mode    string
	// unseen keeps it off the opponent's list, and puts it in place of a
	// challenge by the opponent, which the player does not get to see either.
	unseen bool
}

func (s *Store) create(ctx context.Context, wanted newDuel) (game.Duel, error) {
	id, players := wanted.id, wanted.players
	now := s.now()
	until := now.Add(s.rules.Invite)
	if wanted.state == game.DuelReady {
		until = now.Add(s.rules.Timeout)
	}
	keys := []string{game.DuelRecordKey(id), game.DuelsDueKey, game.DuelsPlayedKey, game.DuelsOpenKey(players[0]), game.DuelsOfKey(players[0])}
	if players[1] != "" && !wanted.unseen {
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
		id, string(wanted.state), players[0], players[1], wanted.mode, millis(now), millis(until), seconds(s.life()), trim, millis(now.Add(-s.life())),
	}, append(s.stake(), instead, itoa(s.rules.Open))...)
	reply, err := s.redis.Do(ctx, createScript.Command(keys, args...).Idempotent())
	if err != nil {
		return game.Duel{}, fmt.Errorf("make a duel: %w", err)
	}
	verdict, d, err := answered(id, reply)
	if err != nil {
		return game.Duel{}, err
	}
	switch verdict {
	case "other":
		return game.Duel{}, ErrOther
	case "full":
		return game.Duel{}, ErrOpen
	}
	return d, nil
}

// life is how long a duel's key lives: through every wait, and then as long as
// the game keeps it.
func (s *Store) life() time.Duration {
	return s.rules.Invite + s.rules.Timeout + s.rules.Keep
}
