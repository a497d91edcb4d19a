package board

import (
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/upstash"
)

// carried is what a write took along once per process; done remembers it, and
// is called only after Redis has answered.
type carried struct {
	store    *Store
	keys     []string
	profiles []profileWrite
	groups   []groupPlayed
}

func (c *carried) done() {
	for _, key := range c.keys {
		c.store.expiring.Add(key, struct{}{})
	}
	c.store.wroteGroups(c.groups)
}

// carry queues the housekeeping of a write behind it: each key's one expiry,
// the index of days and scopes that derived boards are made from, and the
// player's name where it is new to this process.
func (w *write) carry() *carried {
	c := &carried{store: w.Store}
	c.day(&w.calls, w.Mode, w.Date, game.Scope{})
	for _, scope := range w.Scopes {
		c.day(&w.calls, w.Mode, w.Date, scope)
	}
	c.groups = w.keepGroups(&w.calls, w.groupsPlayed())
	if w.keepsDetails() {
		c.expiry(&w.calls, game.DetailsKey(w.Mode.Name, w.Date), w.day)
	}
	c.reopen(&w.calls, w.Mode, w.Date)
	c.profiles = []profileWrite{{player: w.Player, new: w.Profile, at: w.At, late: w.isLate()}}
	w.keepProfiles(&w.calls, c.profiles)
	return c
}

// groupsPlayed are the groups that a write enters.
func (w *write) groupsPlayed() []groupPlayed {
	played := make([]groupPlayed, len(w.Scopes))
	for i, scope := range w.Scopes {
		played[i] = groupPlayed{w.Player, scope}
	}
	return played
}

// day sees to a day board that may be new.
func (c *carried) day(p *pipeline, m *game.Mode, d game.Date, scope game.Scope) {
	day := game.Day.Of(d)
	if !c.expiry(p, game.BoardKey(m.Name, day, scope), day) {
		return
	}
	index, field := game.DaysKey(m.Name), d.String()
	if scope != (game.Scope{}) {
		index, field = game.ScopedDaysKey(m.Name), game.ScopedDay(d, scope)
	}
	p.add(upstash.Cmd("HSETNX", index, field, dayOpen).Idempotent(), nil)
}

// inFlight is how long a write may be under way: one that was decided on this
// long before a day closed may reach Redis after the closing has read the day.
const inFlight = 30 * time.Second

// reopen has a day closed once more that is written to after its closing, as
// imports do, or might be.
func (c *carried) reopen(p *pipeline, m *game.Mode, d game.Date) {
	if c.store.game.Closed(game.Day.Of(d), c.store.now().Add(inFlight)) {
		p.add(upstash.Cmd("HDEL", game.ClosedKey, game.ClosedDay(m.Name, d)).Idempotent(), nil)
	}
}

func (c *carried) expiry(p *pipeline, key string, of game.Period) (isNew bool) {
	command, ok := c.store.expire(key, of)
	if ok {
		p.add(command, nil)
		c.keys = append(c.keys, key)
	}
	return ok
}
