package board

import (
	"context"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// derivation is what a process remembers of a derived board: in which interval
// it was last found fresh.
type derivation struct {
	slot int64
	at   time.Duration
}

// xpRefresh is the least time between two refreshes of the XP board, which
// costs commands in proportion to the players of the open days.
const xpRefresh = 10 * time.Second

// closedRefresh is the least time between two refreshes of a board whose period
// takes no more scores: what is removed of it is taken out at once, and what is
// imported, or written late from a queue, shows within that time.
const closedRefresh = 10 * time.Minute

// refresh rebuilds a derived board from its sources, at most once per interval
// over all processes: who sets the lock does the work, everybody else reads
// what is there. Boards that are written directly need nothing.
//
// Cost: nothing while this process knows the board to be fresh; 2 billed
// commands in 1 round trip when somebody else has refreshed it; 2 more in a
// second one for the refresh itself.
func (s *Store) refresh(ctx context.Context, b Board) error {
	if !b.isDerived() || s.frozen(b) {
		return nil
	}
	interval := s.refreshInterval(b)
	if b.ofTeams() {
		least, err := s.teamsInterval(ctx, b)
		if err != nil {
			return wrap("count the groups of "+b.Key, err)
		}
		interval = max(interval, least)
	}
	slot := s.now().UnixNano() / int64(interval)
	if last, ok := s.derived.Get(b.Key); ok && last.slot == slot && s.elapsed()-last.at < interval {
		return nil
	}
	began := derivation{slot, s.elapsed()}
	var won bool
	var days dayIndex
	var p pipeline
	seconds := int64((interval + time.Second - 1) / time.Second)
	p.add(upstash.Cmd("SET", game.RefreshKey(b.Key, slot), "1", "NX", "EX", itoa(seconds)), func(r upstash.Reply) error {
		won = !r.IsNil()
		return nil
	})
	fromDays := b.Mode.Name != game.XPMode && b.Scope.Kind() != game.Country && !b.ofTeams() && !b.follows()
	if fromDays {
		s.askDays(&p, b, &days)
	}
	round, written := s.written(func(k dayKey) bool {
		return fromDays && k.mode == b.Mode.Name && k.scope == b.Scope && b.Period.Contains(k.date)
	})
	attempts, err := p.run(ctx, s.redis)
	if err != nil {
		return wrap("take the refresh lock", err)
	}
	lost, err := s.relearns(ctx, round, written, func(k dayKey) bool { return days.has(k.date) })
	if err == nil && lost {
		var again pipeline
		s.askDays(&again, b, &days)
		_, err = again.run(ctx, s.redis)
		won = true // whoever has the lock has found too few days
	}
	if err != nil {
		return wrap("see to days that were lost", err)
	}
	// A lock whose first sending was lost may be our own: refreshing twice is
	// better than not at all.
	if won || attempts > 1 {
		switch {
		case b.Mode.Name == game.XPMode:
			err = s.xp(ctx, b)
		case b.Scope.Kind() == game.Country:
			err = s.deriveCountry(ctx, b)
		case b.ofTeams():
			err = s.deriveTeams(ctx, b, slot, false)
		case b.follows():
			err = s.deriveFollowing(ctx, b)
		default:
			_, err = s.derive(ctx, b, days)
		}
		if err != nil {
			return wrap("refresh "+b.Key, err)
		}
	}
	s.derived.Add(b.Key, began)
	return nil
}

// refreshInterval is the least time between two refreshes of a board. What
// costs commands in proportion to the players is done the less often the more
// there are: a second for each thousand.
func (s *Store) refreshInterval(b Board) time.Duration {
	interval := s.game.Refresh
	if b.Mode.Name == game.XPMode {
		interval = max(interval, xpRefresh)
	}
	if s.game.Closed(b.Period, s.now()) {
		interval = max(interval, closedRefresh)
	}
	if players, _ := s.totals.last(b.Key); players > unionBound/unfoldedDays {
		interval = max(interval, time.Duration(players/1000)*time.Second)
	}
	return s.frugal().RefreshEvery(interval)
}

// frozen tells boards that are past refreshing: their keys have expired, or
// their period has not begun.
func (s *Store) frozen(b Board) bool {
	now := s.now()
	if b.Period.Kind() == game.AllTime {
		return false
	}
	end, ok := s.game.Expires(b.Period)
	return ok && !now.Before(end) || now.Before(s.game.Opens(b.Period.First()))
}

// unfoldedDays is how many days all time may add up with their tie fractions:
// 31 fractions below 1/32 stay below 1.
const unfoldedDays = 31

// overdue reports whether an all-time board, or a season's, has too many unfolded
// days to add up.
func (s *Store) overdue(b Board, days dayIndex) bool {
	return b.Period.TrueScores() && len(days.dates)-len(days.folded) > unfoldedDays
}

// foldOverdue folds days for a board that has too many of them to add up, as
// happens where the daily schedule does not run.
func (s *Store) foldOverdue(ctx context.Context, b Board) (dayIndex, error) {
	global, scoped, err := s.allDays(ctx, b.Mode)
	if err != nil {
		return dayIndex{}, err
	}
	days := global
	if b.Scope != (game.Scope{}) {
		days = scoped[b.Scope]
	}
	if err := s.foldIndex(ctx, s.foldOf(b.Mode, b.Scope), days, &FoldReport{}); err != nil {
		return dayIndex{}, err
	}
	var left dayIndex
	var p pipeline
	s.askDays(&p, b, &left)
	_, err = p.run(ctx, s.redis)
	return left, err
}

// derive combines a board's days, and what was folded of earlier ones, into
// the board. Where a day has expired before it was folded, the board holds more
// than what is left of its sources: it stays as it is, and whole is false.
func (s *Store) derive(ctx context.Context, b Board, days dayIndex) (whole bool, err error) {
	if s.overdue(b, days) {
		if days, err = s.foldOverdue(ctx, b); err != nil {
			return false, err
		}
	}
	sources, whole, err := s.sources(ctx, b, days)
	if err != nil || !whole {
		return false, err
	}
	if err := s.followDays(ctx, b, days); err != nil {
		return false, err
	}
	if s.settles(b) {
		return true, s.combineTrue(ctx, b, sources)
	}
	return true, s.combineInto(ctx, b, sources)
}

// sources lists the keys a derived board is made of, oldest first. It reports
// whole = false when one of them is gone.
func (s *Store) sources(ctx context.Context, b Board, days dayIndex) (keys []string, whole bool, err error) {
	var mayBeGone []string
	for _, d := range days.dates {
		if !b.Period.Contains(d) {
			continue
		}
		if days.folded[d] && b.Period.Kind() != game.Week {
			continue
		}
		key := game.BoardKey(b.Mode.Name, game.Day.Of(d), b.Scope)
		keys = append(keys, key)
		if !s.alive(d) {
			mayBeGone = append(mayBeGone, key)
		}
	}
	if b.Period.Kind() != game.Week {
		keys = slices.Insert(keys, 0, game.FoldedKey(b.Key))
	}
	if len(mayBeGone) == 0 {
		return keys, true, nil
	}
	reply, err := s.redis.Do(ctx, upstash.Cmd(append([]string{"EXISTS"}, mayBeGone...)...))
	if err != nil {
		return nil, false, err
	}
	n, err := reply.Int64()
	return keys, n == int64(len(mayBeGone)), err
}

// union stores the union of the sources in dst. It may be repeated as long as
// dst is not among them.
func union(dst, aggregate string, sources ...string) upstash.Command {
	args := append([]string{"ZUNIONSTORE", dst, itoa(int64(len(sources)))}, sources...)
	return upstash.Cmd(append(args, "AGGREGATE", aggregate)...).Idempotent()
}

func aggregateWord(a game.Aggregate) string {
	switch a {
	case game.Max:
		return "MAX"
	case game.Min:
		return "MIN"
	}
	return "SUM"
}

// combineLast queues what makes dst hold each player's entry of the newest
// source that has one. Redis has no such aggregate, but of two boards A and B,
// A + B − (A where B) is B where a player is on both; the differences are
// exact, since two days' scores fit in 53 bits together.
func combineLast(p *pipeline, dst string, sources []string, done func(upstash.Reply) error) {
	p.atomic = true // nobody else may work on the scratch keys in between
	acc, both := game.ScratchKey(dst, "last"), game.ScratchKey(dst, "both")
	p.add(union(acc, "SUM", sources[0]), nil)
	for _, next := range sources[1:] {
		p.add(upstash.Cmd("ZINTERSTORE", both, "2", acc, next, "WEIGHTS", "1", "0").Idempotent(), nil)
		p.add(upstash.Cmd("ZUNIONSTORE", acc, "3", acc, next, both, "WEIGHTS", "1", "1", "-1"), nil)
	}
	p.add(union(dst, "SUM", acc), done)
	p.add(upstash.Cmd("DEL", acc, both).Idempotent(), nil)
}
