package restore

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// Merged reads how far days of a lost Redis have been brought back.
//
// Cost: 1 billed command.
func Merged(ctx context.Context, rs *Restore) (map[string]string, error) {
	reply, err := rs.DB.Redis.Do(ctx, upstash.Cmd("HGETALL", game.ClosedKey))
	if err != nil {
		return nil, rdb.Wrap("read what was merged", err)
	}
	var merged map[string]string
	err = rdb.FieldsInto(func(fields map[string]string) error { merged = fields; return nil })(reply)
	return merged, rdb.Wrap("read what was merged", err)
}

// MergedAll reports whether a whole day of a mode has been brought back from a lost Redis,
// according to what Merged has read.
func MergedAll(merged map[string]string, m *game.Mode, d game.Date, lost string) bool {
	return merged[game.MergedDay(m.Name, d)] == lost+" "+mergedAll
}
