package board

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/upstash"
)

// sumScript adds to a player's total on one or more boards and keeps the
// idempotency record, in one atomic step.
//
// The effect comes first, since the record holds its result; when the record
// turns out to exist already (or the total leaves its bounds) the effect is
// taken back before anybody can see it. All numbers are multiples of the tie
// fraction's tick within 53 bits, so adding and taking back is exact.
//
// A total's fraction is that of its newest addition: among equal totals the
// one that was reached first is ahead. The process usually knows the fraction
// that stands and sends the difference along (step); where it is wrong, one
// more ZINCRBY sets it right.
//
// KEYS: record, board, scoped boards…
// ARGV: player, amount, fraction, step or "" for each board, fingerprint, total, min, max, seconds, rank command
// Answer: {calls, "done"|"replay"|"bounds", record}
var sumScript = upstash.NewScript(`
local player, amount, fraction = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local boards = #KEYS - 1
local after = 3 + boards
local calls = 0
local function add(key, step)
  local applied, added, score
  if step == '' then
    local first = string.format('%.17g', amount + fraction)
    score = redis.call('ZADD', key, 'NX', 'INCR', first, player)
    calls = calls + 1
    applied, added = amount + fraction, true
    if not score then
      score = redis.call('ZINCRBY', key, ARGV[2], player)
      calls = calls + 1
      applied, added = amount, false
    end
  else
    score = redis.call('ZINCRBY', key, step, player)
    calls = calls + 1
    applied = tonumber(step)
    added = tonumber(score) == applied
  end
  score = tonumber(score)
  local sum = math.floor(score + 0.5)
  local fix = sum + fraction - score
  if fix ~= 0 then
    redis.call('ZINCRBY', key, string.format('%.17g', fix), player)
    calls = calls + 1
  end
  return sum, applied + fix, added
end
local function undo(applied, added)
  calls = calls + 1
  if added then
    redis.call('ZREM', KEYS[2], player)
  else
    redis.call('ZINCRBY', KEYS[2], string.format('%.17g', -applied), player)
  end
end
local sum, applied, added = add(KEYS[2], ARGV[4])
if sum < tonumber(ARGV[after + 3]) or sum > tonumber(ARGV[after + 4]) then
  undo(applied, added)
  local earlier = redis.call('GET', KEYS[1]) -- counted before: then this is a repetition
  return {calls + 1, earlier and 'replay' or 'bounds', earlier or ''}
end
local how, position = ARGV[after + 6]
if how == 'ahead' then
  position = redis.call('ZCOUNT', KEYS[2], string.format('%.0f', sum + 1), '+inf')
elseif how == 'below' then
  position = redis.call('ZCOUNT', KEYS[2], '-inf', string.format('(%.0f', sum))
else
  position = redis.call(how, KEYS[2], player)
end
local record = table.concat({ARGV[after + 1], added and 'accepted' or 'improved',
  string.format('%.0f', sum), string.format('%.0f', position), ARGV[after + 2]}, ' ')
local earlier = redis.call('SET', KEYS[1], record, 'NX', 'GET', 'EX', ARGV[after + 5])
calls = calls + 2
if earlier then
  undo(applied, added)
  return {calls, 'replay', earlier}
end
for i = 2, boards do
  add(KEYS[i + 1], ARGV[3 + i])
end
return {calls, 'done', record}
`, firstInt)

// recordSeconds is how long an idempotency record stands: 24 hours.
const recordSeconds = 24 * 60 * 60

func firstInt(r upstash.Reply) int {
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

// sumRecord is the text that sumScript keeps: what was answered the first time.
type sumRecord struct {
	fingerprint string
	status      Status
	score       game.Score
	position    int64
	total       int64
}

func parseSumRecord(text string) (sumRecord, error) {
	fields := strings.Fields(text)
	if len(fields) != 5 {
		return sumRecord{}, errShape("an idempotency record of 5 fields", len(fields))
	}
	numbers := [3]int64{}
	for i := range numbers {
		n, err := strconv.ParseInt(fields[i+2], 10, 64)
		if err != nil {
			return sumRecord{}, fmt.Errorf("read an idempotency record: %w", err)
		}
		numbers[i] = n
	}
	return sumRecord{fields[0], Status(fields[1]), game.Score(numbers[0]), numbers[1], numbers[2]}, nil
}

// sum adds the score to the player's total of the day.
func (w *write) sum(ctx context.Context) error {
	fraction := w.Mode.Fraction(w.tick)
	keys := []string{game.OnceKey(w.Once.ID), w.board.Key}
	args := []string{w.Player, itoa(int64(w.Score)), game.FormatStored(fraction), w.sumStep(w.board.Key, fraction)}
	for _, scope := range w.Scopes {
		keys = append(keys, w.scopedKey(scope))
		args = append(args, w.sumStep(w.scopedKey(scope), fraction))
	}
	players, _ := w.totals.fresh(w.board.Key)
	args = append(args, w.Once.Fingerprint, itoa(players), itoa(int64(w.Mode.DayMin)), itoa(int64(w.Mode.DayMax)), itoa(recordSeconds), w.sumRank())
	var state, text string
	w.calls.add(sumScript.Command(keys, args...).Idempotent(), func(r upstash.Reply) error {
		values, err := r.Strings()
		if err != nil {
			return err
		}
		if len(values) != 3 {
			return errShape("a sum's state and record", len(values))
		}
		state, text = values[1], values[2]
		return nil
	})
	if w.keepsDetails() {
		w.calls.add(upstash.Cmd("HSET", game.DetailsKey(w.Mode.Name, w.Date), w.Player, w.detailsRecord()).Idempotent(), nil)
	}
	attempts, err := w.run(ctx)
	if err != nil {
		return err
	}
	if state == "bounds" {
		return ErrDayTotal
	}
	// The key may stand for a request that was no sum: then only the first word
	// of its record means anything here.
	if fingerprint, _, _ := strings.Cut(text, " "); fingerprint != w.Once.Fingerprint {
		return ErrKeyReused
	}
	record, err := parseSumRecord(text)
	if err != nil {
		return err
	}
	w.outcome.Status = record.status
	if state == "replay" && attempts == 1 {
		w.outcome.Status = Replayed
	}
	if state == "done" && record.status == Accepted {
		w.totals.grow(w.board.Key, w.mark)
	}
	if state == "done" {
		for _, scope := range w.Scopes {
			w.standing.Add(entryID{w.scopedKey(scope), w.Player}, place{stored: fraction})
		}
	}
	w.now = place{position: record.position, stored: float64(record.score) + fraction, found: true}
	w.total = max(w.total, record.total)
	return nil
}

// sumStep is what a total must grow by, tie fraction and all, if the fraction
// that this process saw last still stands; "" when it saw none.
func (w *write) sumStep(board string, fraction float64) string {
	seen, ok := w.standing.Get(entryID{board, w.Player})
	if !ok {
		return ""
	}
	was := seen.stored - float64(w.Mode.Decode(seen.stored))
	return game.FormatStored(float64(w.Score) + fraction - was)
}

func (w *write) sumRank() string {
	switch {
	case w.Mode.Ties == game.Earliest:
		return w.board.rankCommand()
	case w.Mode.Order == game.Asc:
		return "below"
	default:
		return "ahead"
	}
}
