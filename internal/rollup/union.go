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

// union is one refresh of a derived board. Its lock is held for the interval it is
// for, and says which process is at it or, once it is complete, since when it was.
type union struct {
	ru       *Rollup
	lock     string
	seconds  int64 // that the lock lives
	slot     int64
	since    time.Time // zero: not known
	stands   string    // what the lock said; empty: nothing
	older    bool      // it is made of what another call has made
	unlocked bool      // nobody else is told of it
	isMarked bool
}

// sinceMark stands in the lock of a refresh that is complete, before since when it
// was under way in Unix milliseconds.
const sinceMark = "since:"

func newUnion(ru *Rollup, b game.Board, slot int64, interval time.Duration) *union {
	return &union{
		ru: ru, lock: game.RefreshKey(b.Key, slot), slot: slot,
		seconds: int64((interval + time.Second - 1) / time.Second),
		since:   ru.db.Now().Truncate(time.Millisecond),
	}
}

// take queues that the refresh be this process's, unless it is another's already.
func (u *union) take(p *rdb.Pipeline) {
	p.Add(upstash.Cmd("SET", u.lock, u.ru.db.ID, "NX", "GET", "EX", rdb.Itoa(u.seconds)), rdb.TextInto(&u.stands))
}

// won reports whether the refresh is this process's to make. A lock that was asked
// for twice may have been taken the first time.
func (u *union) won(attempts int) bool {
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

// known reports whether the refresh is complete.
func (u *union) known() bool { return !u.since.IsZero() }

// from has a refresh that is made of another board be as old as that one's.
func (u *union) from(d derivation) {
	u.older = !d.made // the clocks of two processes do not tell which was earlier
	if d.since.Before(u.since) {
		u.since = d.since
	}
}

// mark queues, behind what completes the refresh, that it is complete. A lock that
// has run out is left.
func (u *union) mark(p *rdb.Pipeline) {
	if u == nil || u.unlocked || !u.known() {
		return
	}
	u.isMarked = true
	p.Add(u.set(sinceMark+rdb.Itoa(u.since.UnixMilli())), nil)
}

func (u *union) set(text string) upstash.Command {
	return upstash.Cmd("SET", u.lock, text, "XX", "KEEPTTL").Idempotent()
}

// markNow marks the refresh, unless that went along with it.
func (u *union) markNow(ctx context.Context) error {
	if u.isMarked || u.unlocked || !u.known() {
		return nil
	}
	var p rdb.Pipeline
	u.mark(&p)
	_, err := p.Run(ctx, u.ru.db.Redis)
	return err
}

// unmark takes back what was said of a refresh that has failed: a pipeline goes on
// behind a command that Redis refuses.
func (u *union) unmark(ctx context.Context) {
	if u.isMarked {
		_, _ = u.ru.db.Redis.Do(context.WithoutCancel(ctx), u.set(u.ru.db.ID)) // else Redis is not there to believe
	}
	u.since = time.Time{}
}
