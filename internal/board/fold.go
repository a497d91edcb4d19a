package board

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// A day board lives some days longer than its day. For most of that time
// derived boards are made from it again and again, so that late scores and
// removals reach them by themselves. In the last quarter of its life it takes
// no more writes and is folded into what outlives it.
func (s *Store) foldMargin() time.Duration { return s.game.Lives.Day / 4 }

// writable reports whether a day's board may still change.
func (s *Store) writable(d game.Date) bool {
	end, ok := s.game.Expires(game.Day.Of(d))
	return !ok || s.now().Before(end.Add(-s.foldMargin()))
}

// FoldReport tells what FoldDays did.
type FoldReport struct {
	Folded []string `json:"folded"` // boards of days, by key
	Gone   []string `json:"gone"`   // boards that expired before they were rolled up
}

// foldModes folds every day board in the last quarter of its life into its month,
// its season and all time. XP is another's: see FoldDays.
func (s *Store) foldModes(ctx context.Context, view Survey, report *FoldReport) error {
	var due []*game.Mode
	for i, m := range s.game.Modes {
		if s.due(view.globals[i]) {
			due = append(due, m)
		}
	}
	if err := s.surveyScopes(ctx, view, due); err != nil {
		return err
	}
	for i, m := range s.game.Modes {
		global, scoped := view.globals[i], view.scoped[m]
		if !slices.Contains(due, m) {
			continue
		}
		for _, scope := range sortedScopes(scoped) {
			if err := s.foldIndex(ctx, s.foldOf(m, scope), scoped[scope], report); err != nil {
				return wrap("fold the days of "+m.Name+" "+scope.String(), err)
			}
		}
		// Last, since it is what says whether there is anything to do.
		if err := s.foldIndex(ctx, s.foldOf(m, game.Scope{}), &global, report); err != nil {
			return wrap("fold the days of "+m.Name, err)
		}
	}
	return nil
}

// due reports whether an index has a day to fold, or to take off.
func (s *Store) due(days dayIndex) bool {
	for _, d := range days.dates {
		if !days.folded[d] && !s.writable(d) || days.folded[d] && s.spent(d) {
			return true
		}
	}
	return false
}

// spent reports whether a folded day is of no more use to its month, nor to its
// season.
func (s *Store) spent(d game.Date) bool {
	for _, p := range s.game.OutlivingOf(d) {
		if end, ok := s.game.Expires(p); ok && s.now().Before(end) {
			return false
		}
	}
	return true
}

// allDays reads the indexes of a mode and of all its scopes.
func (s *Store) allDays(ctx context.Context, m *game.Mode) (*dayIndex, map[game.Scope]*dayIndex, error) {
	var global dayIndex
	scoped := map[game.Scope]*dayIndex{}
	var p pipeline
	p.add(upstash.Cmd("HGETALL", game.DaysKey(m.Name)), daysInto(&global))
	if m.HasScope(game.Group) {
		p.add(upstash.Cmd("HGETALL", game.ScopedDaysKey(m.Name)), scopedInto(&scoped))
	}
	round, written := s.written(func(k dayKey) bool { return k.mode == m.Name })
	_, err := p.run(ctx, s.redis)
	if err == nil {
		var lost bool
		lost, err = s.relearns(ctx, round, written, func(k dayKey) bool {
			if k.grouped() {
				return scoped[k.scope] != nil && scoped[k.scope].has(k.date)
			}
			return global.has(k.date)
		})
		if lost && err == nil {
			return s.allDays(ctx, m)
		}
	}
	return &global, scoped, wrap("list the days of "+m.Name, err)
}

// folding is one sequence of days that are folded one after the other.
type folding struct {
	index     string // key of the index of days
	cursor    string // its field for the fold under way
	field     func(game.Date) string
	board     func(game.Date) string
	aggregate game.Aggregate
	targets   func(game.Date) []foldTarget
	prepare   func(context.Context, game.Date) error // the day's board; nil: nothing
	empty     bool                                   // no day has ever had anything: a board that is not there is not lost
}

// foldTarget is a board that takes days in.
type foldTarget struct {
	key    string
	floor  bool      // true scores only
	expire time.Time // zero: never
}

func (s *Store) foldOf(m *game.Mode, scope game.Scope) folding {
	f := folding{
		index: game.DaysKey(m.Name), cursor: foldCursor, field: game.Date.String,
		board:     func(d game.Date) string { return game.BoardKey(m.Name, game.Day.Of(d), scope) },
		aggregate: m.Aggregate,
		targets: func(d game.Date) []foldTarget {
			var targets []foldTarget
			for _, p := range s.game.OutlivingOf(d) {
				end, _ := s.game.Expires(p)
				targets = append(targets, foldTarget{
					key: game.FoldedKey(BoardOf(m, p, scope).Key), floor: p.TrueScores() && m.Aggregate == game.Sum, expire: end,
				})
			}
			return targets
		},
	}
	if scope != (game.Scope{}) {
		f.index, f.cursor = game.ScopedDaysKey(m.Name), foldCursor+":"+scope.String()
		f.field = func(d game.Date) string { return game.ScopedDay(d, scope) }
		f.prepare = func(ctx context.Context, d game.Date) error {
			b := BoardOf(m, game.Day.Of(d), scope)
			if !b.follows() || s.frozen(b) {
				return nil
			}
			return s.deriveFollowing(ctx, b)
		}
	}
	return f
}

