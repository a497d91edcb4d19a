package rollup

import (
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lru"
	"github.com/framedle/leaderboards/internal/memory"
)

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
	// otherwise make that week anew.
	closedRefresh = time.Hour
)

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

// derivation is what a process remembers of a derived board: in which interval it last saw the
// board fresh, and when the last complete refresh that it knows of began. Everything that was
// written before that moment is on the board.
type derivation struct {
	slot  int64
	at    time.Duration
	since time.Time // zero: none is known
	waits bool      // another process was at the refresh
	alone int       // how many more times the board may be made without its lock
	made  bool      // this very call has made the board; not remembered
	lost  string    // days that the board lacks, since they expired before they were rolled up; see lost.go
}

// derivations remembers the derivation of each board that a process has seen. Concurrent
// requests change it.
type derivations struct {
	*lru.Cache[string, derivation]
	claiming sync.Mutex
}

func newDerivations() *derivations {
	return &derivations{Cache: lru.New[string, derivation](memory.RememberBoards)}
}

// claim replaces what is known of a board, unless another request has replaced it meanwhile:
// then that request makes the board, and claim returns what it has put in.
func (d *derivations) claim(board string, last, now derivation) (meanwhile derivation, ok bool) {
	d.claiming.Lock()
	defer d.claiming.Unlock()
	if meanwhile, _ = d.Get(board); meanwhile != last {
		return meanwhile, false
	}
	d.Add(board, now)
	return now, true
}

// noteSince keeps a later since of a board, which other requests may have claimed meanwhile.
func (d *derivations) noteSince(board string, since time.Time) {
	d.claiming.Lock()
	defer d.claiming.Unlock()
	if known, ok := d.Get(board); ok && since.After(known.since) {
		known.since = since
		d.Add(board, known)
	}
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

// A refresh lock saves a second refresh if others look at the same board within the interval.
// It costs two commands: one asks for the lock, one marks it when the refresh is complete. Both
// are wasted if nobody else looks, as in most games at most times. So a process that has not
// looked at a small board for a while makes it without asking for the lock. A process that has
// found the lock free does so the next few times.

const (
	// quietAfter is how long a process must not have looked at a board for it to be quiet.
	// Fifty processes then make it once in 0.6 s at the most.
	quietAfter = 30 * time.Second
	// quietFor is how long a process relies on what it knows of a board's size.
	quietFor = 15 * time.Minute
	// quietPlayers bounds a quiet board. Uniting seven days of it holds Redis up for some 45
	// ms.
	quietPlayers = 20_000
	// quietShare is how much longer a board must be quiet for each player, so that a process
	// spends no more than some thousandth of the time on making it.
	quietShare = 3 * time.Millisecond
	// aloneMost is how often a process makes a board without its lock after it has found the
	// lock free; to show a player's own standing it does so within the interval too.
	// aloneLeast is how often it does so with the largest quiet board. In each interval at
	// most one process finds the lock free, and it asks for the lock again after that: so a
	// board of 10,000 players is made at most 15 times in an interval, one of 20,000 8 times,
	// which is 4 to 8 % of the time.
	aloneMost, aloneLeast = 15, 7
)

// isQuiet reports whether the process may make the board without its lock: the board is small,
// and nobody else seems to look at it.
func (u *refreshRun) isQuiet(last derivation) bool {
	if !u.ru.Calendar.datesTell(u.board) {
		return false
	}
	players, known := u.ru.totals.Last(u.board.Key)
	quiet := u.ru.db.Elapsed() - last.at
	return known && players <= quietPlayers && quiet <= quietFor &&
		(last.alone > 0 || quiet >= max(quietAfter, time.Duration(players)*quietShare))
}

// remakes reports whether a fresh board may be made once more, without its lock, to show one
// player: nobody else seems to look at it, and one command makes it.
func (u *refreshRun) remakes(last derivation) bool {
	return last.alone > 0 && u.board.Mode.Aggregate != game.Last && !u.board.Period.Rolls() && u.isQuiet(last)
}

// aloneTimes is how often a process that has found the board's lock free makes the board
// without it: the more players it has, the less often.
func (u *refreshRun) aloneTimes() int {
	players, _ := u.ru.totals.Last(u.board.Key)
	return int(min(aloneMost, aloneLeast*quietPlayers/max(players, 1)))
}
