package board

import (
	"context"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// carried is what a write took along once per process; done remembers it, and
// is called only after Redis has answered.
type carried struct {
	store    *Store
	all      []dayKey // that the write is to
	keys     []string // of these, whose expiry it sets
	profiles []profileWrite
	groups   []groupPlayed

	begun bool
	round uint64 // of the epoch, as the write began
	proof *proof // whether that stands, where the write asks; else nil
}

// done reports false where Redis is not the one that the write took it for: then
// [Store.relearn] sees to what was taken for granted.
func (c *carried) done() bool {
	if !c.begun {
		return true
	}
	if !c.store.epoch.note(c.all, c.round, c.proof) {
		return false
	}
	for _, key := range c.keys {
		c.store.expiring.Add(key, struct{}{})
	}
	c.store.wroteGroups(c.groups)
	return true
}

// settle is called after done, with what it said or what else speaks for a loss
// of Redis.
func (c *carried) settle(ctx context.Context, lost bool) error {
	if !lost {
		c.store.proveLater(ctx)
		return nil
	}
	return c.store.relearn(ctx, c.round, c.all, c.profiles)
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
	if w.keepsDetails() && (w.Mode.Policy == game.First || w.Mode.Policy == game.Sum) { // the others' follow
		c.see(&w.calls, dayKey{mode: w.Mode.Name, date: w.Date, details: true})
	}
	c.prove(&w.calls)
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
	c.see(p, dayKey{mode: m.Name, date: d, scope: scope})
}

// see queues a key's expiry and its place on the index, unless this process has
// seen to them.
func (c *carried) see(p *pipeline, k dayKey) {
	if !c.begun {
		c.begun, c.round = true, c.store.epoch.now()
	}
	c.all = append(c.all, k)
	key := k.key()
	if command, isNew := c.store.expire(key, game.Day.Of(k.date)); isNew {
		p.add(command, nil)
		k.indexed(p)
		c.keys = append(c.keys, key)
	}
}

// prove queues the question whether the epoch stands, behind the write and where
// that is due.
func (c *carried) prove(p *pipeline) {
	if c.store.epoch.due(slices.ContainsFunc(c.all, dayKey.grouped), c.store.elapsed()) {
		c.proof = c.store.epoch.ask(p, c.store.elapsed())
	}
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
