package derive

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// lateNotes is how long a note of a late score is kept: longer than any board goes without
// being made.
const lateNotes = 24 * time.Hour

// NoteLate notes that scores of players came into a day that has closed, so that their own
// cards have these scores at once. Boards have them with their next refresh.
//
// Cost: 3 billed commands.
func (ru *Rollup) NoteLate(ctx context.Context, players []string) error {
	now := ru.db.Now()
	note := []string{"ZADD", game.LateKey, "GT"}
	for _, player := range players {
		note = append(note, redis.Itoa(now.UnixMilli()), game.BanMember(player))
	}
	var p redis.Pipeline
	p.Add(upstash.Cmd(note...).Idempotent(), nil)
	p.Add(upstash.Cmd("ZREMRANGEBYSCORE", game.LateKey, "-inf", redis.Itoa(now.Add(-lateNotes).UnixMilli())).Idempotent(), nil)
	p.Add(upstash.Cmd("EXPIRE", game.LateKey, redis.Itoa(int64(lateNotes.Seconds()))).Idempotent(), nil)
	_, err := p.Run(ctx, ru.db.Redis)
	return redis.Wrap("note late scores", err)
}
