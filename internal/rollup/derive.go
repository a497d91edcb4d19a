package rollup

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/notices"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// xpRefresh is the least time between two refreshes of the XP board, which
// costs commands in proportion to the players of the open days.
const xpRefresh = 10 * time.Second

// decayRefresh is the least time between two refreshes of a board that decays, which
// costs commands for each of its days.
const decayRefresh = time.Minute

// closedRefresh is the least time between two refreshes of a board whose period takes no more
// scores. Removals change the board at once, and cron-weekly makes it once more after it has
// closed; what is imported, or written late from a queue, shows within that time. Each card of
// a week looks at the week before, so where few play, most cards would otherwise make that
// week anew.
const closedRefresh = time.Hour

// Refresh rebuilds a derived board from its sources, at most once per interval over all
// processes: the process that sets the lock does the work, and all others read what is there.
// A process makes a board that few look at without asking for the lock. Boards that are
// written directly need nothing.
//
// Cost: nothing while this process knows the board to be fresh; 1 billed command for a quiet
// board, see quiet.go. Else 1 in 1 round trip for the lock, and with it 1 for the index of
// days, unless the board is a week of all players or made from another board. Unless another
// process has refreshed the board, 3 more in a second round trip for the refresh itself.
func (ru *Rollup) Refresh(ctx context.Context, b game.Board) error {
	_, err := ru.refresh(ctx, b)
	return err
}

// refresh is Refresh. It returns what this process knows of the board afterwards.
func (ru *Rollup) refresh(ctx context.Context, b game.Board) (derivation, error) {
	if b.Mode.Ratings != nil {
		return derivation{made: true}, ratings{ru}.refresh(ctx, b)
	}
	if !b.Derived() || ru.Frozen(b) {
		return derivation{since: ru.db.Now(), made: true}, nil
	}
	if in, err := ru.Banded.InBands(ctx, b); err != nil || in != nil {
		if err != nil {
			return derivation{}, err
		}
		return in.refresh(ctx)
	}
	interval := ru.Every(b)
	if b.OfTeams() {
		least, err := teams{ru}.interval(ctx, b)
		if err != nil {
			return derivation{}, rdb.Wrap("count the groups of "+b.Key, err)
		}
		interval = max(interval, least)
	}
	slot := ru.db.Now().UnixNano() / int64(interval)
	last, seen := ru.derived.Get(b.Key)
	if last.fresh(slot, ru.db.Elapsed(), interval) {
		return last, nil
	}
	u := newRefreshRun(ru, b, slot, interval)
	if seen && (ofDays{ru}).isQuiet(b, last) {
		return u.makeUnlocked(ctx, b, last)
	}
	now := derivation{slot: slot, at: ru.db.Elapsed(), since: last.since}
	days, won, err := u.begin(ctx, b)
	if err == nil && won {
		now.made, err = u.makeOrLeave(ctx, b, days)
	}
	if err != nil {
		return now, err
	}
	if u.complete() && u.since.After(now.since) {
		now.since = u.since
	}
	now.waits = !u.complete() && marked(b)
	if u.stands == "" {
		now.alone = (ofDays{ru}).aloneTimes(b)
	}
	remembered := now
	remembered.made = false
	ru.derived.Add(b.Key, remembered)
	return now, nil
}

// begin asks for the lock, and reads the index if the board is made from it. won says that this
// process is to make the board: it has the lock, or the process that has it may have found too
// few days.
func (u *refreshRun) begin(ctx context.Context, b game.Board) (days Index, won bool, err error) {
	ru := u.ru
	var p rdb.Pipeline
	u.take(&p)
	fromIndex := (ofDays{ru}).needsIndex(b)
	if fromIndex {
		ru.Calendar.askDays(&p, b, &days)
	}
	round, written := ru.notices.Keys.Written(func(k notices.DayKey) bool {
		return fromIndex && k.Mode == b.Mode.Name && k.Scope == b.Scope && b.Period.Contains(k.Date)
	})
	attempts, err := p.Run(ctx, ru.db.Redis)
	if err != nil {
		return days, false, rdb.Wrap("take the refresh lock", err)
	}
	won = u.won(attempts)
	lost, err := ru.notices.Keys.Relearns(ctx, round, written, func(k notices.DayKey) bool { return days.Has(k.Date) })
	if err == nil && lost {
		days, err = ru.Calendar.index(ctx, b)
		won = true
	}
	return days, won, rdb.Wrap("see to days that were lost", err)
}

