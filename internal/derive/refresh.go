package derive

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/fault"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Refresh rebuilds a derived board from its sources, at most once per interval over all
// processes: the process that sets the lock does the work, and all others read what is there.
// Boards that are written directly need nothing.
//
// Cost: nothing while this process knows the board to be fresh. Else 1 billed command in 1 round
// trip for the lock, and with it 1 for the index of days, unless the board is a week of all
// players or made from another board. Unless another process has refreshed the board, 3 more in
// a second round trip for the refresh itself.
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
	in, err := ru.Banded.InBands(ctx, b)
	switch {
	case err != nil:
		return derivation{}, err
	case in != nil:
		return in.refresh(ctx)
	}
	interval, err := ru.intervalOf(ctx, b)
	if err != nil {
		return derivation{}, err
	}
	u := newRefreshRun(ru, b, interval)
	last, _ := ru.derived.Get(b.Key)
	if u.isDone(last) {
		return last, nil
	}
	return u.refresh(ctx, last)
}

const (
	// xpRefresh is the least time between two refreshes of the XP board, which costs commands in
	// proportion to the players of the open days.
	xpRefresh = 10 * time.Second
	// decayRefresh is the least time between two refreshes of a board that decays, which costs
	// commands for each of its days.
	decayRefresh = time.Minute
	// closedRefresh is the least time between two refreshes of a board whose period takes no
	// more scores. Removals change the board at once, and cron-weekly makes it once more after
	// it has closed; what is imported, or written late from a queue, shows within that time.
	// Each card of a week looks at the week before, so where few play, most cards would
	// otherwise make that week again.
	closedRefresh = time.Hour
)

