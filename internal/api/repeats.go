package api

import (
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lru"
)

// rememberStandings bounds what is known, in entries of about 200 bytes.
const rememberStandings = 16_384

// freeRepeat is how often a player may repeat a play without being counted
// among all repeats: whoever sends once more what got lost is never refused for
// what others do.
const freeRepeat = time.Minute

// standing is whose entry on which day's board.
type standing struct {
	mode   string
	date   game.Date
	player string
}

// repeats tells plays that change nothing from others, as far as this process knows.
type repeats struct {
	now    func() time.Time
	stands *lru.Cache[standing, game.Score]
	free   *lru.Cache[string, time.Time] // a player's last repeat that was free
}

func newRepeats(now func() time.Time) repeats {
	return repeats{now, lru.New[standing, game.Score](rememberStandings), lru.New[string, time.Time](rememberStandings)}
}

// note keeps what stands after a play.
func (p repeats) note(sub game.Submission, stands game.Score) {
	p.stands.Add(standing{sub.Mode.Name, sub.Date, sub.Player}, stands)
}

// counts reports whether a player's submission is to be counted as a repeat: it
// cannot change the board, as far as this process knows, and it is not the
// player's one in a minute.
func (p repeats) counts(sub game.Submission) bool {
	if !p.changesNothing(sub) {
		return false
	}
	last, known := p.free.Get(sub.Player)
	if now := p.now(); !known || now.Sub(last) >= freeRepeat || now.Before(last) {
		p.free.Add(sub.Player, now)
		return false
	}
	return true
}

// changesNothing reports whether a play is known to change nothing: there is one
// where the first counts, or it is no better where the best does.
func (p repeats) changesNothing(sub game.Submission) bool {
	stands, known := p.stands.Get(standing{sub.Mode.Name, sub.Date, sub.Player})
	switch {
	case !known, slices.ContainsFunc(sub.Scopes, game.Scope.OwnEntries): // of what stands at levels nothing is known
		return false
	case sub.Mode.Policy == game.First:
		return true
	case sub.Mode.Policy == game.Best && sub.Mode.Order == game.Asc:
		return sub.Score >= stands
	}
	return sub.Mode.Policy == game.Best && sub.Score <= stands
}
