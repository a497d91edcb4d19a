package player

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Streak is what Redis has of a player's streak: what it was when a date was over, and which of
// the days since were played. Days that an import or a removal can still change are never
// settled, so such a change only sets or clears a bit.
type Streak struct {
	Settled game.Streak
	Through game.Date // settled with this date
	played  uint64    // bit n: the day n+1 days after through
}

const (
	streakBits = 64
	// UnsettledDays is how many days a record keeps open: more than a day board can live.
	UnsettledDays = 33
)

// String is "current best freezes last through played", the dates as
// YYYY-MM-DD, the last field in hexadecimal.
func (r Streak) String() string {
	last := "-"
	if !r.Settled.Last.IsZero() {
		last = r.Settled.Last.String()
	}
	return fmt.Sprintf("%d %d %d %s %s %x", r.Settled.Current, r.Settled.Best, r.Settled.Freezes, last, r.Through, r.played)
}

func ParseStreak(text string) (Streak, error) {
	var r Streak
	fields := strings.Split(text, " ")
	if len(fields) != 6 {
		return r, fmt.Errorf("%.80q is not the record of a streak", text)
	}
	var errs []error
	number := func(field string) int {
		n, err := strconv.Atoi(field)
		errs = append(errs, err)
		return n
	}
	r.Settled = game.Streak{Current: number(fields[0]), Best: number(fields[1]), Freezes: number(fields[2])}
	var err error
	if fields[3] != "-" {
		r.Settled.Last, err = game.ParseDate(fields[3])
		errs = append(errs, err)
	}
	r.Through, err = game.ParseDate(fields[4])
	errs = append(errs, err)
	r.played, err = strconv.ParseUint(fields[5], 16, 64)
	errs = append(errs, err)
	if err := errors.Join(errs...); err != nil {
		return r, fmt.Errorf("%.80q is not the record of a streak: %w", text, err)
	}
	return r, nil
}

// Play notes that a day was played. Days that are settled do not change.
func (r Streak) Play(rule game.StreakRule, d game.Date) Streak {
	if r.Through.IsZero() {
		r.Through = d.AddDays(-UnsettledDays)
	}
	if d.DaysSince(r.Through) > streakBits {
		r = r.settle(rule, d.AddDays(-UnsettledDays))
	}
	if n := d.DaysSince(r.Through); n >= 1 {
		r.played |= 1 << (n - 1)
	}
	return r
}

// Miss notes that a day was not played after all.
func (r Streak) Miss(d game.Date) Streak {
	if n := d.DaysSince(r.Through); n >= 1 && n <= streakBits && !r.Through.IsZero() {
		r.played &^= 1 << (n - 1)
	}
	return r
}

// settle settles days up to a date: they do not change any more.
func (r Streak) settle(rule game.StreakRule, through game.Date) Streak {
	n := through.DaysSince(r.Through)
	if n <= 0 {
		return r
	}
	for i := range min(n, streakBits) {
		if r.played&(1<<i) != 0 {
			r.Settled = rule.Play(r.Settled, r.Through.AddDays(i+1))
		}
	}
	r.played >>= min(n, streakBits) // Go shifts everything out at 64
	r.Through = through
	return r
}

// At is the streak on a date that is not over.
func (r Streak) At(rule game.StreakRule, today game.Date) game.Streak {
	all := r.settle(rule, r.Through.AddDays(streakBits)).Settled
	return rule.At(all, today)
}

// streaksPerCall bounds how many records one call of streaksScript replaces.
const streaksPerCall = 14_000

