// Package league implements weekly leagues: which players are in which cohort, the standings of
// a cohort, and how each player's week ended.
//
// The archive decides cohorts and keeps how weeks ended. Redis has a copy of this week's
// cohorts, and the week's XP; if they are lost, they are made again from the archive and the
// days. A submission does nothing for leagues, so that it costs no more with them: a look at a
// league lets all players with XP in the week join a cohort. How a week ended follows only
// from its cohorts and the results of its days, so it does not matter when or how often a run
// tries to settle it.
//
// The package does not know HTTP, SQL or schedules.
package league

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lru"
	"github.com/framedle/leaderboards/internal/player"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Archive keeps cohorts, and how weeks ended.
type Archive interface {
	Adopter
	// Join gives the players seats in cohorts of a week and returns the seats; a player erased
	// since from gets none. Errors: game.ErrLeagueUnsettled, game.ErrLeagueOver.
	Join(ctx context.Context, week game.Date, players []string, from time.Time) ([]Seat, error)
	// Of lists how a player's weeks before a date ended, newest first.
	Of(ctx context.Context, player string, before game.Date, limit int) ([]Result, error)
}

// Options are what a Leagues is made of.
type Options struct {
	DB      *redis.DB
	Rollup  *derive.Rollup
	XP      *player.XP
	Archive Archive
	// Names returns the profiles of players, by id.
	Names func(ctx context.Context, players []string) (map[string]game.Profile, error)
	// Banned reports whether a player is banned; boards do not show banned players.
	Banned func(ctx context.Context, player string) (bool, error)
}

// Leagues are this week's leagues. It remembers for some time what it has read, and is safe
// for concurrent use.
type Leagues struct {
	Options
	refreshed *lru.Cache[string, refreshed] // by key of the week's XP
	seats     *lru.Cache[seatID, Seat]      // a seat never changes
	cohorts   *lru.Cache[cohortID, cohort]  // as they were read
	pasts     *lru.Cache[string, pastWeeks] // by player
	forgotten atomic.Uint64                 // how often Forget was called
}

// refreshed is when this process last made the week's XP, or found that another had, and the
// number of players with XP when this process last made it.
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

// How much a process remembers.
const (
	rememberPlayers = 10_000
	rememberCohorts = 1000
)

// New makes a Leagues.
func New(o Options) *Leagues {
	l := &Leagues{Options: o}
	l.refreshed = lru.New[string, refreshed](8)
	l.seats = lru.New[seatID, Seat](rememberPlayers)
	l.cohorts = lru.New[cohortID, cohort](rememberCohorts)
	l.pasts = lru.New[string, pastWeeks](rememberPlayers)
	return l
}

// Forget forgets the cohorts that show a player, and what is known of the player. It is called
// after the player was banned or erased, or lost a score: others must not be shown the player
// any more. It also keeps cohorts from being remembered that are just being read.
func (l *Leagues) Forget(player string) {
	l.forgotten.Add(1)
	for _, id := range l.cohorts.Keys() {
		if c, _ := l.cohorts.Peek(id); c.has(player) {
			l.cohorts.Remove(id)
		}
	}
	for _, id := range l.seats.Keys() {
		if id.player == player {
			l.seats.Remove(id)
		}
	}
	l.pasts.Remove(player)
}

// State is the state of a week for one player.
type State string

// The states of a week.
const (
	Playing  State = "playing"  // the player is in a cohort
	Idle     State = "idle"     // the player has no XP of the week so far
	Settling State = "settling" // an earlier week is not settled yet; cohorts begin when it is
)

// PlayerLeague is a player's league of this week.
type PlayerLeague struct {
	Week    game.Period
	Ends    time.Time // end of the week's last day
	State   State
	Tier    int       // from 0
	Cohort  *Seat     // the player's; nil: the player has no cohort
	Entries []Entry   // of the cohort, by place
	Results []Result  // of earlier weeks, newest first, at most MostResults
	Updated time.Time // when the XP was read
}

// Entry is a place in a cohort, with the player's profile.
type Entry struct {
	Standing
	Profile game.Profile
}

// MostResults is how many earlier weeks an answer has.
const MostResults = 20

// Records are what Redis has of leagues.
type Records struct{ DB *redis.DB }

// Erase deletes a player from what Redis has of the week and, in its first hours, of the week
// before.
//
// Cost: 2 billed commands, 4 while Redis has the week before; none in a game without leagues.
func (r Records) Erase(ctx context.Context, player string) error {
	db := r.DB
	if RulesOf(db.Game) == nil {
		return nil
	}
	today := game.DateOf(db.Now())
	var p redis.Pipeline
	for week := game.Week.Of(today); db.Now().Before(expires(db.Game, week)); week, _ = week.Previous() {
		p.Add(upstash.Cmd("ZREM", Key(week.First()), player).Idempotent(), nil)
		p.Add(upstash.Cmd("ZREM", XPKey(week.First()), player).Idempotent(), nil)
	}
	_, err := p.Run(ctx, db.Redis)
	return redis.Wrap("erase a player's league", err)
}
