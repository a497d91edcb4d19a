package duel

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
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

// Challenge opens a duel that waits to be accepted: by the opponent, or by
// whoever brings its id where opponent is empty. An opponent who may not be met
// does not get to see it: to the player that is somebody who does not react.
//
// Cost: 7 billed commands in 1 round trip, 8 with an opponent; 4 more where as
// many challenges as may wait were made since this was last looked at, and 5 for
// one too many. Errors: ErrOpen.
func (s *Store) Challenge(ctx context.Context, player, opponent, mode string) (game.Duel, error) {
	return s.ChallengeAs(ctx, s.newID(), player, opponent, mode)
}

// ChallengeAs is Challenge under an id, so that asking again finds the same duel.
// Whoever knows the id of an open challenge can accept it. Errors: ErrOther, also
// where somebody has accepted meanwhile; ErrOpen.
func (s *Store) ChallengeAs(ctx context.Context, id, player, opponent, mode string) (game.Duel, error) {
	made := newDuel{id: id, state: game.DuelWaiting, players: [2]string{player, opponent}, mode: mode}
	if opponent != "" {
		apart, err := s.apart(ctx, player, opponent)
		if err != nil {
			return game.Duel{}, err
		}
		made.unseen = apart
	}
	return s.create(ctx, made)
}

// apart tells that two players may not meet.
func (s *Store) apart(ctx context.Context, player, other string) (bool, error) {
	err := s.mayDuel(ctx, player, other)
	if errors.Is(err, ErrRefused) {
		return true, nil
	}
	return false, err
}

// Arrange makes a duel of two players that is ready. Under the same id and for
// the same players it is the same duel, as long as it is kept; an empty id is
// replaced by a new one. Errors: ErrOther.
//
// Cost: 7 billed commands in 1 round trip, 9 where a K is provisional; 2 for one
// that exists. Every sixteenth duel of a process takes 4 more.
func (s *Store) Arrange(ctx context.Context, id string, players [2]string, mode string) (game.Duel, error) {
	if id == "" {
		id = s.newID()
	}
	return s.create(ctx, newDuel{id: id, state: game.DuelReady, players: players, mode: mode})
}

// Rematch challenges the other player of a duel that is over. Where both ask,
// it is one duel, and ready. A player who may not be met is challenged as by
// Challenge. Errors: ErrUnknown, ErrNotDecided, and those of Accept.
func (s *Store) Rematch(ctx context.Context, id, player string) (game.Duel, error) {
	old, err := s.Duel(ctx, id)
	if err == nil {
		err = s.mayKnow(ctx, old, player)
	}
	if err != nil {
		return game.Duel{}, err
	}
	return s.rematch(ctx, old, player)
}

func (s *Store) rematch(ctx context.Context, old game.Duel, player string) (game.Duel, error) {
	place := old.Place(player)
	if place < 0 || old.Players[1-place] == "" {
		return game.Duel{}, ErrUnknown
	}
	if old.State == game.DuelWaiting || old.State == game.DuelReady {
		return game.Duel{}, ErrNotDecided
	}
	other := old.Players[1-place]
	apart, err := s.apart(ctx, player, other)
	if err != nil {
		return game.Duel{}, err
	}
	// Both players' requests must meet in one id. It names the opponent, so that
	// knowing it opens nothing to anybody else.
	sum := sha256.Sum256([]byte("rematch\x00" + old.ID))
	next := hex.EncodeToString(sum[:16])
	d, err := s.create(ctx, newDuel{next, game.DuelWaiting, [2]string{player, other}, old.Mode, apart})
	switch {
	case err == ErrOther && apart: // one that waits has given way
		d, err = s.Duel(ctx, next)
	case err == ErrOther:
		d, err = s.Accept(ctx, next, player)
	}
	if err == ErrOver {
		d, err = s.Duel(ctx, next)
	}
	if err == nil && s.overdue(d) {
		d, err = s.settle(ctx, next)
	}
	if err == nil && d.State == game.DuelExpired {
		return s.rematch(ctx, d, player) // that one has passed unused
	}
	return d, err
}

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

// acceptScript has a player accept a duel.
//
// KEYS: duel, due, played, list of the player
// ARGV: id, player, now, until, stake…
var acceptScript = upstash.NewScript(header+stake+`
local player, now = ARGV[2], tonumber(ARGV[3])
if f[1] == '' then return answer('unknown') end
if f[2] == player then return answer(f[1] == 'waiting' and 'own' or 'late') end
if f[3] ~= '' and f[3] ~= player then return answer(f[7] == '' and 'unknown' or 'taken') end
if f[1] ~= 'waiting' then return answer(f[3] == player and f[7] ~= '' and 'same' or 'over') end
if now > tonumber(f[6]) then
  set(1, 'expired')
  return answer('over')
end
set(1, 'ready')
set(3, player)
set(6, ARGV[4])
stake(KEYS[3], ARGV[5], ARGV[6], ARGV[7])
local done = answer('new')
redis.call('ZADD', KEYS[2], ARGV[4], ARGV[1])
redis.call('ZADD', KEYS[4], f[5], ARGV[1])
done[1] = done[1] + 2
return done
`, innerCalls)

// Accept makes a waiting duel ready. Accepting again is answered as the first
// time. Errors: ErrUnknown (also for a duel that waits for another player, or
// whose challenger may not be met), ErrOwn, ErrTaken, ErrOver.
//
// Cost: 6 billed commands in 2 round trips, 8 where a K is provisional.
func (s *Store) Accept(ctx context.Context, id, player string) (game.Duel, error) {
	challenge, err := s.Duel(ctx, id)
	if err == nil {
		err = s.mayKnow(ctx, challenge, player)
	}
	if err != nil {
		return game.Duel{}, err
	}
	now := s.now()
	keys := []string{game.DuelRecordKey(id), game.DuelsDueKey, game.DuelsPlayedKey, game.DuelsOfKey(player)}
	args := append([]string{id, player, millis(now), millis(now.Add(s.rules.Timeout))}, s.stake()...)
	reply, err := s.redis.Do(ctx, acceptScript.Command(keys, args...).Idempotent())
	if err != nil {
		return game.Duel{}, fmt.Errorf("accept the duel %s: %w", id, err)
	}
	verdict, d, err := answered(id, reply)
	if err != nil {
		return game.Duel{}, err
	}
	switch verdict {
	case "unknown":
		return game.Duel{}, ErrUnknown
	case "own":
		return game.Duel{}, ErrOwn
	case "late", "taken":
		return game.Duel{}, ErrTaken
	case "over":
		return game.Duel{}, ErrOver
	}
	return d, nil
}
