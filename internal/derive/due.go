package derive

import (
	"time"

	"github.com/framedle/leaderboards/internal/game"
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
