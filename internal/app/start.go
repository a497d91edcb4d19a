package app

import (
	"context"
	"log/slog"

	"github.com/framedle/leaderboards/internal/problem"
	"github.com/framedle/leaderboards/upstash"
)

// lookAtRedis logs at the start of a process why Redis cannot be used, if so. It runs beside
// the first requests. The process goes on: Redis may come back, and boards are answered from
// the history meanwhile. Functions do not call it, because their processes start far more
// often.
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
