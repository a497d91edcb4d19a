package duel

import (
	"context"
	"fmt"
	"strconv"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
)

// resultScript takes a result and, if the result decides the duel, moves both ratings: one
// gains exactly what the other loses. It computes in double precision and writes 17 digits,
// which parse back to the same number; Lua's own printing would keep 14. If ratings decay,
// the script starts from their values in this week; so what idle weeks have cost becomes part
// of the stored ratings.
//
// Points and their XP are fixed together with the ratings, so that a later change of the
// game's rules does not change what has been earned.
//
// A duel that is decided by the word of one player gives no points for rounds: nobody else says
// how many there were. A player whose XP is 0 before the duel is decided has forfeited it; see
// [Store.Forfeit].
//
// A duel that a game server decides after the duel's time goes to the history again, with a
// score in the due list that no undecided duel has.
//
// KEYS: duel, ratings, due
// ARGV: "server", "player" or "clock", player, winner (empty: a draw), score, now, rule of
// ratings, scale, id, points of a round, of a win and of a sweep, thousandths of an XP for a
// point
var resultScript = redis.NewScript(header + redis.Ratings + `
local who, player, winner, score, now, rule, scale, id, round, win, sweep, weight = unpack(ARGV)
local function decide(outcome, by)
  local players = {duel.a, duel.b}
  local ratings = ratingsBy(rule)
  local stand = call('ZMSCORE', KEYS[2], duel.a, duel.b)
  local before, through = {}, {}
  for i = 1, 2 do before[i], through[i] = ratings.read(stand[i]) end
  local won, of_a, of_b = string.match(outcome, '^(.) ?(%d*) ?(%d*)$')
  local result = ({a = 1, b = 0, ['-'] = 0.5})[won]
  local expected = 1 / (1 + 10 ^ ((before[2] - before[1]) / tonumber(scale)))
  local change = ratings.rounded(tonumber(duel.k) * (result - expected))
  local after = {before[1] + change, before[2] - change}
  call('ZADD', KEYS[2], ratings.entry(after[1], through[1]), duel.a, ratings.entry(after[2], through[2]), duel.b)
  set('state', 'decided')
  set('outcome', outcome)
  set('by', by)
  for i, side in ipairs({'a', 'b'}) do
    set('before_' .. side, string.format('%.17g', before[i]))
    set('after_' .. side, string.format('%.17g', after[i]))
    set('rank_' .. side, string.format('%.0f', call('ZREVRANK', KEYS[2], players[i]) + 1))
  end
  set('decided', now)
  local rounds = by == 'timeout' and {0, 0} or {tonumber(of_a) or 0, tonumber(of_b) or 0}
  for i, side in ipairs({'a', 'b'}) do
    local points = rounds[i] * tonumber(round)
    if won == side then
      points = points + tonumber(win)
      if rounds[i] > 0 and rounds[3 - i] == 0 then points = points + tonumber(sweep) end
    end
    if points > 0 then
      local xp = points * tonumber(weight)
      set('points_' .. side, string.format('%.0f', points))
      if duel['xp_' .. side] ~= '0' then set('xp_' .. side, string.format('%.0f', (xp - xp % 1000) / 1000)) end
    end
  end
end

if duel.state == '' then return answer('unknown') end
local mine, theirs
if who == 'player' then
  if player == duel.a then
    mine, theirs = 'said_a', 'said_b'
  elseif player == duel.b and duel.k ~= '' then
    mine, theirs = 'said_b', 'said_a'
  else
    return answer('unknown')
  end
end
if (duel.state == 'waiting' or duel.state == 'ready') and tonumber(now) > tonumber(duel['until']) and who ~= 'server' then
  local report = duel.said_a ~= '' and duel.said_a or duel.said_b
  if duel.state == 'ready' and report ~= '' then decide(report, 'timeout') else set('state', 'expired') end
end
if who == 'clock' then return answer('seen') end
if duel.k == '' then return answer(duel.state == 'waiting' and 'waiting' or 'over') end
local outcome = winner == '' and '-' or winner == duel.a and 'a' or winner == duel.b and 'b'
if not outcome then return answer('stranger') end
outcome = outcome .. score
if duel.state == 'decided' then return answer(outcome == duel.outcome and 'same' or 'decided') end
if who == 'server' then
  if duel.state ~= 'ready' then call('ZADD', KEYS[3], 0, id) end
  decide(outcome, 'server')
  return answer('new')
end
if duel.state == 'expired' then return answer('over') end
if duel[mine] ~= '' then return answer(duel[mine] == outcome and 'same' or 'decided') end
set(mine, outcome)
if duel[theirs] == outcome then
  decide(outcome, 'players')
elseif duel[theirs] ~= '' then
  set('state', 'disputed')
end
return answer('new')
`)

// Result is a report of how a duel ended.
type Result struct {
	Player string // the player who reports; empty for a game server
	Winner string // empty for a draw
	Score  *[2]int64
}

// Report takes a reported result. A game server's decides the duel at once, whatever the
// players have reported and however late it comes. The players' results decide it when both
// report the same. If they differ, the duel is disputed until a game server decides it.
// Errors: ErrUnknown, ErrNotReady, ErrNotPlaying, ErrDecided, ErrOver.
//
// Cost: 7 billed commands in 1 round trip if it decides (8 after the duel's time), 3 if it
// does not, 2 if it was reported before.
func (s *Store) Report(ctx context.Context, id string, r Result) (Duel, error) {
	who := "player"
	if r.Player == "" {
		who = "server"
	}
	says, err := s.result(ctx, id, who, r)
	if err != nil {
		return Duel{}, err
	}
	switch says.verdict {
	case "unknown":
		return Duel{}, ErrUnknown
	case "waiting":
		return Duel{}, ErrNotReady
	case "stranger":
		return Duel{}, ErrNotPlaying
	case "decided":
		return Duel{}, ErrDecided
	case "over":
		return Duel{}, ErrOver
	}
	return says.duel, nil
}

// settle ends a duel whose time is over.
func (s *Store) settle(ctx context.Context, id string) (Duel, error) {
	says, err := s.result(ctx, id, "clock", Result{})
	return says.duel, err
}

func (s *Store) result(ctx context.Context, id, who string, r Result) (answer, error) {
	reply, err := s.redis.Do(ctx, resultScript.Command(
		[]string{game.DuelRecordKey(id), game.DuelKey, game.DuelsDueKey},
		who, r.Player, r.Winner, scoreText(r.Score), redis.Millis(s.now()),
		redis.RatingRule(s.rules.Start, s.rules.Decay, s.now()), game.FormatStored(s.rules.Scale), id,
		redis.Itoa(s.rules.Points.Round), redis.Itoa(s.rules.Points.Win), redis.Itoa(s.rules.Points.Sweep), redis.Itoa(s.rules.XPWeight),
	).Idempotent())
	if err != nil {
		return answer{}, fmt.Errorf("take a result of the duel %s: %w", id, err)
	}
	return answered(id, reply)
}

func scoreText(score *[2]int64) string {
	if score == nil {
		return ""
	}
	return " " + strconv.FormatInt(score[0], 10) + " " + strconv.FormatInt(score[1], 10)
}