// foldIndex folds what is due, oldest first, and takes days off the index that
// nothing needs any more.
func (s *Store) foldIndex(ctx context.Context, f folding, days *dayIndex, report *FoldReport) error {
	var spent []string
	for _, d := range days.dates {
		if days.folded[d] {
			if s.spent(d) {
				spent = append(spent, f.field(d))
			}
			continue
		}
		if s.writable(d) {
			break // ascending: all that follow are younger
		}
		state, err := s.fold(ctx, f, d, days.cursor)
		if err != nil {
			return err
		}
		days.cursor = ""
		switch state {
		case "folded":
			report.Folded = append(report.Folded, f.board(d))
		case "gone":
			report.Gone = append(report.Gone, f.board(d))
		case "elsewhere":
			return nil // another run is at it
		}
	}
	if len(spent) == 0 {
		return nil
	}
	_, err := s.redis.Do(ctx, upstash.Cmd(append([]string{"HDEL", f.index}, spent...)...).Idempotent())
	return err
}

// fold takes one day in, page by page, from where the cursor says that an
// earlier run has come to.
func (s *Store) fold(ctx context.Context, f folding, d game.Date, cursor string) (state string, err error) {
	for {
		page, elsewhere, err := foldPageOf(cursor, d)
		if err != nil || elsewhere {
			return "elsewhere", err
		}
		if page == 0 && f.prepare != nil {
			if err := f.prepare(ctx, d); err != nil {
				return "", err
			}
		}
		members, err := s.readMembers(ctx, f.board(d), page*foldPerCall, foldPerCall)
		if err != nil {
			return "", err
		}
		if len(members) == 0 && page == 0 && !s.alive(d) && !f.empty {
			return "gone", nil
		}
		next := ""
		if len(members) == foldPerCall {
			next = d.String() + ":" + itoa(page+1)
		}
		state, err := s.foldPage(ctx, f, d, members, cursor, next)
		if err != nil || state == "folded" || state == "before" {
			return state, err
		}
		if state == "elsewhere" { // another run, or an answer of ours that was lost
			if next, err = s.foldedUpTo(ctx, f); err != nil {
				return "", err
			}
		}
		cursor = next
	}
}

// foldPageOf reads a fold's cursor; elsewhere means that it is about another day.
func foldPageOf(cursor string, d game.Date) (page int64, elsewhere bool, err error) {
	if cursor == "" {
		return 0, false, nil
	}
	at, ok := strings.CutPrefix(cursor, d.String()+":")
	if !ok {
		return 0, true, nil
	}
	if page, err = strconv.ParseInt(at, 10, 64); err != nil {
		return 0, false, fmt.Errorf("the fold cursor %q is not a date and a page", cursor)
	}
	return page, false, nil
}

func (s *Store) foldedUpTo(ctx context.Context, f folding) (cursor string, err error) {
	reply, err := s.redis.Do(ctx, upstash.Cmd("HGET", f.index, f.cursor))
	if err != nil || reply.IsNil() {
		return "", err
	}
	return reply.Text()
}

func (s *Store) foldPage(ctx context.Context, f folding, d game.Date, members []member, cursor, next string) (state string, err error) {
	targets := f.targets(d)
	keys := []string{f.index}
	args := []string{f.field(d), f.cursor, cursor, next, itoa(int64(len(members)))}
	for _, target := range targets {
		seconds := int64(0)
		if !target.expire.IsZero() {
			seconds = max(1, s.secondsUntil(target.expire))
		}
		args = append(args, itoa(seconds))
	}
	before := make([][]place, len(targets))
	var p pipeline
	for i, target := range targets {
		keys = append(keys, target.key)
		if len(members) == 0 {
			continue
		}
		before[i] = make([]place, len(members))
		p.add(scoresOf(target.key, members), placesInto(before[i]))
	}
	if _, err := p.run(ctx, s.redis); err != nil {
		return "", err
	}
	for i, target := range targets {
		for j, m := range members {
			if target.floor {
				m.stored = math.Floor(m.stored)
			}
			if old := before[i][j]; old.found {
				m.stored = combined(f.aggregate, old.stored, m.stored)
			}
			args = append(args, game.FormatStored(m.stored), m.player)
		}
	}
	reply, err := s.redis.Do(ctx, foldScript.Command(keys, args...).Idempotent())
	if err != nil {
		return "", err
	}
	values, err := reply.Array()
	if err != nil {
		return "", err
	}
	if len(values) != 2 {
		return "", errShape("what became of the day", len(values))
	}
	return values[1].Text()
}

// combined is what a player's entry becomes when a newer day is taken in.
func combined(a game.Aggregate, old, newer float64) float64 {
	switch a {
	case game.Max:
		return max(old, newer)
	case game.Min:
		return min(old, newer)
	case game.Last:
		return newer
	}
	return old + newer
}