// makeOrLeave makes the board, unless the request has no time for it.
func (u *refreshRun) makeOrLeave(ctx context.Context, b game.Board, days Index) (made bool, err error) {
	if err = u.make(ctx, b, days); errors.Is(err, ErrUnfinished) {
		err = u.leave(ctx, b)
	}
	return u.complete() && !u.older, rdb.Wrap("refresh "+b.Key, err)
}

// needsIndex reports whether the index of days says what a board is made of. A week of all
// players is made of all its dates, played or not, while none of them has expired.
func (f ofDays) needsIndex(b game.Board) bool {
	if b.Mode.Name == game.XPMode || b.Scope.ByCountry() || b.OfTeams() || b.Follows() {
		return false
	}
	return !f.datesTell(b)
}

// datesTell reports whether a board is made of its period's dates alone.
func (f ofDays) datesTell(b game.Board) bool {
	return b.Scope == (game.Scope{}) && (b.Period.Rolls() || b.Period.Kind() == game.Week && f.ru.db.Alive(b.Period.First()))
}

// leave leaves a board as it is, since a request has no time to make it: the next refresh
// begins anew when the interval is over. Errors: ErrUnfinished, if there is no board yet.
//
// Cost: 1 billed command.
func (u *refreshRun) leave(ctx context.Context, b game.Board) error {
	u.ru.Unfinished(b)
	there, err := u.ru.db.Exists(ctx, b.Key)
	if err == nil && !there {
		err = ErrUnfinished
	}
	return err
}

// make makes a board from its sources, and marks the refresh complete. Errors: ErrUnfinished.
func (u *refreshRun) make(ctx context.Context, b game.Board, days Index) error {
	within, done := making(ctx)
	defer done()
	return unfinished(ctx, within, u.makeWithin(within, b, days))
}

func (u *refreshRun) makeWithin(ctx context.Context, b game.Board, days Index) (err error) {
	ru, whole := u.ru, true
	switch {
	case b.Mode.Name == game.XPMode:
		err = ru.xp.DeriveXP(ctx, b)
	case b.Scope.ByCountry():
		err = countries{ru}.derive(ctx, b, u)
	case b.OfTeams():
		err = teams{ru}.derive(ctx, b, u.slot, false)
	case b.Follows():
		err = following{ru}.derive(ctx, b)
	default:
		if (ofDays{ru}).datesTell(b) {
			days = (ofDays{ru}).begun(b.Period)
		}
		whole, err = ofDays{ru}.derive(ctx, b, days, u)
	}
	if err != nil {
		u.unmark(ctx)
		return err
	}
	if !whole {
		u.since = time.Time{}
		return nil
	}
	if !marked(b) {
		return nil
	}
	ctx, done := finishing(ctx)
	defer done()
	return u.markNow(ctx)
}

// marked reports whether anybody asks when a board's refreshes began. Nobody does for a group's
// board of a day, since its entries are compared with the day's board, nor for boards that rank
// groups, since groups are not players.
func marked(b game.Board) bool { return !b.Follows() && !b.OfTeams() }

// sourcesOf is how many days are united for a week; 1 for other boards.
func (f ofDays) sourcesOf(b game.Board) int64 {
	if b.Period.Kind() != game.Week || !f.datesTell(b) {
		return 1
	}
	return int64(len(f.begun(b.Period).Dates))
}

