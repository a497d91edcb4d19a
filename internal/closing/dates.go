package closing

import "github.com/framedle/leaderboards/internal/game"

// The archive begins where the calendar does, for all that matters here.
var beginning = game.NewDate(1, 1, 1)

// oldest is the first day whose board can still be in Redis; what is before it
// has been rolled up.
func (c *Closing) oldest() game.Date {
	d := c.Game.Today(c.Now()).AddDays(1)
	for c.Store.DB.Alive(d.AddDays(-1)) && d.After(beginning) {
		d = d.AddDays(-1)
	}
	return d
}

// lives reports whether a period's board can still be in Redis.
func (c *Closing) lives(p game.Period) bool {
	end, ok := c.Game.Expires(p)
	return !ok || c.Now().Before(end)
}
