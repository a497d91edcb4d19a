package api

import (
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lru"
)

// rememberStandings bounds what repeats remembers: entries of about 200 bytes.
const rememberStandings = 16_384

// freeRepeat is how often a player may repeat a play without counting against the limit that
// all repeats share: a player who resends a lost request is not refused because of others.
const freeRepeat = time.Minute

// standing identifies a player's entry on the board of a mode and day.
type standing struct {
	mode   string
	date   game.Date
	player string
}

// repeats finds the plays that change nothing, as far as this process knows.
type repeats struct {
	now    func() time.Time
	stands *lru.Cache[standing, game.Score]
	free   *lru.Cache[string, time.Time] // when a player's last free repeat was
}

func newRepeats(now func() time.Time) repeats {
	return repeats{now, lru.New[standing, game.Score](rememberStandings), lru.New[string, time.Time](rememberStandings)}
}

// note remembers the score that stands after a play.
func (p repeats) note(sub game.Submission, stands game.Score) {
	p.stands.Add(standing{sub.Mode.Name, sub.Date, sub.Player}, stands)
}

// counts reports whether a player's submission counts as a repeat: as far as this process
// knows it cannot change the board, and the player's free repeat of the minute is used up.
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

// changesNothing reports whether a play is known to change nothing: the player has an entry
// and the policy is first, or the policy is best and the score is no better than the entry's.
func (p repeats) changesNothing(sub game.Submission) bool {
	stands, known := p.stands.Get(standing{sub.Mode.Name, sub.Date, sub.Player})
	switch {
	case !known, slices.ContainsFunc(sub.Scopes, game.Scope.OwnEntries): // what stands on boards of levels is not remembered
		return false
	case sub.Mode.Policy == game.First:
		return true
	case sub.Mode.Policy == game.Best && sub.Mode.Order == game.Asc:
		return sub.Score >= stands
	}
	return sub.Mode.Policy == game.Best && sub.Score <= stands
}
