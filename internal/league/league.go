// Package league knows weekly leagues: who is in which cohort, how a cohort stands,
// and what became of each when its week is over.
//
// The archive says who is in which cohort and how weeks ended; Redis has a copy of this
// week's cohorts, and the week's XP, which are made again from archive and days whenever
// they are lost. A cohort is joined by who has XP of the week, and whoever looks has all
// of those join, so that a submission costs what it costs without leagues. How a week
// ended follows from its cohorts and its days' results alone, so it does not matter when
// it is settled, or how often that is tried.
//
// The package must not know HTTP, SQL or schedules.
package league

import (
	"context"
	"errors"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lru"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/internal/rollup"
	"github.com/framedle/leaderboards/internal/xp"
)

// Errors of an archive.
var (
	// ErrUnsettled says that a week before is not settled.
	ErrUnsettled = errors.New("a week of leagues before this one is not settled")
	// ErrOver says that the week is settled.
	ErrOver = errors.New("the week of leagues is settled")
)

// Archive keeps cohorts and how weeks ended.
type Archive interface {
	// Join has players be in cohorts of a week, and returns their seats; who was erased
	// since from has none. Errors: ErrUnsettled, ErrOver.
	Join(ctx context.Context, week game.Date, players []string, from time.Time) ([]game.LeagueSeat, error)
	// Next is the first week that is not settled; zero: leagues have not begun.
	Next(ctx context.Context) (game.Date, error)
	// Of lists how a player's weeks before one ended, newest first.
	Of(ctx context.Context, player string, before game.Date, limit int) ([]game.LeagueResult, error)
}

// Options are what a Leagues is made of.
type Options struct {
	DB      *rdb.DB
	Rollup  *rollup.Rollup
	XP      *xp.XP
	Archive Archive
	// Names are how players are shown, by their ids.
	Names func(ctx context.Context, players []string) (map[string]game.Profile, error)
	// Banned reports whether a player may not play, and so is not shown.
	Banned func(ctx context.Context, player string) (bool, error)
}

// Leagues are this week's leagues as one process knows them. It is safe for concurrent
// use.
type Leagues struct {
	Options
	refreshed *lru.Cache[string, refreshed]       // by key of a week's XP
	seats     *lru.Cache[seatID, game.LeagueSeat] // for good
	cohorts   *lru.Cache[cohortID, cohort]        // as they were read
	pasts     *lru.Cache[string, past]            // by player
}

// refreshed is when a week's XP was last made, or found made, and how many players had
// any, as far as this process has made it.
type refreshed struct {
	at      time.Duration
	players int64
}

type seatID struct {
	week   game.Date
	player string
}

type cohortID struct {
	week game.Date
	code int64
}

// What a process remembers.
const (
	rememberPlayers = 10_000
	rememberCohorts = 1000
)

// New makes a Leagues.
func New(o Options) *Leagues {
	l := &Leagues{Options: o}
	l.refreshed = lru.New[string, refreshed](8)
	l.seats = lru.New[seatID, game.LeagueSeat](rememberPlayers)
	l.cohorts = lru.New[cohortID, cohort](rememberCohorts)
	l.pasts = lru.New[string, past](rememberPlayers)
	return l
}

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