// begun lists the dates of a period that may have been played.
func (f ofDays) begun(p game.Period) (days Index) {
	for _, d := range p.Days() {
		if f.ru.Calendar.Begins(d) {
			days.Dates = append(days.Dates, d)
		}
	}
	return days
}

// Every is the least time between two refreshes of a board. The more players a board has whose
// refresh costs commands in proportion to them, the longer is this time: a second or a little
// more for each thousand players. A week may have so many entries that this process unites its
// days in pages: then a second for each thousand of these entries.
func (ru *Rollup) Every(b game.Board) time.Duration {
	interval := ru.db.Game.Refresh
	if b.Mode.Name == game.XPMode {
		interval = max(interval, xpRefresh)
	}
	if ru.db.Age(b.Period) >= game.Closed {
		interval = max(interval, closedRefresh)
	}
	if players, _ := ru.totals.Last(b.Key); players > UnionBound/mostAdded {
		if entries := players * (ofDays{ru}).sourcesOf(b); entries > UnionBound {
			players = entries
		}
		interval = max(interval, inSteps(players/1000))
	}
	interval = ru.Measures().RefreshEvery(interval)
	if b.Decays() {
		return partOfDay(interval)
	}
	return interval
}

// inSteps rounds seconds up to three significant binary digits. So processes that know
// different sizes of a growing board mostly use the same interval, and one of them makes the
// board for all.
func inSteps(seconds int64) time.Duration {
	step := int64(1)
	for seconds >= 8*step {
		step *= 2
	}
	return time.Duration((seconds+step-1)/step*step) * time.Second
}

// partOfDay rounds an interval up to decayRefresh times a power of two that divides a day: so
// the first look of a day is in an interval of its own, and shows that day's weights. Above 32
// minutes there is no such interval, and it stays as it is.
func partOfDay(interval time.Duration) time.Duration {
	for part := decayRefresh; part <= 32*decayRefresh; part *= 2 {
		if interval <= part {
			return part
		}
	}
	return interval
}

// Frozen reports whether a board is not refreshed, since its key has expired, or its period has
// not begun.
func (ru *Rollup) Frozen(b game.Board) bool {
	age := ru.db.Age(b.Period)
	return age == game.Upcoming || age == game.Expired
}

// mostAdded is how many days all time may add up with their tie fractions:
// 31 fractions below 1/32 stay below 1.
const mostAdded = 31

// ofDays makes the boards that add days up.
type ofDays struct{ ru *Rollup }

// overdue reports whether a board of all time, or of a season, has too many days to add up
// that are not rolled up.
func overdue(b game.Board, days Index) bool {
	return b.Period.TrueScores() && len(days.Dates)-len(days.RolledUp) > mostAdded
}

// rollUpOverdue rolls up days for a board that has too many of them to add up, as happens if
// the daily schedule does not run.
func (f ofDays) rollUpOverdue(ctx context.Context, b game.Board) (Index, error) {
	global, scoped, err := f.ru.Calendar.Indexes(ctx, b.Mode)
	if err != nil {
		return Index{}, err
	}
	days := global
	if b.Scope != (game.Scope{}) {
		days = scoped[b.Scope]
	}
	if err := f.ru.RollUp(ctx, f.ru.SequenceOf(b.Mode, b.Scope), days, &RolledUp{}); err != nil {
		return Index{}, err
	}
	return f.ru.Calendar.index(ctx, b)
}

// derive combines a board's days, and what was rolled up of earlier ones, into the board. If a
// day has expired before it was rolled up, the board has more than is left of its sources:
// derive leaves it as it is, and whole is false.
func (f ofDays) derive(ctx context.Context, b game.Board, days Index, u *refreshRun) (whole bool, err error) {
	if in, err := f.ru.Banded.InBands(ctx, b); err != nil || in != nil {
		if err != nil {
			return false, err
		}
		return true, in.CarryDays(ctx)
	}
	if overdue(b, days) {
		if days, err = f.rollUpOverdue(ctx, b); err != nil {
			return false, err
		}
	}
	for try := 1; ; try++ {
		if underWay(b, days) {
			if days, whole, err = f.finishRollUp(ctx, b, days); err != nil || !whole {
				return false, err
			}
		}
		if whole, err = f.deriveFrom(ctx, b, days, u); err != nil || !whole || !f.mayChange(b, days) {
			return whole, err
		}
		was := days
		if days, err = f.ru.Calendar.index(ctx, b); err != nil || was.sameSources(days) {
			return true, err
		}
		if try == deriveTries {
			return false, nil
		}
	}
}

