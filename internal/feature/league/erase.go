package league

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Records are what Redis has of leagues.
type Records struct{ DB *redis.DB }

// Erase deletes a player from what Redis has of the week and, in its first hours, of the week
// before.
//
// Cost: 2 billed commands, 4 while Redis has the week before; none in a game without leagues.
func (r Records) Erase(ctx context.Context, player string) error {
	db := r.DB
	if RulesOf(db.Game) == nil {
		return nil
	}
	today := game.DateOf(db.Now())
	var p redis.Pipeline
	for week := game.Week.Of(today); db.Now().Before(expires(db.Game, week)); week, _ = week.Previous() {
		p.Add(upstash.Cmd("ZREM", Key(week.First()), player).Idempotent(), nil)
		p.Add(upstash.Cmd("ZREM", XPKey(week.First()), player).Idempotent(), nil)
	}
	_, err := p.Run(ctx, db.Redis)
	return redis.Wrap("erase a player's league", err)
}
