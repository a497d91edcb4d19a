package board

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/notices"
	"github.com/framedle/leaderboards/internal/played"
	"github.com/framedle/leaderboards/internal/profiles"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/internal/rollup"
	"github.com/framedle/leaderboards/upstash"
)

// carried is what a write took along once per process; done remembers it, and
// is called only after Redis has answered.
type carried struct {
	notices.Touched
	store    *Store
	profiles []profiles.ProfileWrite
	groups   []played.Group
}

func (s *Store) carry() *carried { return &carried{Touched: s.Notices.Keys.Touch(), store: s} }

// done reports false where Redis is not the one that the write took it for: then
// settle sees to what was taken for granted.
func (c *carried) done() bool {
	if !c.Touched.Done() {
		return false
	}
	c.store.Played.Wrote(c.groups)
	return true
}

// settle is called after done, with what it said or what else speaks for a loss
// of Redis: then what the write took for granted is seen to once more, its keys
// and what credentials say of players.
//
// Cost: nothing, or that of [notices.Keys.Relearn] and as much as a write for profiles.
func (c *carried) settle(ctx context.Context, lost bool) error {
	if !lost {
		c.store.Notices.Keys.ProveLater(ctx)
		return nil
	}
	if err := c.store.Notices.Keys.Relearn(ctx, c.Round, c.All); err != nil {
		return err
	}
	return c.store.Players.KeepAgain(ctx, c.profiles)
}

// carry queues the housekeeping of a write behind it: each key's one expiry,
// the index of days and scopes that derived boards are made from, and the
// player's name where it is new to this process.
func (w *write) carry() *carried {
	c := w.s.carry()
	c.Day(&w.calls, w.Mode, w.Date, game.Scope{})
	for _, scope := range w.Scopes {
		c.Day(&w.calls, w.Mode, w.Date, scope)
	}
	c.groups = w.s.Played.Keep(&w.calls, w.groupsPlayed())
	if w.keepsDetails() && (w.Mode.Policy == game.First || w.Mode.Policy == game.Sum) { // the others' follow
		c.See(&w.calls, notices.DayKey{Mode: w.Mode.Name, Date: w.Date, Details: true})
	}
	c.Prove(&w.calls)
	c.reopen(&w.calls, w.Mode, w.Date)
	c.profiles = []profiles.ProfileWrite{{Player: w.Player, New: w.Profile, At: w.At, Late: w.isLate()}}
	w.s.Players.KeepProfiles(&w.calls, c.profiles)
	return c
}

// groupsPlayed are the groups that a write enters.
func (w *write) groupsPlayed() []played.Group {
	groups := make([]played.Group, len(w.Scopes))
	for i, scope := range w.Scopes {
		groups[i] = played.Group{Player: w.Player, Group: scope}
	}
	return groups
}

// reopen has a day closed once more that is written to after its closing, as
// imports do, or might be.
func (c *carried) reopen(p *rdb.Pipeline, m *game.Mode, d game.Date) {
	if c.store.DB.Game.Closed(game.Day.Of(d), c.store.DB.Now().Add(rollup.InFlight)) {
		p.Add(upstash.Cmd("HDEL", game.ClosedKey, game.ClosedDay(m.Name, d)).Idempotent(), nil)
	}
}

// shrunk reports whether a board that was counted after a write has lost players
// since it was last counted.
func shrunk(before int64, counted bool, added, now int64) bool { return counted && now < before+added }
