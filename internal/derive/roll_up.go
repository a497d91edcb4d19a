package derive

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// RolledUp reports what RollUpDays did.
type RolledUp struct {
	Boards  []string `json:"folded"` // boards of days, by key
	Expired []string `json:"gone"`   // boards that expired before they were rolled up
}

// RollUpModes rolls up every day board in the last quarter of its life into its month, its
// season and all time. RollUpDays rolls up XP by itself.
func (ru *Rollup) RollUpModes(ctx context.Context, view Survey, report *RolledUp) error {
	var due []*game.Mode
	for i, m := range ru.db.Game.Modes {
		if ru.Calendar.hasDue(view.Globals[i]) {
			due = append(due, m)
		}
	}
	if err := ru.Calendar.surveyScopes(ctx, view, due); err != nil {
		return err
	}
	for i, m := range ru.db.Game.Modes {
		global, scoped := view.Globals[i], view.scoped[m]
		if !slices.Contains(due, m) {
			continue
		}
		for _, scope := range SortedScopes(scoped) {
			if err := ru.RollUp(ctx, ru.SequenceOf(m, scope), scoped[scope], report); err != nil {
				return redis.Wrap("roll up the days of "+m.Name+" "+scope.String(), err)
			}
		}
		// The index of all players comes last, since it says whether there is anything to do.
		if err := ru.RollUp(ctx, ru.SequenceOf(m, game.Scope{}), &global, report); err != nil {
			return redis.Wrap("roll up the days of "+m.Name, err)
		}
	}
	return nil
}

// Sequence is a sequence of days that are rolled up one after the other.
type Sequence struct {
	Index     string // key of the index of days
	Cursor    string // the field of the index that says how far the day being rolled up has come
	Field     func(game.Date) string
	Board     func(game.Date) string
	Aggregate game.Aggregate
	Targets   func(game.Date) []Lasting
	Keys      func(game.Date) []string               // the day's board, details and plays: they expire once the day is rolled up; nil: no key
	prepare   func(context.Context, game.Date) error // makes the day's board ready; nil: nothing to do
	Empty     func(game.Date) bool                   // whether the day has had nothing, so that a missing board is not lost; nil: the index says it
}

// Lasting is a board that takes days in.
type Lasting struct {
	Key    string
	adds   Adding
	expire time.Time // zero: never
	board  game.Board
}

func (ru *Rollup) SequenceOf(m *game.Mode, scope game.Scope) Sequence {
	f := Sequence{
		Board:     func(d game.Date) string { return game.BoardKey(m.Name, game.Day.Of(d), scope) },
		Aggregate: m.Aggregate,
		Targets: func(d game.Date) []Lasting {
			var targets []Lasting
			for _, p := range ru.db.Game.OutlivingOf(d) {
				end, _ := ru.db.Game.Expires(p)
				b := game.BoardOf(m, p, scope)
				targets = append(targets, Lasting{
					board: b, Key: game.RolledUpKey(b.Key), adds: AddingUp(ru, b), expire: end,
				})
			}
			return targets
		},
	}
	f.Keys = func(d game.Date) []string {
		if scope == (game.Scope{}) {
			return []string{f.Board(d), game.DetailsKey(m.Name, d), game.PlaysKey(m.Name, d)}
		}
		return []string{f.Board(d)}
	}
	f.Index, f.Cursor, f.Field = indexOf(m, scope)
	if scope != (game.Scope{}) {
		f.prepare = func(ctx context.Context, d game.Date) error {
			b := game.BoardOf(m, game.Day.Of(d), scope)
			if !b.Follows() || ru.Frozen(b) {
				return nil
			}
			return following{ru}.derive(ctx, b)
		}
	}
	return f
}

