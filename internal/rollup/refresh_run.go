package rollup

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// refreshRun is one refresh of a derived board. Its lock is held for the interval, and says which
// process is at the refresh or, once the refresh is complete, when it began.
type refreshRun struct {
	ru       *Rollup
	lock     string
	seconds  int64 // that the lock lives
	slot     int64
	since    time.Time // when the refresh began; zero: not known
	stands   string    // what the lock said; empty: nothing
	older    bool      // it is made from a board that another call has made
	unlocked bool      // it is made without the lock, so nobody else learns of it
	isMarked bool
}

// sinceMark begins the text in the lock of a complete refresh; the moment at which the refresh
// began comes next, in Unix milliseconds.
const sinceMark = "since:"

func newRefreshRun(ru *Rollup, b game.Board, slot int64, interval time.Duration) *refreshRun {
	return &refreshRun{
		ru: ru, lock: game.RefreshKey(b.Key, slot), slot: slot,
		seconds: int64((interval + time.Second - 1) / time.Second),
		since:   ru.db.Now().Truncate(time.Millisecond),
	}
}

// take queues the taking of the lock, unless another process has it.
func (u *refreshRun) take(p *rdb.Pipeline) {
	p.Add(upstash.Cmd("SET", u.lock, u.ru.db.ID, "NX", "GET", "EX", rdb.Itoa(u.seconds)), rdb.TextInto(&u.stands))
}

// won reports whether the refresh is this process's to make. A lock that was asked
// for twice may have been taken the first time.
func (u *refreshRun) won(attempts int) bool {
	if u.stands == "" || attempts > 1 && u.stands == u.ru.db.ID {
		return true
	}
	u.since = time.Time{}
	if text, ok := strings.CutPrefix(u.stands, sinceMark); ok {
		if ms, err := strconv.ParseInt(text, 10, 64); err == nil {
			u.since = time.UnixMilli(ms)
		}
	}
	return false
}

// complete reports whether the refresh is complete.
func (u *refreshRun) complete() bool { return !u.since.IsZero() }

// from makes a refresh that is made from another board as old as that board.
func (u *refreshRun) from(d derivation) {
	u.older = !d.made // the clocks of two processes do not tell which was earlier
	if d.since.Before(u.since) {
		u.since = d.since
	}
}

// mark queues, behind what completes the refresh, the note that it is complete. A lock that
// has run out is left so.
func (u *refreshRun) mark(p *rdb.Pipeline) {
	if u == nil || u.unlocked || !u.complete() {
		return
	}
	u.isMarked = true
	p.Add(u.set(sinceMark+rdb.Itoa(u.since.UnixMilli())), nil)
}

func (u *refreshRun) set(text string) upstash.Command {
	return upstash.Cmd("SET", u.lock, text, "XX", "KEEPTTL").Idempotent()
}

// markNow marks the refresh, unless it was marked with what completed it.
func (u *refreshRun) markNow(ctx context.Context) error {
	if u.isMarked || u.unlocked || !u.complete() {
		return nil
	}
	var p rdb.Pipeline
	u.mark(&p)
	_, err := p.Run(ctx, u.ru.db.Redis)
	return err
}

// unmark takes the mark of a failed refresh back: a pipeline goes on after a command that
// Redis refuses.
func (u *refreshRun) unmark(ctx context.Context) {
	if u.isMarked {
		_, _ = u.ru.db.Redis.Do(context.WithoutCancel(ctx), u.set(u.ru.db.ID)) // else Redis does not answer, and nobody reads the mark
	}
	u.since = time.Time{}
}
