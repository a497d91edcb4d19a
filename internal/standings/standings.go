// Package standings makes the parts that keep a game's boards in one Redis, from the
// ground up. Its tests hold all of them together, as an application uses them.
package standings

import (
	"time"

	"github.com/framedle/leaderboards/internal/activity"
	"github.com/framedle/leaderboards/internal/bands"
	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/budget"
	"github.com/framedle/leaderboards/internal/daily"
	"github.com/framedle/leaderboards/internal/export"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/memory"
	"github.com/framedle/leaderboards/internal/notices"
	"github.com/framedle/leaderboards/internal/played"
	"github.com/framedle/leaderboards/internal/profiles"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/internal/refill"
	"github.com/framedle/leaderboards/internal/repair"
	"github.com/framedle/leaderboards/internal/rollup"
	"github.com/framedle/leaderboards/internal/wallet"
	"github.com/framedle/leaderboards/internal/xp"
	"github.com/framedle/leaderboards/upstash"
)

// Options are what a Store is made of. All fields are required but CursorKeys,
// Elapsed, Bands, Measures, Later and Maintenance.
type Options struct {
	Redis *upstash.Client
	Game  *game.Game
	// Now is the product's clock: it decides dates, ties and expiry.
	Now func() time.Time
	// Elapsed is a clock that only ever moves forward, for the age of what the
	// process remembers. Nil means the time since the Store was made.
	Elapsed func() time.Duration
	// CursorKeys seal cursors, the first of them, and open them, each: 32 bytes,
	// the same in all processes. Without one the cursors of a Store are good for
	// that Store alone.
	CursorKeys [][]byte
	// Bands are the databases that boards in bands lie in, the first of them Redis;
	// nil: Redis alone.
	Bands *bands.Databases
	// SparesBytes is for a plan on which bytes are few and commands are not: see rdb.DB.
	SparesBytes bool
	// Measures are those of the budget that are in force; nil means none.
	Measures func() budget.Measures
	// Later has something done in a while, in processes that live on; nil: never.
	Later func(time.Duration, func())
	// Maintenance is why nothing may be written, whatever Redis says; empty: it may.
	Maintenance string
	// Unfinished is told of a board that a request has no time to make; nil: nobody is.
	Unfinished func(game.Board)
}

// Parts are what keeps a game's standings in one Redis.
type Parts struct {
	DB       *rdb.DB
	Notices  *notices.Notices
	Players  *profiles.Profiles
	Rollup   *rollup.Rollup
	XP       *xp.XP
	Played   *played.Groups
	Boards   *board.Store
	Days     *daily.Days
	Repair   *repair.Repair
	Refill   *refill.Refill
	Export   *export.Export
	Wallets  *wallet.Wallets
	Activity *activity.Activity // nil: the game has none
}

// New makes the parts, from the ground up.
func New(o Options) *Parts {
	db := rdb.New(o.Redis, o.Game, o.Now, o.Elapsed)
	db.SparesBytes = o.SparesBytes
	totals, windows, places := memory.NewTotals(db.Elapsed), memory.NewWindows(db.Elapsed), memory.NewPlaces()
	notices := notices.New(db, o.Later, o.Maintenance)
	totals.Noted = notices.Begun.Large
	notices.OnLoss(totals.Purge)
	notices.OnLoss(windows.Purge)
	notices.OnLoss(places.Purge)
	players := profiles.New(db, windows, notices)
	rollup := rollup.New(db, totals, windows, places, notices, o.Measures)
	rollup.Banded.KeepBands(o.Bands)
	if o.Unfinished != nil {
		rollup.Unfinished = o.Unfinished
	}
	xp := xp.New(db, rollup)
	played := played.New(db, notices, rollup)
	days := &daily.Days{DB: db, Totals: totals, Notices: notices, Players: players, Rollup: rollup, XP: xp}
	repair := repair.New(repair.Repair{
		DB: db, Totals: totals, Windows: windows, Places: places, Notices: notices, Players: players,
		Rollup: rollup, XP: xp, Played: played, Days: days,
	})
	return &Parts{
		DB: db, Notices: notices, Players: players, Rollup: rollup, XP: xp, Played: played,
		Boards: board.New(board.Store{
			DB: db, Totals: totals, Windows: windows, Places: places, Notices: notices, Players: players,
			Rollup: rollup, XP: xp, Played: played,
		}, o.CursorKeys),
		Days: days, Repair: repair,
		Refill: &refill.Refill{
			DB: db, Totals: totals, Windows: windows, Notices: notices, Players: players,
			Rollup: rollup, XP: xp, Played: played, Days: days, Repair: repair,
		},
		Export:  &export.Export{DB: db, Rollup: rollup, Played: played, Repair: repair},
		Wallets: wallet.New(db),
		Activity: activity.New(activity.Activity{
			DB: db, Totals: totals, Windows: windows, Places: places, Notices: notices, Rollup: rollup, Played: played,
		}),
	}
}
