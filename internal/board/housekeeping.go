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

// housekeeping is what a write does besides the score, once in a process: it sets the expiry of
// each key, puts days on the index from which derived boards are made, and keeps what
// credentials say of players if that is new.
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
	if w.KeepsDetails() && (w.Mode.Policy == game.Sum || w.Mode.Policy == game.First && !w.Claimed) { // other policies write their details later, see noteDetails
		h.See(p, notices.DayKey{Mode: w.Mode.Name, Date: w.Date, Details: true})
	}
	h.Prove(p)
	h.reopen(p, w.Mode, w.Date)
	h.profiles = []profiles.ProfileWrite{{Player: w.Player, New: w.Profile, At: w.At, Late: w.late}}
	w.s.Players.KeepProfiles(p, h.profiles)
	return h
}

// countPlay queues the note that a held play was let pass, in a mode in which each play earns:
// 1 billed command. A play that was claimed does not need it, since the claim has counted it.
// The entry has the name of the idempotency record, so a play that is let pass again counts
// once.
func (w *write) countPlay(p *rdb.Pipeline) {
	if w.Claimed || w.Idempotency.ID == "" || !w.s.DB.Game.Currencies.Counts(w.Mode) {
		return
	}
	plays := notices.DayKey{Mode: w.Mode.Name, Date: w.Date, Plays: true}
	p.Add(upstash.Cmd("ZADD", plays.Key(), "0", game.PlayOf(w.Player, w.Idempotency.ID)).Idempotent(), nil)
	w.house.See(p, plays)
}

// done remembers what the housekeeping has done. It is called only after Redis has answered. It
// reports false if this is another Redis than the one that the process knew when the write
// began: then settle does what the write left out because an earlier write had done it.
func (h *housekeeping) done() bool {
	if !h.Touched.Done() {
		return false
	}
	h.store.Played.Wrote(h.groups)
	return true
}

// settle is called after done. Lost says that done reported false, or that something else shows
// a loss of Redis. Then settle does what the write left out because an earlier write had done
// it: the expiry and index of its keys, and what credentials say of players.
//
// Cost: nothing, or 2 billed commands for players who were not known; after a loss that of
// [notices.Keys.Relearn] and as much as a write for profiles.
func (h *housekeeping) settle(ctx context.Context, lost bool) error {
	if err := h.store.Players.WriteNews(ctx, h.profiles); err != nil {
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

// begin is called if a write finds only its own entry on a day's board. If the day was on the
// index before, the last entry had been removed: Redis then deleted the key, and its expiry with
// it, and the index calls the day empty. begin corrects both.
//
// Cost: nothing if the write has put the day onto the index; 1 billed command if it was there; 2
// if this process had already prepared the board.
func (h *housekeeping) begin(ctx context.Context, k notices.DayKey) error {
	if h.Touched.Saw(k) {
		if h.Touched.WasIndexed(k) {
			return h.store.Notices.Keys.NoteFilled(ctx, k)
		}
		return nil
	}
	h.store.DB.Expiring.Remove(k.Key())
	again := h.store.Notices.Keys.Touch()
	var p rdb.Pipeline
	again.SeeFilled(&p, k)
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

// reopen queues that a day is to be closed once more, if the write may reach Redis after the
// day's end, as imports do.
func (h *housekeeping) reopen(p *rdb.Pipeline, m *game.Mode, d game.Date) {
	if !h.store.DB.Now().Add(rollup.InFlight).Before(h.store.DB.Game.Ends(game.Day.Of(d))) {
		p.Add(rollup.Reopen(h.store.DB, game.ClosedDay(m.Name, d)), nil)
	}
}

// shrunk reports whether a board that was counted after a write has lost players
// since it was last counted.
func shrunk(before int64, counted bool, added, now int64) bool { return counted && now < before+added }
