// Package restore puts back into Redis what it has lost, and reads from Redis what an archive
// lacks. Its callers read and write the archive. It writes days, rolled-up boards, XP,
// streaks, profiles, bans and claims to Redis. If players have played a day since the loss, it
// merges the day with theirs, so that no play is lost and none counts twice.
package restore

import (
	"github.com/framedle/leaderboards/internal/boardcache"
	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/lifecycle/dayclose"
	"github.com/framedle/leaderboards/internal/player"
	"github.com/framedle/leaderboards/internal/redis"
)

// Restore puts back what Redis has lost, and reads what it has for the archive. It
// is safe for concurrent use.
type Restore struct {
	DB      *redis.DB
	Totals  *boardcache.Totals
	Windows *boardcache.Windows
	Notices *control.Notices
	Players *player.Profiles
	Rollup  *derive.Rollup
	XP      *player.XP
	Played  *derive.PlayedGroups
	Days    *dayclose.Days
}
