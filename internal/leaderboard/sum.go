package leaderboard

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// sumScript adds an amount to a player's total, copies the total to the boards of scopes, and
// keeps the idempotency record, in one atomic step.
//
// The script adds first, since the record contains the result. If there is a record already, or
// if the total leaves its bounds, the script undoes the addition before anybody can see it. All
// numbers are multiples of the tie fraction's tick and fit in 53 bits, so adding and undoing
// are exact. If the total leaves its bounds, the script also looks for a record: with one, the
// request repeats an addition that has counted, and is no error.
//
// A total has the tie fraction of its newest addition, so that of equal totals the one that was
// reached first is ahead. The process usually knows the present fraction, and sends as step the
// amount with the difference of the two fractions. If it is wrong, the script corrects the
// total with one more ZINCRBY.
//
// KEYS: record, board, details, scoped boards…
// ARGV: player, amount, fraction, step or "", fingerprint, players on the board before or "" if
// they are to be counted, least and largest total, seconds that the record lives, rank command,
// details or ""
// Answer: {calls, "done"|"replay"|"bounds", record, players as counted or -1}
var sumScript = redis.NewScript(`
local player, amount, fraction, step = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
local applied, added, current = 0, false, nil
if step == '' then
  applied = amount + fraction
  current = call('ZADD', KEYS[2], 'NX', 'INCR', string.format('%.17g', applied), player)
  added = current and true
  if not current then
    current = call('ZINCRBY', KEYS[2], ARGV[2], player)
    applied = amount
  end
else
  current = call('ZINCRBY', KEYS[2], step, player)
  applied = tonumber(step)
  added = tonumber(current) == applied
end
local sum = math.floor(tonumber(current) + 0.5)
local fix = sum + fraction - tonumber(current)
if fix ~= 0 then
  current = call('ZINCRBY', KEYS[2], string.format('%.17g', fix), player)
  applied = applied + fix
end
local players, counted = tonumber(ARGV[6]), -1
if players then
  if added then players = players + 1 end
else
  players = call('ZCARD', KEYS[2])
  counted = players
end
local function undo()
  if added and counted > 0 then counted = counted - 1 end
  if added then
    call('ZREM', KEYS[2], player)
  else
    call('ZINCRBY', KEYS[2], string.format('%.17g', -applied), player)
  end
end
if sum < tonumber(ARGV[7]) or sum > tonumber(ARGV[8]) then
  undo()
  local earlier = call('GET', KEYS[1])
  return answer(earlier and 'replay' or 'bounds', earlier or '', counted)
end
local how, position = ARGV[10], nil
if how == 'ahead' then
  position = call('ZCOUNT', KEYS[2], string.format('%.0f', sum + 1), '+inf')
elseif how == 'below' then
  position = call('ZCOUNT', KEYS[2], '-inf', string.format('(%.0f', sum))
else
  position = call(how, KEYS[2], player)
end
local record = table.concat({ARGV[5], added and 'accepted' or 'improved',
  string.format('%.0f', sum), string.format('%.0f', position), string.format('%.0f', math.max(players, position + 1))}, ' ')
local earlier = call('SET', KEYS[1], record, 'NX', 'GET', 'EX', ARGV[9])
if earlier then
  undo()
  return answer('replay', earlier, counted)
end
if ARGV[11] ~= '' then call('HSET', KEYS[3], player, ARGV[11]) end
for i = 4, #KEYS do call('ZADD', KEYS[i], current, player) end
return answer('done', record, counted)
`)

// RecordLife is how long, at least, Redis remembers that a sum's key has counted.
const RecordLife = 24 * time.Hour

// summing is a write under the policy sum.
type summing struct {
	*write
	fraction float64 // the tie fraction of the entry: when it was played
}

func newSumming(w *write) *summing { return &summing{w, w.stored - float64(w.Score)} }

