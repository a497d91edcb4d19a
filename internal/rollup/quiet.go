package rollup

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// A refresh lock saves a second refresh where others look at the same board within
// the interval. It is asked for, and marked when the refresh is complete: two commands
// that are wasted where nobody else looks, as in most games at most times. So a
// process that has not looked at a small board for a while makes it, and asks nobody; and
// so does one that has found the lock free, for the next times.

const (
	// quietAfter is for how long a process must not have looked at a board for that to
	// be quiet. Fifty processes make one in 0.6 s at the most in its place.
	quietAfter = 30 * time.Second
	// quietFor is for how long what a process knows of a board's size holds.
	quietFor = 15 * time.Minute
	// quietPlayers bounds a quiet board. Seven days of it hold Redis up for some 45 ms.
	quietPlayers = 20_000
	// quietShare is how much longer a board must be quiet for each player, so that a
	// process makes it for no more than some thousandth of the time.
	quietShare = 3 * time.Millisecond
	// aloneMost is how often a process makes a board without its lock that it has found
	// free, for own standings also within the interval, and aloneLeast how often the
	// largest quiet one. In each interval one at the most finds it so, and asks for it
	// again after that: a board of 10,000 players is made 15 times in an interval at the
	// most, one of 20,000 8 times, which is 4 to 8 % of the time.
	aloneMost, aloneLeast = 15, 7
)

// isQuiet reports whether the process may make a board without its lock, which it saw
// last as given: it is small, and nobody else seems to look at it.
func (f ofDays) isQuiet(b game.Board, last derivation) bool {
	if !f.datesTell(b) {
		return false
	}
	players, known := f.ru.totals.Last(b.Key)
	quiet := f.ru.db.Elapsed() - last.at
	return known && players <= quietPlayers && quiet <= quietFor &&
		(last.alone > 0 || quiet >= max(quietAfter, time.Duration(players)*quietShare))
}

// makeUnlocked makes a board that is known to be quiet. Who looks at it meanwhile in
// the same process goes by what is there.
func (u *union) makeUnlocked(ctx context.Context, b game.Board, last derivation) (derivation, error) {
	u.unlocked = true
	now := derivation{slot: u.slot, at: u.ru.db.Elapsed(), since: last.since, alone: max(0, last.alone-1)}
	if meanwhile, ok := u.ru.derived.claim(b.Key, last, now); !ok {
		return meanwhile, nil
	}
	if err := u.make(ctx, b, Index{}); err != nil {
		u.ru.derived.claim(b.Key, now, last)
		return last, err
	}
	if now.made = u.known(); now.made {
		now.since = u.since
		u.ru.derived.noteSince(b.Key, u.since)
	}
	return now, nil
}

// isMadeAgain reports whether a board needs no expiry yet: it is one of all players,
// of which there are few, whose period lasts for another day. Who makes it in the last
// one, or when it is over, as the schedules do, gives it its end.
func (f ofDays) isMadeAgain(b game.Board) bool {
	return b.Scope == (game.Scope{}) && b.Period.Kind() != game.Day &&
		f.ru.db.Now().Before(f.ru.db.Game.Ends(b.Period).Add(-24*time.Hour))
}

// remakes reports whether a fresh board may be made once more, without its lock, for what
// is shown of one player: nobody else seems to look at it, and one command makes it.
func (f ofDays) remakes(b game.Board, last derivation) bool {
	return last.alone > 0 && b.Mode.Aggregate != game.Last && !b.Period.Rolls() && f.isQuiet(b, last)
}

// aloneTimes is how often a board is made without its lock by who has found it free: the
// more players it has, the less often.
func (f ofDays) aloneTimes(b game.Board) int {
	players, _ := f.ru.totals.Last(b.Key)
	return int(min(aloneMost, aloneLeast*quietPlayers/max(players, 1)))
}