// streaksScript replaces records that are still what the caller has read, so that concurrent
// runs do not undo each other's changes. If another run has begun to close the same days, it
// replaces none.
//
// KEYS: streaks, closed
// ARGV: how many fields of the hash of closed days must have the run's name, that name, the
// fields, then player, old record ("" for none), new record, …
// Answer: {calls, players whose record has changed…}
var streaksScript = redis.NewScript(`
local guards = tonumber(ARGV[1])
if guards > 0 then
  local runs = call('HMGET', KEYS[2], unpack(ARGV, 3, 2 + guards))
  for i = 1, guards do
    if runs[i] ~= ARGV[2] then return {calls} end
  end
end
local overtaken, begin, total = {}, 2 + guards, (#ARGV - 2 - guards) / 3
local put = {'HSET', KEYS[1]}
local function flush()
  if #put == 2 then return end
  call(unpack(put))
  put = {'HSET', KEYS[1]}
end
for first = 0, total - 1, 7000 do
  local last = math.min(first + 6999, total - 1)
  local ask = {'HMGET', KEYS[1]}
  for i = first, last do ask[#ask + 1] = ARGV[begin + 3 * i + 1] end
  local stand = call(unpack(ask))
  for i = first, last do
    local old = stand[i - first + 1] or ''
    local at = begin + 3 * i
    if old == ARGV[at + 2] then
      put[#put + 1] = ARGV[at + 1]
      put[#put + 1] = ARGV[at + 3]
      if #put == 7002 then flush() end
    elseif old ~= ARGV[at + 3] then
      overtaken[#overtaken + 1] = ARGV[at + 1]
    end
  end
end
flush()
table.insert(overtaken, 1, calls)
return overtaken
`)

// ClosingRun is a run that closes modes' days. It is valid as long as all its fields in the
// hash of closed days have its name.
type ClosingRun struct {
	Name   string
	Fields []string
}

// ChangeStreaks applies a change to players' records.
//
// Cost: for every 14,000 players 1 billed command if nothing changes, 8 if something does.
func (xp *XP) ChangeStreaks(ctx context.Context, players []string, change func(player string, r Streak) Streak) error {
	return xp.ChangeStreaksWhile(ctx, ClosingRun{}, players, change)
}

// ChangeStreaksWhile is ChangeStreaks for as long as a run is valid. Whatever has overtaken the
// run, such as an erasure, has changed the streaks of its players itself.
//
// Cost: that of ChangeStreaks, and 1 for every 14,000 players if something changes.
func (xp *XP) ChangeStreaksWhile(ctx context.Context, run ClosingRun, players []string, change func(player string, r Streak) Streak) error {
	for len(players) > 0 {
		n := min(len(players), streaksPerCall)
		overtaken, err := xp.changeSome(ctx, run, players[:n], change)
		if err != nil {
			return redis.Wrap("change streaks", err)
		}
		players = append(overtaken, players[n:]...)
	}
	return nil
}

func (xp *XP) changeSome(ctx context.Context, run ClosingRun, players []string, change func(player string, r Streak) Streak) (overtaken []string, err error) {
	reply, err := xp.db.Redis.Do(ctx, upstash.Cmd(append([]string{"HMGET", game.StreaksKey}, players...)...))
	if err != nil {
		return nil, err
	}
	records, err := redis.Texts(reply, len(players), "a record for each player")
	if err != nil {
		return nil, err
	}
	var args []string
	for i, player := range players {
		old, text := Streak{}, records[i]
		if text != "" {
			if old, err = ParseStreak(text); err != nil {
				return nil, fmt.Errorf("player %s: %w", player, err)
			}
		}
		if changed := change(player, old); changed != old {
			args = append(args, player, text, changed.String())
		}
	}
	if len(args) == 0 {
		return nil, nil
	}
	if reply, err = xp.db.Redis.Do(ctx, streaksScript.Command([]string{game.StreaksKey, game.ClosedKey}, slices.Concat([]string{redis.Itoa(int64(len(run.Fields))), run.Name}, run.Fields, args)...).Idempotent()); err != nil {
		return nil, err
	}
	answer, err := reply.Array()
	if err != nil || len(answer) < 1 {
		return nil, err
	}
	for _, player := range answer[1:] {
		text, err := player.Text()
		if err != nil {
			return nil, err
		}
		overtaken = append(overtaken, text)
	}
	return overtaken, nil
}
