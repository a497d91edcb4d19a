package rollup

import (
	"context"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/notices"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// Calendar says which days there are and how far each has come: whether it takes
// scores, has closed, is sealed, has been rolled up. It is safe for concurrent use.
type Calendar struct {
	db      *rdb.DB
	notices *notices.Notices
}

// A day board lives some days longer than its day. For most of that time
// derived boards are made from it again and again, so that late scores and
// removals reach them by themselves. Once it is sealed it takes no more writes, and
// is rolled up into what outlives it.

// Writable reports whether a day's board may still change.
func (c *Calendar) Writable(d game.Date) bool { return c.db.Age(game.Day.Of(d)) < game.Sealed }

// Begins reports whether any process may have taken a score of a date.
func (c *Calendar) Begins(d game.Date) bool {
	return !c.db.Now().Add(ClockSkew).Before(c.db.Game.Opens(d))
}

// InFlight is how long a write may be under way: one that was decided on this
// long before a day closed may reach Redis after the closing has read the day.
const InFlight = 30 * time.Second

// due reports whether an index has a day to roll up, or to take off.
func (c *Calendar) due(days Index) bool {
	return c.sealed(days) || slices.ContainsFunc(days.Dates, func(d game.Date) bool { return days.RolledUp[d] && c.spent(d) })
}

// sealed reports whether an index has a day to roll up.
func (c *Calendar) sealed(days Index) bool {
	return slices.ContainsFunc(days.Dates, func(d game.Date) bool { return !days.RolledUp[d] && !c.Writable(d) })
}

// spent reports whether neither the month nor the season of a rolled-up day needs it any more.
func (c *Calendar) spent(d game.Date) bool {
	for _, p := range c.db.Game.OutlivingOf(d) {
		if p.Kind() != game.AllTime && c.db.Age(p) < game.Expired {
			return false
		}
	}
	return true
}

// Indexes reads the indexes of a mode and of all its scopes.
func (c *Calendar) Indexes(ctx context.Context, m *game.Mode) (*Index, map[game.Scope]*Index, error) {
	var global Index
	scoped := map[game.Scope]*Index{}
	var p rdb.Pipeline
	p.Add(upstash.Cmd("HGETALL", game.DaysKey(m.Name)), DaysInto(&global))
	if game.WritesScopes(m) {
		p.Add(upstash.Cmd("HGETALL", game.ScopedDaysKey(m.Name)), ScopedInto(&scoped))
	}
	round, written := c.notices.Keys.Written(func(k notices.DayKey) bool { return k.Mode == m.Name })
	_, err := p.Run(ctx, c.db.Redis)
	if err == nil {
		var lost bool
		lost, err = c.notices.Keys.Relearns(ctx, round, written, func(k notices.DayKey) bool {
			if k.Grouped() {
				return scoped[k.Scope] != nil && scoped[k.Scope].Has(k.Date)
			}
			return global.Has(k.Date)
		})
		if lost && err == nil {
			return c.Indexes(ctx, m)
		}
	}
	return &global, scoped, rdb.Wrap("list the days of "+m.Name, err)
}
