// Package daily closes days: it reads each day whole, hands it to the archive, takes it into
// XP and streaks, and reports what is wrong with a day's keys. Package rollup makes other
// boards of days.
//
// It is the part of a closing that needs Redis alone: removals and restores use it too, in
// functions that link no database. Package closing has the schedules, and brings in the
// archive.
package daily

import (
	"github.com/framedle/leaderboards/internal/memory"
	"github.com/framedle/leaderboards/internal/notices"
	"github.com/framedle/leaderboards/internal/profiles"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/internal/rollup"
	"github.com/framedle/leaderboards/internal/xp"
)

// Days reads days whole and closes them. It is safe for concurrent use.
type Days struct {
	DB      *rdb.DB
	Totals  *memory.Totals
	Notices *notices.Notices
	Players *profiles.Profiles
	Rollup  *rollup.Rollup
	XP      *xp.XP
}
