// Package restore puts back into Redis what it has lost, and reads from Redis what an archive
// lacks. Its callers read and write the archive. It writes days, rolled-up boards, XP,
// streaks, profiles, bans and claims to Redis. If players have played a day since the loss, it
// merges the day with theirs, so that no play is lost and none counts twice.
package restore

import (
	"github.com/framedle/leaderboards/internal/daily"
	"github.com/framedle/leaderboards/internal/memory"
	"github.com/framedle/leaderboards/internal/notices"
	"github.com/framedle/leaderboards/internal/played"
	"github.com/framedle/leaderboards/internal/profiles"
	"github.com/framedle/leaderboards/internal/rdb"
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
}
