package rollup

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

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

// isQuiet reports whether the process may make a board without its lock: the board is small,
// and nobody else seems to look at it. Last is what the process remembers of it.
func (f ofDays) isQuiet(b game.Board, last derivation) bool {
	if !f.datesTell(b) {
		return false
	}
	players, known := f.ru.totals.Last(b.Key)
	quiet := f.ru.db.Elapsed() - last.at
	return known && players <= quietPlayers && quiet <= quietFor &&
		(last.alone > 0 || quiet >= max(quietAfter, time.Duration(players)*quietShare))
}

// makeUnlocked makes a quiet board without its lock. Other requests of the same process read
// the board as it is meanwhile.
func (u *refreshRun) makeUnlocked(ctx context.Context, b game.Board, last derivation) (derivation, error) {
	u.unlocked = true
	now := derivation{slot: u.slot, at: u.ru.db.Elapsed(), since: last.since, alone: max(0, last.alone-1)}
	if meanwhile, ok := u.ru.derived.claim(b.Key, last, now); !ok {
		return meanwhile, nil
	}
	if err := u.make(ctx, b, Index{}); err != nil {
		u.ru.derived.claim(b.Key, now, last)
		return last, err
	}
	if now.made = u.complete(); now.made {
		now.since = u.since
		u.ru.derived.noteSince(b.Key, u.since)
	}
	return now, nil
}

// isMadeAgain reports whether a board needs no expiry yet: it is one of all players, of which
// there are few, and its period lasts for another day. The next refresh on the last day or
// later, by a reader or a schedule, gives it its expiry.
func (f ofDays) isMadeAgain(b game.Board) bool {
	return b.Scope == (game.Scope{}) && b.Period.Kind() != game.Day &&
		f.ru.db.Now().Before(f.ru.db.Game.Ends(b.Period).Add(-24*time.Hour))
}

// remakes reports whether a fresh board may be made once more, without its lock, to show one
// player: nobody else seems to look at it, and one command makes it.
func (f ofDays) remakes(b game.Board, last derivation) bool {
	return last.alone > 0 && b.Mode.Aggregate != game.Last && !b.Period.Rolls() && f.isQuiet(b, last)
}

// aloneTimes is how often a process that has found a board's lock free makes the board without
// it: the more players it has, the less often.
func (f ofDays) aloneTimes(b game.Board) int {
	players, _ := f.ru.totals.Last(b.Key)
	return int(min(aloneMost, aloneLeast*quietPlayers/max(players, 1)))
}
