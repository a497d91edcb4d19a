package closing

import (
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// clock is a game at the time that it is: which of its days and periods are over, and
// which can still be in Redis.
type clock struct {
	game *game.Game
	now  func() time.Time
}

func (c *Closing) clock() clock { return clock{c.Game, c.Now} }

func (k clock) today() game.Date { return k.game.Today(k.now()) }

func (k clock) closed(p game.Period) bool { return k.game.Closed(p, k.now()) }

// lives reports whether a period's board can still be in Redis.
func (k clock) lives(p game.Period) bool { return k.game.Lifecycle(p, k.now()) < game.Expired }

// oldest is the first day whose board can still be in Redis; what is before it
// has been rolled up.
func (k clock) oldest() game.Date {
	d := k.today().AddDays(1)
	for k.lives(game.Day.Of(d.AddDays(-1))) && d.After(beginning) {
		d = d.AddDays(-1)
	}
	return d
}
