package lifecycle

import (
	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/player"
	"github.com/framedle/leaderboards/internal/redis"
)

// Restore puts back what Redis has lost, and reads what it has for the archive. It
// is safe for concurrent use.
type Restore struct {
	DB      *redis.DB
	Totals  *derive.Totals
	Windows *derive.Windows
	Notices *control.Notices
	Players *player.Profiles
	Rollup  *derive.Rollup
	XP      *player.XP
	Played  *derive.PlayedGroups
	Days    *Days
}
