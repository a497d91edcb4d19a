package once

import (
	"context"
	"crypto/rand"
	"strconv"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/idem"
	"github.com/framedle/leaderboards/internal/rdb"
)

const (
	// turnLife is how long a note of a play stands that was claimed and has no answer.
	// How old it is follows from what is left of it, by Redis' own clock.
	turnLife = time.Hour
	// nobody stands in a note where nobody is known to be at the play.
	nobody = "-"
)

// turnScript gives a play that was claimed and has no answer to one request, once nobody
// else can be at it any more. Where it earns it is counted by that: whoever had it may
// have taken that back. It may be sent any number of times.
//
// KEYS: the note, the hash of answers, the plays that were sent
// ARGV: fingerprint, whose turn it would be, the answer's field, the milliseconds for
// which one may be at it, those for which a note stands, what counts it or empty
// Answer: {calls, "own" | "reused" | "wait", milliseconds | "kept", record}
var turnScript = rdb.NewScript(`
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

// takeTurn takes a play over whose claim has no answer, or finds out that somebody may be
// at it still.
//
// Cost: 3 billed commands to be told to wait, up to 5 else, and 1 where it earns.
//
// Errors: as those of [Records.Claim].
func (c *Claim) takeTurn(ctx context.Context) error {
	p := c.play
	c.until = c.records.db.Now().Add(idem.Deadline)
	counted := ""
	if c.records.counts(p) {
		counted = game.PlayOf(p.Player, p.ID)
	}
	reply, err := c.records.db.Redis.Do(ctx, turnScript.Command(
		[]string{game.TurnKey(p.ID), game.DetailsKey(p.Mode.Name, p.Date), game.PlaysKey(p.Mode.Name, p.Date)},
		p.Fingerprint, rand.Text(), game.AnswerField(p.ID), millis(idem.Deadline), millis(turnLife), counted,
	).Idempotent())
	if err != nil {
		return rdb.Wrap("take a play over", err)
	}
	words, err := reply.Strings()
	if err != nil || len(words) < 2 {
		return rdb.Wrap("take a play over", rdb.WrongShape("whose turn it is", len(words)))
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
			return rdb.Wrap("take a play over", err)
		}
		return &idem.RunningError{Wait: max(time.Duration(left)*time.Millisecond, time.Second)}
	}
	return idem.ErrReused
}
