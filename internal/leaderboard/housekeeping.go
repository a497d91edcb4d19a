package leaderboard

import (
	"context"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/player"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// housekeeping is what a write does besides the score: it lists its days, and keeps what
// credentials say of players if that is new.
type housekeeping struct {
	store    *Store
	profiles []player.ProfileWrite
	groups   []derive.Group
}

// keepHouse queues the housekeeping of a write behind it.
func (w *write) keepHouse(p *redis.Pipeline) *housekeeping {
	h := &housekeeping{store: w.s}
	h.list(p, w.Mode, w.Date, w.Scopes)
	h.groups = w.s.Played.Keep(p, w.groupsPlayed())
	h.profiles = []player.ProfileWrite{{Player: w.Player, New: w.Profile, At: w.At, Late: w.late}}
	w.s.Players.KeepProfiles(p, h.profiles)
	return h
}

// countPlay queues the note that a held play was let pass, in a mode in which each play earns:
// 1 billed command. A play that was claimed does not need it, since the claim has counted it.
// The entry has the name of the idempotency record, so a play that is let pass again counts
// once.
func (w *write) countPlay(p *redis.Pipeline) {
	if w.Claimed || w.Idempotency.ID == "" || !w.Mode.CountsPlays() {
		return
	}
	p.Add(upstash.Cmd("ZADD", game.PlaysKey(w.Mode.Name, w.Date), "0", game.PlayOf(w.Player, w.Idempotency.ID)).Idempotent(), nil)
}

// settle is called after Redis has answered.
//
// Cost: nothing, or 2 billed commands for players who were not known.
func (h *housekeeping) settle(ctx context.Context) error {
	h.store.Played.Wrote(h.groups)
	return h.store.Players.WriteNews(ctx, h.profiles)
}

// groupsPlayed are the groups that a write enters.
func (w *write) groupsPlayed() []derive.Group {
	groups := make([]derive.Group, len(w.Scopes))
	for i, scope := range w.Scopes {
		groups[i] = derive.Group{Player: w.Player, Group: scope}
	}
	return groups
}

// list queues the listing of a day of groups and levels, and marks the day to be closed once
// more if the write may reach Redis after its end, as those of imports do: then the day of all
// players may have been looked for already, and is listed too.
func (h *housekeeping) list(p *redis.Pipeline, m *game.Mode, d game.Date, scopes []game.Scope) {
	for _, scope := range scopes {
		p.Add(derive.DayKey{Mode: m.Name, Date: d, Scope: scope}.List(), nil)
	}
	h.reopen(p, m, d)
}

func (h *housekeeping) reopen(p *redis.Pipeline, m *game.Mode, d game.Date) {
	if derive.MayBeLate(h.store.DB, d) {
		p.Add(derive.DayKey{Mode: m.Name, Date: d}.List(), nil)
		p.Add(derive.Reopen(h.store.DB, game.ClosedDay(m.Name, d)), nil)
	}
}
