// Package player keeps what is known of players beside their scores: how they are shown (names,
// pictures, countries, who is hidden), and what they gain by playing (XP, and streaks of days).
package player

import (
	"slices"

	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
)

// rememberProfiles is how many profiles a process remembers at most: some 40 MB.
const rememberProfiles = 1 << 17

// Profiles keeps how players are shown: what credentials and authorities, such as Clerk, say of
// them, and what they have set themselves. It is safe for concurrent use.
type Profiles struct {
	db            *redis.DB
	windows       *derive.Windows
	Directory     *Directory
	RankCountries bool // some mode ranks by country or region
}

func NewProfiles(db *redis.DB, w *derive.Windows, notices *control.Notices) *Profiles {
	ps := &Profiles{
		db: db, windows: w, Directory: newDirectory(db),
		RankCountries: slices.ContainsFunc(db.Game.Modes, game.RanksByCountry),
	}
	notices.OnLoss(ps.Directory.purge)
	return ps
}
