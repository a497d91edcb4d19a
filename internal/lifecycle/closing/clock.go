package closing

import (
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// clock says, by the present time, which of a game's days and periods are over, and which may
// still be in Redis.
type clock struct {
	game *game.Game
	now  func() time.Time
}

func (c *Closing) clock() clock { return clock{c.Game, c.Now} }

func (k clock) today() game.Date { return k.game.Today(k.now()) }

func (k clock) closed(p game.Period) bool { return k.game.Closed(p, k.now()) }

// lives reports whether a period's board may still be in Redis.
func (k clock) lives(p game.Period) bool { return k.game.Lifecycle(p, k.now()) < game.Expired }

// outlived reports whether the board of a month or season of a day may still be in Redis.
func (k clock) outlived(d game.Date) bool {
	return slices.ContainsFunc(k.game.OutlivingOf(d), func(p game.Period) bool { return p.Kind() != game.AllTime && k.lives(p) })
}

// oldest returns the first day whose board may still be in Redis; earlier days have been
// rolled up.
func (k clock) oldest() game.Date {
	d := k.today().AddDays(1)
	for k.lives(game.Day.Of(d.AddDays(-1))) && d.After(beginning) {
		d = d.AddDays(-1)
	}
	return d
}
