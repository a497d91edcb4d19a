package board

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/upstash"
)

// settle works out what became of each item, once the group's writes have been
// answered.
func (g *group) settle(ctx context.Context, attempts int, outcomes []BatchOutcome) error {
	lost := !g.carried.done()
	if err := g.tellProfiles(ctx, g.carried.profiles); err != nil {
		return err
	}
	if g.whole == nil && g.total > ranksInBatch && !g.after[0].found {
		var p pipeline
		g.askAfter(&p)
		if _, err := p.run(ctx, g.redis); err != nil {
			return wrap("read the scores that stand", err)
		}
	}
	before, counted := g.totals.last(g.board.Key)
	g.totals.set(g.board.Key, g.total)
	g.windows.forget(g.board.Key)
	ranks := g.ranks()
	added := int64(0)
	turn := map[string]place{} // what stands for a player as the batch goes on
	for i, it := range g.items {
		stood, again := turn[it.Player]
		if !again {
			stood = g.before[i]
			if !stood.found {
				added++
			}
		}
		now := place{stored: it.stored, found: true}
		outcome := Outcome{Status: Accepted}
		switch {
		case !stood.found:
		case stood.stored == it.stored && attempts > 1:
			// This very score, put there by an earlier sending of the batch.
		case it.beats(stood.stored):
			outcome.Status = Improved
		default:
			now, outcome.Status = stood, Kept
		}
		turn[it.Player] = now
		outcome.Score = it.Mode.Decode(now.stored)
		outcomes[it.index].Outcome = outcome
	}
	g.confirm(turn, ranks, outcomes)
	if err := g.keepDetails(ctx, outcomes); err != nil {
		return err
	}
	return g.carried.settle(ctx, lost || shrunk(before, counted, added, g.total))
}

// beats tells whether a score replaces the one that stands.
func (w *write) beats(stands float64) bool {
	m := w.Mode
	switch m.Policy {
	case game.Best:
		if m.Order == game.Asc {
			return w.stored < stands
		}
		return w.stored > stands
	case game.Latest:
		was, is := stands-float64(m.Decode(stands)), w.stored-float64(m.Decode(w.stored))
		if m.Order == game.Asc {
			return is > was
		}
		return is < was
	}
	return false
}

// ranks of everybody, when the board was read whole.
func (g *group) ranks() map[string]Entry {
	if g.whole == nil {
		return nil
	}
	g.board.rankAmongThemselves(g.whole)
	ranks := make(map[string]Entry, len(g.whole))
	for _, e := range g.whole {
		ranks[e.Player] = e
	}
	return ranks
}

// confirm holds the outcomes against what really stands: another writer may
// have come in between, and then its entry is what was kept.
func (g *group) confirm(turn map[string]place, ranks map[string]Entry, outcomes []BatchOutcome) {
	for i, it := range g.items {
		outcome := &outcomes[it.index].Outcome
		outcome.Total = g.total
		stands := g.after[i]
		if e, ok := ranks[it.Player]; ok {
			stands = place{stored: e.stored, found: true}
			outcome.Rank = e.Rank
			outcome.Total = max(g.total, e.Rank)
		}
		if !stands.found {
			continue
		}
		g.standing.Add(entryID{g.board.Key, it.Player}, stands)
		if stands.stored != turn[it.Player].stored && outcome.Status != Kept {
			outcome.Status = Kept
		}
		if outcome.Status == Kept {
			outcome.Score = it.Mode.Decode(stands.stored)
		}
	}
}

// keepDetails writes the details of the entries that now stand: one command
// for all that changed, and one each for those that may have lost theirs to an
// interrupted earlier batch.
func (g *group) keepDetails(ctx context.Context, outcomes []BatchOutcome) error {
	key := game.DetailsKey(g.board.Mode.Name, g.date)
	changed := []string{"HSET", key}
	c := &carried{store: g.Store}
	var p pipeline
	for _, it := range g.items {
		outcome := outcomes[it.index].Outcome
		switch {
		case !it.keepsDetails() || outcome.Score != it.Score:
		case outcome.Status == Kept:
			p.add(upstash.Cmd("HSETNX", key, it.Player, it.detailsRecord()).Idempotent(), nil)
		default:
			changed = append(changed, it.Player, it.detailsRecord())
		}
	}
	if len(changed) > 2 {
		p.add(upstash.Cmd(changed...).Idempotent(), nil)
	}
	if len(p.commands) == 0 {
		return nil
	}
	c.see(&p, dayKey{mode: g.board.Mode.Name, date: g.date, details: true})
	if _, err := p.run(ctx, g.redis); err != nil {
		return wrap("keep the details", err)
	}
	return c.settle(ctx, !c.done())
}
