package duel

import (
	"context"
	"fmt"
	"strconv"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// resultScript takes a result in and, when it decides the duel, moves both
// ratings: one gains exactly what the other loses. It computes in double
// precision and writes 17 digits, which parse back to the same number; Lua's
// own printing would keep 14.
//
// Points, and the XP they are worth, are settled with the ratings, so that a game
// whose rules change later does not change what has been earned.
//
// A duel that a game server decides after its time goes into the history again,
// at a place of the list that no duel has before it is decided.
//
// KEYS: duel, ratings, due
// ARGV: "server", "player" or "clock", player, winner (empty: a draw), score, now, start, scale, id,
// points of a round, of a win and of a sweep, thousandths of an XP for a point
var resultScript = upstash.NewScript(header+`
local who, player, now = ARGV[1], ARGV[2], tonumber(ARGV[5])
local function decide(outcome, by)
  local stand = call('ZMSCORE', KEYS[2], f[2], f[3])
  local before = {}
  for i = 1, 2 do before[i] = tonumber(stand[i] or ARGV[6]) end
  local winner, mine, theirs = string.match(outcome, '^(.) ?(%d*) ?(%d*)$')
  local result = ({a = 1, b = 0, ['-'] = 0.5})[winner]
  local expected = 1 / (1 + 10 ^ ((before[2] - before[1]) / tonumber(ARGV[7])))
  local change = tonumber(f[7]) * (result - expected)
  local after = {string.format('%.17g', before[1] + change), string.format('%.17g', before[2] - change)}
  call('ZADD', KEYS[2], after[1], f[2], after[2], f[3])
  set(1, 'decided')
  set(10, outcome)
  set(11, by)
  for i = 1, 2 do
    set(9 + 3 * i, string.format('%.17g', before[i]))
    set(10 + 3 * i, after[i])
    set(11 + 3 * i, string.format('%.0f', call('ZREVRANK', KEYS[2], f[1 + i]) + 1))
  end
  set(18, ARGV[5])
  local rounds = {tonumber(mine) or 0, tonumber(theirs) or 0}
  for i = 1, 2 do
    local points = rounds[i] * tonumber(ARGV[9])
    if winner == ({'a', 'b'})[i] then
      points = points + tonumber(ARGV[10])
      if rounds[i] > 0 and rounds[3 - i] == 0 then points = points + tonumber(ARGV[11]) end
    end
    if points > 0 then
      local xp = points * tonumber(ARGV[12])
      set(17 + 2 * i, string.format('%.0f', points))
      set(18 + 2 * i, string.format('%.0f', (xp - xp % 1000) / 1000))
    end
  end
end

if f[1] == '' then return answer('unknown') end
local mine
if who == 'player' then
  mine = player == f[2] and 8 or player == f[3] and f[7] ~= '' and 9
  if not mine then return answer('unknown') end
end
if (f[1] == 'waiting' or f[1] == 'ready') and now > tonumber(f[6]) and who ~= 'server' then
  local told = f[8] ~= '' and f[8] or f[9]
  if f[1] == 'ready' and told ~= '' then decide(told, 'timeout') else set(1, 'expired') end
end
if who == 'clock' then return answer('seen') end
if f[7] == '' then return answer(f[1] == 'waiting' and 'waiting' or 'over') end
local outcome = ARGV[3] == '' and '-' or ARGV[3] == f[2] and 'a' or ARGV[3] == f[3] and 'b'
if not outcome then return answer('stranger') end
outcome = outcome .. ARGV[4]
if f[1] == 'decided' then return answer(outcome == f[10] and 'same' or 'decided') end
if who == 'server' then
  if f[1] ~= 'ready' then call('ZADD', KEYS[3], 0, ARGV[8]) end
  decide(outcome, 'server')
  return answer('new')
end
if f[1] == 'expired' then return answer('over') end
if f[mine] ~= '' then return answer(f[mine] == outcome and 'same' or 'decided') end
set(mine, outcome)
local other = f[17 - mine]
if other == outcome then
  decide(outcome, 'players')
elseif other ~= '' then
  set(1, 'disputed')
end
return answer('new')
`, innerCalls)

// Result is what somebody tells of how a duel ended.
type Result struct {
	Player string // who tells it; empty for a game server
	Winner string // empty for a draw
	Score  *[2]int64
}

// Tell takes a result in. A game server's decides the duel at once, whatever
// the players told and however late it comes; players' decide it when both tell
// the same. When they tell different ones the duel is disputed, and left to a
// game server. Errors: ErrUnknown, ErrNotReady, ErrNotPlaying, ErrDecided, ErrOver.
//
// Cost: 7 billed commands in 1 round trip where it decides (8 after the duel's
// time), 3 where it does not, 2 where it was told before.
func (s *Store) Tell(ctx context.Context, id string, r Result) (game.Duel, error) {
	who := "player"
	if r.Player == "" {
		who = "server"
	}
	verdict, d, err := s.result(ctx, id, who, r)
	if err != nil {
		return game.Duel{}, err
	}
	switch verdict {
	case "unknown":
		return game.Duel{}, ErrUnknown
	case "waiting":
		return game.Duel{}, ErrNotReady
	case "stranger":
		return game.Duel{}, ErrNotPlaying
	case "decided":
		return game.Duel{}, ErrDecided
	case "over":
		return game.Duel{}, ErrOver
	}
	return d, nil
}

// settle ends a duel whose time is over.
func (s *Store) settle(ctx context.Context, id string) (game.Duel, error) {
	_, d, err := s.result(ctx, id, "clock", Result{})
	return d, err
}

func (s *Store) result(ctx context.Context, id, who string, r Result) (string, game.Duel, error) {
	reply, err := s.redis.Do(ctx, resultScript.Command(
		[]string{game.DuelRecordKey(id), game.DuelKey, game.DuelsDueKey},
		who, r.Player, r.Winner, scoreText(r.Score), millis(s.now()),
		game.FormatStored(s.rules.Start), game.FormatStored(s.rules.Scale), id,
		whole(s.rules.Points.Round), whole(s.rules.Points.Win), whole(s.rules.Points.Sweep), whole(s.rules.XPWeight),
	).Idempotent())
	if err != nil {
		return "", game.Duel{}, fmt.Errorf("take a result of the duel %s: %w", id, err)
	}
	return answered(id, reply)
}

func scoreText(score *[2]int64) string {
	if score == nil {
		return ""
	}
	return " " + strconv.FormatInt(score[0], 10) + " " + strconv.FormatInt(score[1], 10)
}
