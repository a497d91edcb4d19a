package app

import (
	"context"
	"log/slog"

	"github.com/framedle/leaderboards/internal/problem"
	"github.com/framedle/leaderboards/upstash"
)

// lookAtRedis has the log say at the start of a process, beside its first requests,
// what each of them would fail by. The process goes on: Redis may come back, and
// without it boards are still answered from the history. Functions do without, whose
// processes start far more often.
//
// Cost: none; Upstash does not bill PING.
func lookAtRedis(ctx context.Context, redis *upstash.Client, log *slog.Logger) {
	_, err := redis.Do(ctx, upstash.Cmd("PING"))
	switch {
	case err == nil:
	case upstash.KindOf(err) == upstash.KindAuth:
		log.Error(problem.RefusedToken, "error", err.Error())
	default:
		log.Error("Redis does not answer: look at "+envRedisURL+", and whether the database is there", "error", err.Error())
	}
}
