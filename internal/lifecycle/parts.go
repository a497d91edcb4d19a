package lifecycle

import (
	"time"

	"github.com/framedle/leaderboards/internal/bands"
	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
	"github.com/framedle/leaderboards/internal/platform/budget"
	"github.com/framedle/leaderboards/internal/player"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Options are the settings of the parts. All fields are required except CursorKeys, Elapsed,
// Bands, Measures and Maintenance.
type Options struct {
	Redis *upstash.Client
	Game  *game.Game
	// Now is the product's clock: it decides dates, ties and expiry.
	Now func() time.Time
	// Elapsed is a clock that never goes back, for the age of what the process remembers. Nil
	// means the time since the parts were made.
	Elapsed func() time.Duration
	// CursorKeys are keys of 32 bytes, the same in all processes. The first seals cursors, and
	// each of them opens cursors. Without any, cursors are valid only in the parts that made
	// them.
	CursorKeys [][]byte
	// Bands are the databases of boards in bands, the first of them Redis; nil: only Redis.
	Bands *bands.Databases
	// Measures returns the measures of the budget in force; nil means none.
	Measures func() budget.Measures
	// Maintenance says why nothing may be written, whatever Redis says; empty: writes are
	// allowed.
	Maintenance string
	// Unfinished is called with a board that a request has no time to make. It may be nil.
	Unfinished func(game.Board)
}

// Parts are the parts that keep a game's boards in one Redis.
type Parts struct {
	DB      *redis.DB
	Totals  *derive.Totals
	Windows *derive.Windows
	Places  *derive.Places
	Notices *control.Notices
	Players *player.Profiles
	Rollup  *derive.Rollup
	XP      *player.XP
	Played  *derive.PlayedGroups
	Boards  *leaderboard.Store
	Days    *Days
	Repair  *Repair
	Restore *Restore
}

// New makes the parts.
func New(o Options) *Parts {
	db := redis.New(o.Redis, o.Game, o.Now, o.Elapsed)
	totals, windows, places := derive.NewTotals(db.Elapsed), derive.NewWindows(db.Elapsed), derive.NewPlaces()
	notices := control.New(db, o.Maintenance)
	notices.OnLoss(totals.Purge)
	notices.OnLoss(windows.Purge)
	notices.OnLoss(places.Purge)
	players := player.NewProfiles(db, windows, notices)
	rollup := derive.New(db, totals, windows, notices, o.Measures)
	rollup.Banded.KeepBands(o.Bands)
	if o.Unfinished != nil {
		rollup.Unfinished = o.Unfinished
	}
	xp := player.NewXP(db, rollup)
	played := derive.NewPlayed(db, notices, rollup)
	days := &Days{DB: db, Totals: totals, Notices: notices, Players: players, Rollup: rollup, XP: xp}
	repair := NewRepair(Repair{
		DB: db, Totals: totals, Windows: windows, Places: places, Notices: notices, Players: players,
		Rollup: rollup, XP: xp, Played: played, Days: days,
	})
	return &Parts{
		DB: db, Totals: totals, Windows: windows, Places: places, Notices: notices, Players: players, Rollup: rollup, XP: xp, Played: played,
		Boards: leaderboard.New(leaderboard.Store{
			DB: db, Totals: totals, Windows: windows, Places: places, Notices: notices, Players: players,
			Rollup: rollup, XP: xp, Played: played,
		}, o.CursorKeys),
		Days: days, Repair: repair,
		Restore: &Restore{
			DB: db, Totals: totals, Windows: windows, Notices: notices, Players: players,
			Rollup: rollup, XP: xp, Played: played, Days: days,
		},
	}
}