// Every is the least time between two refreshes of a board. The more players a board has whose
// refresh costs commands in proportion to them, the longer is this time: a second or a little
// more for each thousand players. A week may have so many entries that Redis unites its days in
// pages: then a second for each thousand of these entries.
func (ru *Rollup) Every(b game.Board) time.Duration {
	interval := ru.db.Game.Refresh
	if b.Mode.Name == game.XPMode {
		interval = max(interval, xpRefresh)
	}
	if ru.db.Age(b.Period) >= game.Closed {
		interval = max(interval, closedRefresh)
	}
	if players, _ := ru.totals.Last(b.Key); players > UnionBound/mostAdded {
		if b.Period.Kind() == game.Week && ru.Calendar.datesTell(b) {
			if entries := players * int64(len(ru.Calendar.begun(b.Period).Dates)); entries > UnionBound {
				players = entries
			}
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

// intervalOf is how often a board is made at most. A board that ranks groups is made less often
// the more groups there are.
func (ru *Rollup) intervalOf(ctx context.Context, b game.Board) (time.Duration, error) {
	interval := ru.Every(b)
	if !b.OfTeams() {
		return interval, nil
	}
	least, err := teams{ru}.interval(ctx, b)
	return max(interval, least), redis.Wrap("count the groups of "+b.Key, err)
}

// Frozen reports whether a board is not refreshed, since its key has expired, or its period has
// not begun.
func (ru *Rollup) Frozen(b game.Board) bool {
	age := ru.db.Age(b.Period)
	return age == game.Upcoming || age == game.Expired
}

// derivation is what a process remembers of a derived board: in which interval it last saw the
// board fresh, and when the last complete refresh that it knows of began. Everything that was
// written before that moment is on the board.
type derivation struct {
	slot  int64
	at    time.Duration
	since time.Time // zero: none is known
	waits bool      // another process was at the refresh
	made  bool      // this very call has made the board; not remembered
	lost  string    // days that the board lacks, since they expired before they were rolled up; see lost.go
}

// waitsFor is how long a process believes that another one, which it found making the board, is
// still doing so: the other process may have ended.
const waitsFor = 5 * time.Second

// isDone reports whether this process has seen the board fresh in this interval. Last is what
// it remembers of the board.
func (u *refreshRun) isDone(last derivation) bool {
	within := u.interval
	if last.waits {
		within = min(within, waitsFor)
	}
	return last.slot == u.slot && u.ru.db.Elapsed()-last.at < within
}

// refreshRun is one refresh of a derived board. Its lock is held for the interval, and says which
// process is at the refresh or, once the refresh is complete, when it began.
type refreshRun struct {
	ru       *Rollup
	board    game.Board
	interval time.Duration
	slot     int64 // number of the interval

	lock     string
	held     string    // the lock's earlier value; empty: it was free
	since    time.Time // when the refresh began; zero: not known
	older    bool      // it is made from a board that another call has made
	isMarked bool

	lost   string    // days that the board lacks; "": none
	madeAt time.Time // when such a board was last made; zero: not known
}

func newRefreshRun(ru *Rollup, b game.Board, interval time.Duration) *refreshRun {
	now := ru.db.Now()
	slot := now.UnixNano() / int64(interval)
	return &refreshRun{
		ru: ru, board: b, interval: interval, slot: slot,
		lock: game.RefreshKey(b.Key, slot), since: now.Truncate(time.Millisecond),
	}
}

// refresh makes the board if no other process is making it, or has made it in this interval.
func (u *refreshRun) refresh(ctx context.Context, last derivation) (derivation, error) {
	now := derivation{slot: u.slot, at: u.ru.db.Elapsed(), since: last.since}
	days, won, err := u.begin(ctx)
	if err != nil {
		return now, err
	}
	if won {
		if err = u.make(ctx, days); errors.Is(err, ErrUnfinished) {
			err = u.leave(ctx)
		}
		if err != nil {
			return now, redis.Wrap("refresh "+u.board.Key, err)
		}
	}
	if u.isComplete() && u.since.After(now.since) {
		now.since = u.since
	}
	if now.lost = u.lost; u.madeAt.After(now.since) {
		now.since = u.madeAt
	}
	now.waits = !u.isComplete() && needsMark(u.board) && u.lost == ""
	u.ru.derived.Add(u.board.Key, now)
	now.made = won && u.isComplete() && !u.older
	return now, nil
}

// begin asks for the lock, and reads the index if the board is made from it. won says that this
// process has the lock, and is to make the board.
func (u *refreshRun) begin(ctx context.Context) (days Index, won bool, err error) {
	ru, b := u.ru, u.board
	fromIndex := u.needsIndex()
	if fromIndex {
		if err := ru.Calendar.KnowListed(ctx); err != nil {
			return days, false, err
		}
	}
	var p redis.Pipeline
	u.take(&p)
	if fromIndex {
		ru.Calendar.askDays(&p, b, &days)
	}
	attempts, err := p.Run(ctx, ru.db.Redis)
	if err != nil {
		return days, false, redis.Wrap("take the refresh lock", err)
	}
	return days, u.won(attempts), nil
}

// needsIndex reports whether the index of days says what the board is made of. A week of all
// players is made of all its dates, played or not, while none of them has expired.
func (u *refreshRun) needsIndex() bool {
	b := u.board
	if b.Mode.Name == game.XPMode || b.Scope.ByCountry() || b.OfTeams() || b.Follows() {
		return false
	}
	return !u.ru.Calendar.datesTell(b)
}

// A large board may be made while a request waits for it, in a function that runs for 10 s.
// Then Lambda ends the function, with everything that it remembers. So making a board for a
// request ends before that, and the request is answered with the board as it was before. A
// request that needs a board only for a part of its answer waits for less time than a large
// board takes. That board is made to its end all the same, since the next request would start
// from scratch.

const (
	// answering is what is left of a request's time to answer it in.
	answering = 2 * time.Second
	// partly is more than the longest time that a request waits for a part of its answer.
	partly = 4 * time.Second
	// largeTime bounds how long a board is made to its end that nobody waits for any more.
	largeTime = 8 * time.Second
)

// ErrUnfinished is returned for a board that does not exist yet and that could not be made in
// the time of the request.
var ErrUnfinished = fault.Unavailable("the board takes longer to build than a request may take",
	"the board takes longer to build than a request may take; it is retried every few minutes, and each night", 0)

// bounded marks the context of a making that ends in time for its request.
type bounded struct{}

// make makes the board from its sources, and marks the refresh complete. It leaves the request
// time to answer. Errors: ErrUnfinished.
func (u *refreshRun) make(ctx context.Context, days Index) error {
	within := ctx
	if end, ok := ctx.Deadline(); ok && time.Until(end) > partly {
		var done context.CancelFunc
		within, done = context.WithDeadline(context.WithValue(ctx, bounded{}, true), end.Add(-answering))
		defer done()
	}
	err := u.makeWithin(within, days)
	if err != nil && ctx.Err() == nil && within.Err() != nil {
		return ErrUnfinished
	}
	return err
}

func (u *refreshRun) makeWithin(ctx context.Context, days Index) (err error) {
	ru, b, whole := u.ru, u.board, true
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
		if ru.Calendar.datesTell(b) {
			days = ru.Calendar.begun(b.Period)
		}
		if whole, err = (ofDays{ru, b, u}).derive(ctx, days); err == nil && whole {
			err = u.noteMade(ctx, days)
		}
	}
	if err != nil {
		u.unmark(ctx)
		return err
	}
	if !whole || u.lost != "" {
		u.since = time.Time{}
		return u.markLost(ctx)
	}
	if !needsMark(b) {
		return nil
	}
	ctx, done := finishing(ctx)
	defer done()
	return u.markNow(ctx)
}

// finishing is the context for making a large board to its end, if the request waits for it
// only for a part of its answer.
func finishing(ctx context.Context) (context.Context, context.CancelFunc) {
	if end, ok := ctx.Deadline(); ok && time.Until(end) <= partly && ctx.Value(bounded{}) == nil {
		return context.WithTimeout(context.WithoutCancel(ctx), largeTime)
	}
	return context.WithCancel(ctx)
}

// leave leaves the board as it is, since a request has no time to make it: the next refresh
// starts from scratch after the interval. Errors: ErrUnfinished, if there is no board yet.
//
// Cost: 1 billed command.
func (u *refreshRun) leave(ctx context.Context) error {
	u.ru.Unfinished(u.board)
	there, err := u.ru.db.Exists(ctx, u.board.Key)
	if err == nil && !there {
		err = ErrUnfinished
	}
	return err
}

// sinceMark begins the text in the lock of a complete refresh; the moment at which the refresh
// began comes next, in Unix milliseconds.
const sinceMark = "since:"

// take queues the taking of the lock, unless another process has it.
func (u *refreshRun) take(p *redis.Pipeline) {
	seconds := int64((u.interval + time.Second - 1) / time.Second)
	p.Add(upstash.Cmd("SET", u.lock, u.ru.db.ID, "NX", "GET", "EX", redis.Itoa(seconds)), redis.TextInto(&u.held))
}

// won reports whether the refresh is this process's to make. A lock that was asked
// for twice may have been taken the first time.
func (u *refreshRun) won(attempts int) bool {
	if u.held == "" || attempts > 1 && u.held == u.ru.db.ID {
		return true
	}
	u.since = time.Time{}
	if text, ok := strings.CutPrefix(u.held, sinceMark); ok {
		if ms, err := strconv.ParseInt(text, 10, 64); err == nil {
			u.since = time.UnixMilli(ms)
		}
	}
	readLost(u, u.held)
	return false
}

// isComplete reports whether the refresh is complete.
func (u *refreshRun) isComplete() bool { return !u.since.IsZero() }

// inherit makes a refresh that is made from another board as old as that board.
func (u *refreshRun) inherit(d derivation) {
	if u.lost = d.lost; d.lost != "" {
		u.madeAt, u.since = d.since, time.Time{}
		return
	}
	u.older = !d.made // the clocks of two processes do not tell which was earlier
	if d.since.Before(u.since) {
		u.since = d.since
	}
}

// needsMark reports whether anybody asks when a board's refreshes began. Nobody does for a group's
// board of a day, since its entries are compared with the day's board, nor for boards that rank
// groups, since groups are not players.
func needsMark(b game.Board) bool { return !b.Follows() && !b.OfTeams() }

// mark queues, behind what completes the refresh, the note that it is complete. A lock that
// has run out is left so. A board that is made without a refresh has nothing to note.
func (u *refreshRun) mark(p *redis.Pipeline) {
	if u == nil || !u.isComplete() {
		return
	}
	u.isMarked = true
	p.Add(u.set(sinceMark+redis.Itoa(u.since.UnixMilli())), nil)
}

func (u *refreshRun) set(text string) upstash.Command {
	return upstash.Cmd("SET", u.lock, text, "XX", "KEEPTTL").Idempotent()
}

// markNow marks the refresh, unless it was marked with what completed it.
func (u *refreshRun) markNow(ctx context.Context) error {
	if u.isMarked {
		return nil
	}
	var p redis.Pipeline
	u.mark(&p)
	_, err := p.Run(ctx, u.ru.db.Redis)
	return err
}

// unmark takes the mark of a failed refresh back: a pipeline continues after a command
// that Redis refuses.
func (u *refreshRun) unmark(ctx context.Context) {
	if u.isMarked {
		_, _ = u.ru.db.Redis.Do(context.WithoutCancel(ctx), u.set(u.ru.db.ID)) // else Redis does not answer, and nobody reads the mark
	}
	u.since = time.Time{}
}