// RollUp rolls up the days that are due, oldest first, and takes those days off the index that
// nothing needs any more.
func (ru *Rollup) RollUp(ctx context.Context, f Sequence, days *Index, report *RolledUp) error {
	var spent []string
	for _, d := range days.Dates {
		if days.RolledUp[d] {
			if ru.Calendar.isSpent(d) {
				spent = append(spent, f.Field(d))
			}
			continue
		}
		if ru.Calendar.Writable(d) {
			break // ascending: all that follow are younger
		}
		state, err := sequenceRun{ru: ru, Sequence: f}.day(ctx, d, *days)
		if err != nil {
			return err
		}
		days.cursor = ""
		switch state {
		case "folded":
			report.Boards = append(report.Boards, f.Board(d))
		case "gone":
			report.Expired = append(report.Expired, f.Board(d))
		case "elsewhere":
			return nil // another run is rolling the day up
		}
	}
	if len(spent) == 0 {
		return nil
	}
	_, err := ru.db.Redis.Do(ctx, upstash.Cmd(append([]string{"HDEL", f.Index}, spent...)...).Idempotent())
	return err
}

// sequenceRun rolls the days of a sequence up.
type sequenceRun struct {
	ru *Rollup
	Sequence
	most int // pages; 0: all
}

// lateLife is how long the keys of a day stay that is rolled up late, in seconds: for requests
// under way that have read the index before.
const lateLife = 5 * 60

// rollUpPerCall is how many players one call of rollUpScript rolls up at most: some ten
// milliseconds of Redis.
const rollUpPerCall = 7000

// day rolls one day up, page by page. The index's cursor says at which page an earlier run
// stopped. The state is "left" once it has rolled up as many pages as it may.
func (s sequenceRun) day(ctx context.Context, d game.Date, days Index) (state string, err error) {
	cursor, empty := days.cursor, days.Empty[d] || s.Empty != nil && s.Empty(d)
	for done := 0; ; done++ {
		if s.most > 0 && done == s.most {
			return "left", nil
		}
		page, elsewhere, err := pageOf(cursor, d)
		if err != nil || elsewhere {
			return "elsewhere", err
		}
		if page == 0 && s.prepare != nil {
			if err := s.prepare(ctx, d); err != nil {
				return "", err
			}
		}
		members, err := s.ru.db.ReadMembers(ctx, s.Board(d), page*rollUpPerCall, rollUpPerCall)
		if err != nil {
			return "", err
		}
		if len(members) == 0 && page == 0 && !s.ru.db.Alive(d) && !empty {
			return "gone", nil
		}
		next := ""
		if len(members) == rollUpPerCall {
			next = d.String() + ":" + redis.Itoa(page+1)
		}
		state, err := s.page(ctx, d, members, cursor, next)
		if err != nil || state == "folded" || state == "before" {
			return state, err
		}
		if state == "elsewhere" { // another run, or an answer of ours that was lost
			if next, err = redis.Field(ctx, s.ru.db.Redis, s.Index, s.Cursor); err != nil {
				return "", err
			}
		}
		cursor = next
	}
}

// pageOf reads a rolling up's cursor; elsewhere means that it is about another day.
func pageOf(cursor string, d game.Date) (page int64, elsewhere bool, err error) {
	if cursor == "" {
		return 0, false, nil
	}
	at, ok := strings.CutPrefix(cursor, d.String()+":")
	if !ok {
		return 0, true, nil
	}
	if page, err = strconv.ParseInt(at, 10, 64); err != nil {
		return 0, false, fmt.Errorf("the cursor %q of a rolling up is not a date and a page", cursor)
	}
	return page, false, nil
}

// carry brings a day's entries to those of its targets that are kept in bands, and returns the
// other targets.
func (s sequenceRun) carry(ctx context.Context, d game.Date, members []redis.Member) (others []Lasting, err error) {
	for _, target := range s.Targets(d) {
		in, err := s.ru.Banded.InBands(ctx, target.board)
		if err == nil && in != nil {
			err = in.bring(ctx, s.Board(d), members)
		} else {
			others = append(others, target)
		}
		if err != nil {
			return nil, err
		}
	}
	return others, nil
}

