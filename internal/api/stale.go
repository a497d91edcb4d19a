package api

import (
	"context"
	"log/slog"
	"time"
)

// tellEvery is how often the log tells that answers are stale.
const tellEvery = time.Minute

// tellStale has the log tell why an answer was stale, since readers notice little
// of it; nil: it was not.
func (s boards) tellStale(ctx context.Context, why error) {
	if why == nil {
		return
	}
	now := s.now()
	last := s.told.Load()
	if now.UnixNano()-last < int64(tellEvery) || !s.told.CompareAndSwap(last, now.UnixNano()) {
		return
	}
	s.log.LogAttrs(ctx, slog.LevelWarn, "Redis refuses: reads are answered from memory and from the history",
		append(refusalAttrs(why, now), slog.String("error", why.Error()))...)
}
