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

// housekeeping is what a write sees to once per process, beside the score: each
// key's one expiry, the index of days and scopes that derived boards are made from,
// and what credentials say of players where it is new.
type housekeeping struct {
	notices.Touched
	store    *Store
	profiles []profiles.ProfileWrite
	groups   []played.Group
}

func (s *Store) housekeeping() *housekeeping {
	return &housekeeping{Touched: s.Notices.Keys.Touch(), store: s}
}

// keepHouse queues the housekeeping of a write behind it.
func (w *write) keepHouse(p *rdb.Pipeline) *housekeeping {
	h := w.s.housekeeping()
	h.Day(p, w.Mode, w.Date, game.Scope{})
	for _, scope := range w.Scopes {
		h.Day(p, w.Mode, w.Date, scope)
	}
	h.groups = w.s.Played.Keep(p, w.groupsPlayed())
	if w.KeepsDetails() && (w.Mode.Policy == game.Sum || w.Mode.Policy == game.First && !w.Claimed) { // the others' follow
		h.See(p, notices.DayKey{Mode: w.Mode.Name, Date: w.Date, Details: true})
	}
	h.Prove(p)
	h.reopen(p, w.Mode, w.Date)
	h.profiles = []profiles.ProfileWrite{{Player: w.Player, New: w.Profile, At: w.At, Late: w.late}}
	w.s.Players.KeepProfiles(p, h.profiles)
	return h
}

// countPlay queues that a play was accepted that nobody has claimed, since it was held,
// where each earns: 1 billed command. Its name is its record's, so one that is let pass
// again counts once.
func (w *write) countPlay(p *rdb.Pipeline) {
	if w.Claimed || w.Idempotency.ID == "" || !w.s.DB.Game.Currencies.Counts(w.Mode) {
		return
	}
	plays := notices.DayKey{Mode: w.Mode.Name, Date: w.Date, Plays: true}
	p.Add(upstash.Cmd("ZADD", plays.Key(), "0", game.PlayOf(w.Player, w.Idempotency.ID)).Idempotent(), nil)
	w.house.See(p, plays)
}

// done remembers what was seen to, and is called only after Redis has answered. It
// reports false where Redis is not the one that the write took it for: then settle
// sees to what was taken for granted.
func (h *housekeeping) done() bool {
	if !h.Touched.Done() {
		return false
	}
	h.store.Played.Wrote(h.groups)
	return true
}

// settle is called after done, with what it reported or what else speaks for a loss
// of Redis: then what the write took for granted is seen to once more, its keys
// and what credentials say of players.
//
// Cost: nothing, or 2 billed commands for players who were not known, or that of
// [notices.Keys.Relearn] and as much as a write for profiles.
func (h *housekeeping) settle(ctx context.Context, lost bool) error {
	if err := h.store.Players.TellProfiles(ctx, h.profiles); err != nil {
		return err
	}
	if !lost {
		h.store.Notices.Keys.ProveLater(ctx)
		return nil
	}
	if err := h.store.Notices.Keys.Relearn(ctx, h.Round, h.All); err != nil {
		return err
	}
	return h.store.Players.KeepAgain(ctx, h.profiles)
}

// begin sees to a day's board that a write was the first to come to, though it was taken
// to have been seen to: who takes the last entry off takes the key away, with its expiry.
//
// Cost: nothing where the write has seen to it, else 2 billed commands.
func (h *housekeeping) begin(ctx context.Context, k notices.DayKey) error {
	if h.Touched.Saw(k) {
		return nil
	}
	h.store.DB.Expiring.Remove(k.Key())
	again := h.store.Notices.Keys.Touch()
	var p rdb.Pipeline
	again.See(&p, k)
	if _, err := p.Run(ctx, h.store.DB.Redis); err != nil {
		return rdb.Wrap("see to a board that is new", err)
	}
	again.Done()
	return nil
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
// imports do, or might be; and from its end on it tells of the write to whoever
// remembers what was played on that day.
func (h *housekeeping) reopen(p *rdb.Pipeline, m *game.Mode, d game.Date) {
	if !h.store.DB.Now().Add(rollup.InFlight).Before(h.store.DB.Game.Ends(game.Day.Of(d))) {
		p.Add(rollup.Reopen(h.store.DB, game.ClosedDay(m.Name, d)), nil)
	}
}

// shrunk reports whether a board that was counted after a write has lost players
// since it was last counted.
func shrunk(before int64, counted bool, added, now int64) bool { return counted && now < before+added }
