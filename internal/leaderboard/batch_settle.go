package leaderboard

import (
	"context"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// judge works out the outcome of each item from the entries before the batch. It returns the
// entries that replace others, in order: score and player of each.
func (g *group) judge(attempts int, outcomes []BatchOutcome) (replacing []string) {
	g.turn = map[string]redis.Place{}
	for i, it := range g.items {
		stood, again := g.turn[it.Player]
		if !again {
			stood = g.before[i]
		}
		now := redis.Place{Stored: it.stored, Found: true}
		outcome := Outcome{Status: game.Accepted}
		switch {
		case !stood.Found:
			g.added++
		case !again && stood.Stored == it.stored && attempts > 1 && !(it.was.Found && it.was.Stored == it.stored):
			// An earlier sending of this batch put it there: nothing is added or replaced.
		case it.Mode.Replaces(stood.Stored, it.stored):
			outcome.Status = game.Improved
			it.was = stood
			replacing = append(replacing, game.FormatStored(it.stored), it.Player)
		default:
			now, outcome.Status = stood, game.Kept
		}
		g.turn[it.Player] = now
		outcome.Score = it.Mode.Decode(now.Stored)
		outcomes[it.index].Outcome = outcome
	}
	return replacing
}

// settle completes the outcomes, once all of the group's writes are answered.
func (g *group) settle(ctx context.Context, outcomes []BatchOutcome) error {
	if g.whole == nil && g.total > ranksInBatch && !g.after[0].Found {
		var p redis.Pipeline
		g.askAfter(&p)
		if _, err := p.Run(ctx, g.s.DB.Redis); err != nil {
			return redis.Wrap("read the scores that stand", err)
		}
	}
	g.s.Totals.Set(g.board.Key, g.total)
	g.s.Windows.Forget(g.board.Key)
	for _, it := range g.items {
		it.forgetScoped()
	}
	g.confirm(g.ranks(), outcomes)
	if err := g.keepDetails(ctx, outcomes); err != nil {
		return err
	}
	return g.house.settle(ctx)
}

// ranks are everybody's entries by player if the board was read whole, else nil.
func (g *group) ranks() map[string]game.Entry {
	if g.whole == nil {
		return nil
	}
	g.board.RankAmongThemselves(g.whole)
	ranks := make(map[string]game.Entry, len(g.whole))
	for _, e := range g.whole {
		ranks[e.Player] = e
	}
	return ranks
}

// confirm corrects the outcomes by the entries that the board has after the batch. If another
// writer has replaced an entry of the batch meanwhile, that item's status is kept.
func (g *group) confirm(ranks map[string]game.Entry, outcomes []BatchOutcome) {
	for i, it := range g.items {
		outcome := &outcomes[it.index].Outcome
		outcome.Total = g.total
		current := &g.after[i]
		if e, ok := ranks[it.Player]; ok {
			*current = redis.Place{Stored: e.Stored, Found: true}
			outcome.Rank = e.Rank
			outcome.Total = max(g.total, e.Rank)
		}
		if !current.Found {
			continue
		}
		g.s.Places.Add(derive.EntryID{Board: g.board.Key, Player: it.Player}, *current)
		if current.Stored != g.turn[it.Player].Stored && outcome.Status != game.Kept {
			outcome.Status = game.Kept
		}
		if outcome.Status == game.Kept {
			outcome.Score = it.Mode.Decode(current.Stored)
		}
	}
}

// keepDetails writes the details of those of the batch's entries that are on the board now, in
// one command, and deletes the details of replaced entries of the same score, see
// [write.dropsDetails].
func (g *group) keepDetails(ctx context.Context, outcomes []BatchOutcome) error {
	key := game.DetailsKey(g.board.Mode.Name, g.date)
	changed, left := []string{"HSET", key}, []string{"HDEL", key}
	for i, it := range g.items {
		switch {
		case g.after[i].Stored != it.stored:
		case it.KeepsDetails():
			changed = append(changed, it.Player, it.detailsRecord())
		case outcomes[it.index].Status == game.Improved && it.dropsDetails(it.was.Stored):
			left = append(left, it.Player)
		}
	}
	var p redis.Pipeline
	if len(left) > 2 {
		p.Add(upstash.Cmd(left...).Idempotent(), nil)
	}
	if len(changed) > 2 {
		p.Add(upstash.Cmd(changed...).Idempotent(), nil)
	}
	_, err := p.Run(ctx, g.s.DB.Redis)
	return redis.Wrap("keep the details", err)
}
