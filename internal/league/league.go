// Package league knows weekly leagues: who is in which cohort, how a cohort stands,
// and what became of each when its week is over.
//
// The archive says who is in which cohort and which tiers follow from weeks; Redis has
// a copy of this week's cohorts, and the week's XP, which are made again from days and
// archive whenever they are lost. A cohort is joined by who has XP of the week, and
// whoever looks has all of those join: submissions know nothing of leagues.
//
// The package must not know HTTP, SQL or schedules.
package league

import (
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// State is what a week is for a player.
type State string

// The states of a week.
const (
	Playing  State = "playing"  // the player is in a cohort
	Idle     State = "idle"     // has no XP of the week so far
	Settling State = "settling" // the weeks before are not settled yet: cohorts begin when they are
)

// Own is a player's league.
type Own struct {
	Week    game.Period
	Ends    time.Time // when the week's last day is over
	State   State
	Tier    int                 // from 0
	Cohort  *game.LeagueSeat    // the player's; nil where the player is in none
	Entries []Entry             // of the cohort, by place
	Results []game.LeagueResult // of weeks that are over, newest first, at most MostResults
	Updated time.Time           // when the XP was read
}

// Entry is a place of a cohort, as others see the player.
type Entry struct {
	game.LeagueStanding
	Profile game.Profile
}

// MostResults is how many weeks that are over are told.
const MostResults = 20