// deriveTries is how often a board is made at most, if days are rolled up while it is made. As
// a rule one day is rolled up each day.
const deriveTries = 4

func (f ofDays) deriveFrom(ctx context.Context, b game.Board, days Index, u *refreshRun) (whole bool, err error) {
	sources, whole, err := f.sources(ctx, b, days)
	if err != nil || !whole {
		return false, err
	}
	if err := following(f).days(ctx, b, days); err != nil {
		return false, err
	}
	if add := AddingOf(f.ru, b); add.floor {
		return true, f.combineTrue(ctx, b, add, f.dates(b, days), u)
	}
	return true, f.ru.combine(ctx, b, sources, u)
}

// sources lists the keys that a derived board is made of, oldest first. It reports whole =
// false when one of them has expired.
func (f ofDays) sources(ctx context.Context, b game.Board, days Index) (keys []string, whole bool, err error) {
	var mayBeGone []string
	for _, d := range f.dates(b, days) {
		key := game.BoardKey(b.Mode.Name, game.Day.Of(d), b.Scope)
		keys = append(keys, key)
		if !b.Period.Rolls() && !f.ru.db.Alive(d) {
			mayBeGone = append(mayBeGone, key)
		}
	}
	if !b.Period.OfDates() {
		keys = slices.Insert(keys, 0, game.RolledUpKey(b.Key))
	}
	if len(mayBeGone) == 0 {
		return keys, true, nil
	}
	reply, err := f.ru.db.Redis.Do(ctx, upstash.Cmd(append([]string{"EXISTS"}, mayBeGone...)...))
	if err != nil {
		return nil, false, err
	}
	n, err := reply.Int64()
	return keys, n == int64(len(mayBeGone)), err
}

// dates lists the days that a board is made of and that are not rolled up into it, oldest
// first.
func (f ofDays) dates(b game.Board, days Index) (dates []game.Date) {
	for _, d := range days.Dates {
		if b.Period.Contains(d) && (b.Period.OfDates() || !days.RolledUp[d]) {
			dates = append(dates, d)
		}
	}
	return dates
}

// Union stores the union of the sources in dst. It may be repeated if dst is not among them.
func Union(dst, aggregate string, sources ...string) upstash.Command {
	args := append([]string{"ZUNIONSTORE", dst, rdb.Itoa(int64(len(sources)))}, sources...)
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

// combineLast queues the commands that make dst hold each player's entry of the newest source
// that has one. Redis has no such aggregate, but of two boards A and B, A + B − (A where B) is
// B if a player is on both; the differences are exact, since two days' scores fit in 53 bits
// together.
func combineLast(p *rdb.Pipeline, dst string, sources []string, done func(upstash.Reply) error) {
	p.Atomic = true // nobody else may work on the scratch keys in between
	acc, both := game.ScratchKey(dst, "last"), game.ScratchKey(dst, "both")
	p.Add(Union(acc, "SUM", sources[0]), nil)
	for _, next := range sources[1:] {
		p.Add(upstash.Cmd("ZINTERSTORE", both, "2", acc, next, "WEIGHTS", "1", "0").Idempotent(), nil)
		p.Add(upstash.Cmd("ZUNIONSTORE", acc, "3", acc, next, both, "WEIGHTS", "1", "1", "-1"), nil)
	}
	p.Add(Union(dst, "SUM", acc), done)
	p.Add(upstash.Cmd("DEL", acc, both).Idempotent(), nil)
}
