// Package derive makes the boards that are derived from day boards: weeks, months, seasons and
// all time, countries and teams. It also rolls sealed days up into the boards that outlive
// them. Its calendar says which days there are and how far each has come. It also keeps in which
// groups players have played, and what a process remembers of boards.
//
// A reader of a board calls [Rollup.Refresh], or [Rollup.OwnEntry] to show one player, and needs to
// know no more of it.
package derive

import (
	"context"

	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lru"
	"github.com/framedle/leaderboards/internal/platform/budget"
	"github.com/framedle/leaderboards/internal/redis"
)

// Rollup makes the boards that are derived from others: weeks, months, seasons and all time
// from days, those of countries and teams, and what outlives the days. It is safe for
// concurrent use.
type Rollup struct {
	Calendar *Calendar
	Banded   Banded

	db      *redis.DB
	totals  *Totals
	windows *Windows

	Measures func() budget.Measures
	// UniteUpTo is the most players of a board that is read as the union of its days; 0: no
	// board is.
	UniteUpTo int64
	// Unfinished is called with a board that a request has no time to make. It is set while
	// the parts of a process are made, before any is used.
	Unfinished func(game.Board)

	derived   *lru.Cache[string, derivation] // derived boards seen fresh
	owns      *lru.Cache[EntryID, verified]  // own entries that were found right
	xp        XP
	archived  func(ctx context.Context, day game.Board, players []string) ([]game.Entry, error) // see UseArchive; nil: there is no archive
	residents *lru.Cache[string, int64]                                                         // by country, how many players ever came from it
}

// New makes a Rollup. Measures are those of the budget that are in
// force; nil means none.
func New(db *redis.DB, t *Totals, w *Windows, notices *control.Notices, measures func() budget.Measures) *Rollup {
	if measures == nil {
		measures = func() budget.Measures { return budget.Measures{} }
	}
	ru := &Rollup{
		Calendar: &Calendar{db: db},
		db:       db, totals: t, windows: w, Measures: measures, UniteUpTo: SmallWeek,
		Unfinished: func(game.Board) {},
		derived:    lru.New[string, derivation](RememberBoards),
		owns:       lru.New[EntryID, verified](RememberPlayers), residents: lru.New[string, int64](rememberResidents),
	}
	ru.Banded.ru = ru
	notices.OnLoss(ru.derived.Purge)
	notices.OnLoss(ru.owns.Purge)
	notices.OnLoss(ru.residents.Purge)
	notices.OnLoss(func() { ru.Calendar.listed.Store(nil) })
	return ru
}

// XP makes the board of XP.
type XP interface {
	DeriveXP(context.Context, game.Board) error
	// OwnXP works out one player's XP, given the entries that were read already, by board.
	OwnXP(ctx context.Context, player string, read map[string]redis.Place) (redis.Place, error)
}

// UseXP sets what makes the board of XP. It is called while the parts of a process are made,
// before any is used.
func (ru *Rollup) UseXP(xp XP) { ru.xp = xp }
