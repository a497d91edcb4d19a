package lifecycle

import (
	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/player"
	"github.com/framedle/leaderboards/internal/redis"
)

// Days reads days whole and closes them. It is safe for concurrent use.
type Days struct {
	DB      *redis.DB
	Totals  *derive.Totals
	Notices *control.Notices
	Players *player.Profiles
	Rollup  *derive.Rollup
	XP      *player.XP
}