// recordSeconds is how long the record lives. An operator may send a queued message again from
// the dead letters at any time, or let a held score pass again whose passing was interrupted. So
// its record lives until the day takes no more scores; from then on it is refused. A score that
// was put back after a loss may have been a queued one.
func (w *summing) recordSeconds() int64 {
	lives := RecordLife
	if w.queued || w.Held || w.Posted {
		lives = max(lives, w.s.DB.Game.Seals(w.Date).Sub(w.s.DB.Now())+derive.InFlight)
	}
	return int64(lives / time.Second)
}

// sumRecord is the text that sumScript keeps: what was answered the first time.
type sumRecord struct {
	fingerprint string
	status      game.Status
	score       game.Score
	position    int64
	total       int64 // 0 in records of earlier versions
}

func parseSumRecord(text string) (sumRecord, error) {
	fields := strings.Fields(text)
	if len(fields) != 5 {
		return sumRecord{}, redis.WrongShape("an idempotency record of 5 fields", len(fields))
	}
	numbers := [3]int64{}
	for i := range numbers {
		n, err := strconv.ParseInt(fields[i+2], 10, 64)
		if err != nil {
			return sumRecord{}, fmt.Errorf("read an idempotency record: %w", err)
		}
		numbers[i] = n
	}
	return sumRecord{fields[0], game.Status(fields[1]), game.Score(numbers[0]), numbers[1], numbers[2]}, nil
}

// sum adds the score to the player's total of the day.
func (w *summing) sum(ctx context.Context) error {
	keys := append([]string{game.IdempotencyRecordKey(w.Idempotency.ID), w.board.Key, game.DetailsKey(w.Mode.Name, w.Date)}, w.scoped...)
	details, players := "", ""
	if w.KeepsDetails() {
		details = w.detailsRecord()
	}
	if w.size.fresh {
		players = redis.Itoa(w.size.before)
	}
	args := []string{
		w.Player, redis.Itoa(int64(w.Score)), game.FormatStored(w.fraction), w.step(),
		w.Idempotency.Fingerprint, players, redis.Itoa(int64(w.Mode.DayMin)), redis.Itoa(int64(w.Mode.DayMax)),
		redis.Itoa(w.recordSeconds()), w.rank(), details,
	}
	var p redis.Pipeline
	var state, text string
	var counted int64
	p.Add(sumScript.Command(keys, args...).Idempotent(), func(r upstash.Reply) error {
		values, err := redis.Values(r, 4, "a sum's state, record and players")
		if err != nil {
			return err
		}
		for i, into := range []*string{&state, &text} {
			if *into, err = redis.Text(values[i+1]); err != nil {
				return err
			}
		}
		return redis.IntInto(&counted)(values[3])
	})
	attempts, err := w.run(ctx, &p)
	if err != nil {
		return err
	}
	if w.size.asked = counted >= 0; w.size.asked {
		w.size.total = counted
	}
	if state == "bounds" {
		return ErrDayTotal
	}
	// Another kind of request may have used the key. Of its record only the first word, the
	// fingerprint, can be read here.
	if fingerprint, _, _ := strings.Cut(text, " "); fingerprint != w.Idempotency.Fingerprint && fingerprint != game.FingerprintRestored {
		return ErrKeyReused
	}
	answered, err := parseSumRecord(text)
	if err != nil {
		return err
	}
	w.outcome.Status = answered.status
	if state == "replay" && attempts == 1 && !w.Claimed { // a claimed play's answer was never given
		w.outcome.Status = game.Replayed
	}
	w.now = redis.Place{Position: answered.position, Stored: float64(answered.score) + w.fraction, Found: true}
	w.added, w.recorded = state == "done" && answered.status == game.Accepted, answered.total
	return nil
}

// step is by how much the stored total grows, if it still has the tie fraction that this
// process saw last; "" if it saw none.
func (w *summing) step() string {
	if !w.was.Found {
		return ""
	}
	was := game.Fraction(w.Mode, w.was.Stored)
	return game.FormatStored(float64(w.Score) + w.fraction - was)
}

func (w *summing) rank() string {
	switch {
	case w.Mode.Ties == game.Earliest:
		return redis.RankCommand(w.board)
	case w.Mode.Order == game.Asc:
		return "below"
	default:
		return "ahead"
	}
}
