// Package xp keeps what players gain by playing: XP, and streaks of days.
package xp

import (
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/internal/rollup"
)

// XP keeps what players have gained by playing, and their streaks. It is safe for
// concurrent use.
type XP struct {
	db     *rdb.DB
	rollup *rollup.Rollup
}

// New makes an XP, and has the rollup make the board of XP by it.
func New(db *rdb.DB, rollup *rollup.Rollup) *XP {
	x := &XP{db: db, rollup: rollup}
	rollup.UseXP(x)
	return x
}
