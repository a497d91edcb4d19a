// Package dayclose closes days: it reads each day whole, hands it to the archive, takes it into
// XP and streaks, and reports what is wrong with a day's keys. Package derive makes other
// boards of days.
//
// It is the part of a closing that needs Redis alone: removals and restores use it too, in
// functions that link no database. Package closing has the schedules, and brings in the
// archive.
package dayclose

import (
	"github.com/framedle/leaderboards/internal/boardcache"
	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/player"
	"github.com/framedle/leaderboards/internal/redis"
)

// Days reads days whole and closes them. It is safe for concurrent use.
type Days struct {
	DB      *redis.DB
	Totals  *boardcache.Totals
	Notices *control.Notices
	Players *player.Profiles
	Rollup  *derive.Rollup
	XP      *player.XP
}
