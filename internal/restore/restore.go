// Package restore puts back into Redis what it has lost, and reads from it what an
// archive lacks.
package restore

import (
	"github.com/framedle/leaderboards/internal/daily"
	"github.com/framedle/leaderboards/internal/memory"
	"github.com/framedle/leaderboards/internal/notices"
	"github.com/framedle/leaderboards/internal/played"
	"github.com/framedle/leaderboards/internal/profiles"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/internal/repair"
	"github.com/framedle/leaderboards/internal/rollup"
	"github.com/framedle/leaderboards/internal/xp"
)

// Restore puts back what Redis has lost, and reads what it has for the archive. It
// is safe for concurrent use.
type Restore struct {
	DB      *rdb.DB
	Totals  *memory.Totals
	Windows *memory.Windows
	Notices *notices.Notices
	Players *profiles.Profiles
	Rollup  *rollup.Rollup
	XP      *xp.XP
	Played  *played.Groups
	Days    *daily.Days
	Repair  *repair.Repair
}