func (s sequenceRun) page(ctx context.Context, d game.Date, members []redis.Member, cursor, next string) (state string, err error) {
	targets, err := s.carry(ctx, d, members)
	if err != nil {
		return "", err
	}
	keys := []string{s.Index}
	args := []string{s.Field(d), s.Cursor, cursor, next, redis.Itoa(int64(len(members))), redis.Itoa(int64(len(targets)))}
	for _, target := range targets {
		seconds := int64(0)
		if !target.expire.IsZero() {
			seconds = max(1, s.ru.db.SecondsUntil(target.expire))
		}
		args = append(args, redis.Itoa(seconds))
	}
	before := make([][]redis.Place, len(targets))
	var p redis.Pipeline
	for i, target := range targets {
		keys = append(keys, target.Key)
		if len(members) == 0 {
			continue
		}
		before[i] = make([]redis.Place, len(members))
		p.Add(redis.ScoresOf(target.Key, members), redis.PlacesInto(before[i]))
	}
	if _, err := p.Run(ctx, s.ru.db.Redis); err != nil {
		return "", err
	}
	for i, target := range targets {
		for j, m := range members {
			m.Stored = target.adds.Day(d, m.Stored)
			if old := before[i][j]; old.Found {
				m.Stored = combined(s.Aggregate, old.Stored, m.Stored)
			}
			args = append(args, game.FormatStored(m.Stored), m.Player)
		}
	}
	if s.Keys != nil && next == "" {
		for _, key := range s.Keys(d) {
			end, _ := game.KeyExpires(s.ru.db.Game, key, game.Day.Of(d))
			keys, args = append(keys, key), append(args, redis.Itoa(max(lateLife, s.ru.db.SecondsUntil(end))))
		}
	}
	reply, err := s.ru.db.Redis.Do(ctx, rollUpScript.Command(keys, args...).Idempotent())
	if err != nil {
		return "", err
	}
	return redis.Word(reply, "what became of the day")
}

// rollUpScript rolls up one page of a day, exactly once: it checks how far the day is rolled
// up, writes the scores, and notes the new state, in one step. The caller has computed the new
// scores from what it has read. That is safe since only pages of the same index change these
// scores. A day that was empty leaves the index: nothing of it is in what outlives it.
//
// With its last page a day's own keys get their expiry, if they have none: whatever became of
// the writes that should have set it, none stays for ever.
//
// KEYS: index of days, then each board that the day is rolled up to, then keys of the day
// ARGV: the day's field in the index, the cursor's field, the cursor that the caller has read
// ("" for none), the cursor after this page ("" if it is the last), players in the page, how
// many boards, for each board the seconds that it lives (0: for ever), for each board that many
// pairs of score and player, and for each key of the day the seconds that it lives
// Answer: {calls, "folded" | "on" | "before" | "elsewhere"}
var rollUpScript = redis.NewScript(`
local state = call('HMGET', KEYS[1], ARGV[1], ARGV[2])
if state[1] ~= '` + DayOpen + `' and state[1] ~= '` + DayEmpty + `' then return answer('before') end
if (state[2] or '') ~= ARGV[3] then return answer('elsewhere') end
local count, boards = tonumber(ARGV[5]), tonumber(ARGV[6])
for k = 2, boards + 1 do
  local from = 7 + boards + (k - 2) * 2 * count
  local to = from + 2 * count - 1
  while from <= to do
    local last = math.min(from + 6999, to)
    call('ZADD', KEYS[k], unpack(ARGV, from, last))
    from = last + 1
  end
end
if ARGV[4] ~= '' then
  call('HSET', KEYS[1], ARGV[2], ARGV[4])
  return answer('on')
end
if state[1] == '` + DayEmpty + `' and count == 0 and ARGV[3] == '' then
  call('HDEL', KEYS[1], ARGV[1])
else
  call('HSET', KEYS[1], ARGV[1], '` + DayRolledUp + `')
end
if state[2] then call('HDEL', KEYS[1], ARGV[2]) end
for k = 2, boards + 1 do
  if ARGV[5 + k] ~= '0' then call('EXPIRE', KEYS[k], ARGV[5 + k]) end
end
for k = boards + 2, #KEYS do
  call('EXPIRE', KEYS[k], ARGV[5 + k + boards * 2 * count], 'NX')
end
return answer('folded')
`)
