package board

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// carried is what a write took along once per process; done remembers it, and
// is called only after Redis has answered.
type carried struct {
	touched
	store    *Store
	profiles []profileWrite
	groups   []groupPlayed
}

func (s *Store) carry() *carried { return &carried{touched: s.touch(), store: s} }

// done reports false where Redis is not the one that the write took it for: then
// settle sees to what was taken for granted.
func (c *carried) done() bool {
	if !c.touched.done() {
		return false
	}
	c.store.wroteGroups(c.groups)
	return true
}

// settle is called after done, with what it said or what else speaks for a loss
// of Redis: then what the write took for granted is seen to once more, its keys
// and what credentials say of players.
//
// Cost: nothing, or that of [Store.relearn] and as much as a write for profiles.
func (c *carried) settle(ctx context.Context, lost bool) error {
	if !lost {
		c.store.proveLater(ctx)
		return nil
	}
	if err := c.store.relearn(ctx, c.round, c.all); err != nil {
		return err
	}
	return c.store.keepAgain(ctx, c.profiles)
}

// carry queues the housekeeping of a write behind it: each key's one expiry,
// the index of days and scopes that derived boards are made from, and the
// player's name where it is new to this process.
func (w *write) carry() *carried {
	c := w.s.carry()
	c.day(&w.calls, w.Mode, w.Date, game.Scope{})
	for _, scope := range w.Scopes {
		c.day(&w.calls, w.Mode, w.Date, scope)
	}
	c.groups = w.s.keepGroups(&w.calls, w.groupsPlayed())
	if w.keepsDetails() && (w.Mode.Policy == game.First || w.Mode.Policy == game.Sum) { // the others' follow
		c.see(&w.calls, dayKey{mode: w.Mode.Name, date: w.Date, details: true})
	}
	c.prove(&w.calls)
	c.reopen(&w.calls, w.Mode, w.Date)
	c.profiles = []profileWrite{{player: w.Player, new: w.Profile, at: w.At, late: w.isLate()}}
	w.s.keepProfiles(&w.calls, c.profiles)
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

// shrunk reports whether a board that was counted after a write has lost players
// since it was last counted.
func shrunk(before int64, counted bool, added, now int64) bool { return counted && now < before+added }
