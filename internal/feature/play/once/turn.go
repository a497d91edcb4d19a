package once

import (
	"context"
	"crypto/rand"
	"strconv"
	"time"

	"github.com/framedle/leaderboards/internal/api/idempotency"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
)

const (
	// turnLife is how long the note of a play without an answer lives. A note's age follows
	// from its remaining life, by Redis' own clock.
	turnLife = time.Hour
	// nobody is the content of a note if no process is known to hold the play.
	nobody = "-"
)

// turnScript gives a claimed play without an answer to one request, once no other process can
// still be running the effect. If the play earns, the script counts it again, because the
// process before may have taken the count back. It may be sent any number of times.
//
// KEYS: the note, the hash of answers, the plays that were sent
// ARGV: fingerprint, name of the request, the answer's field, the milliseconds for which a turn
// lasts, those for which a note lives, the member that counts the play or ""
// Answer: {calls, "own" | "reused" | "wait", milliseconds | "kept", record}
var turnScript = redis.NewScript(`
local own, deadline, life = ARGV[1] .. ' ' .. ARGV[2], tonumber(ARGV[4]), tonumber(ARGV[5])
local note = call('GET', KEYS[1])
if note == own then return answer('own') end
if not note then
  call('SET', KEYS[1], '` + nobody + `', 'PX', life)
  return answer('wait', deadline)
end
local left = deadline - (life - call('PTTL', KEYS[1]))
if left > 0 then
  local of = string.match(note, '^(%S+) ')
  if of and of ~= ARGV[1] then return answer('reused') end
  return answer('wait', left)
end
local kept = call('HGET', KEYS[2], ARGV[3])
if kept then return answer('kept', kept) end
call('SET', KEYS[1], own, 'PX', life)
if ARGV[6] ~= '' then call('ZADD', KEYS[3], 0, ARGV[6]) end
return answer('own')
`)

// takeTurn takes over a play that is claimed and has no answer, or finds out that another
// process may still be running its effect.
//
// Cost: 3 billed commands if the caller has to wait, otherwise up to 5, and 1 more if the play
// earns.
//
// Errors: as those of [Records.Claim].
func (c *Claim) takeTurn(ctx context.Context) error {
	p := c.play
	c.until = c.records.db.Now().Add(idempotency.Deadline)
	counted := ""
	if c.records.counts(p) {
		counted = game.PlayOf(p.Player, p.ID)
	}
	reply, err := c.records.db.Redis.Do(ctx, turnScript.Command(
		[]string{game.TurnKey(p.ID), game.DetailsKey(p.Mode.Name, p.Date), game.PlaysKey(p.Mode.Name, p.Date)},
		p.Fingerprint, rand.Text(), game.AnswerField(p.ID), millis(idempotency.Deadline), millis(turnLife), counted,
	).Idempotent())
	if err != nil {
		return redis.Wrap("take a play over", err)
	}
	words, err := reply.Strings()
	if err != nil || len(words) < 2 {
		return redis.Wrap("take a play over", redis.WrongShape("whose turn it is", len(words)))
	}
	switch {
	case words[1] == "own":
		c.took = true
		return nil
	case words[1] == "kept" && len(words) == 3:
		c.answer, c.kept, err = open(p, words[2])
		return err
	case words[1] == "wait" && len(words) == 3:
		left, err := strconv.ParseInt(words[2], 10, 64)
		if err != nil {
			return redis.Wrap("take a play over", err)
		}
		return &idempotency.RunningError{Wait: max(time.Duration(left)*time.Millisecond, time.Second)}
	}
	return idempotency.ErrReused
}
