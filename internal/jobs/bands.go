package jobs

import (
	"context"
	"log/slog"
	"time"
)

// bandsPatience is how long one run tends boards in bands: a split takes 90 s of waiting, and
// the next run does the rest.
const bandsPatience = 2 * time.Minute

// tendBands tends boards that are kept in bands. In a game without any it does nothing.
func tendBands(ctx context.Context, j *Jobs) error {
	all, err := j.closing.Store.Rollup.Banded.TendBands(ctx, bandsPatience)
	for _, did := range all {
		if len(did.Did) > 0 || did.Drift != 0 {
			j.log.LogAttrs(ctx, slog.LevelInfo, "boards in bands were tended", slog.String("board", did.Board),
				slog.Any("did", did.Did), slog.Int64("drift", did.Drift), slog.Bool("more", did.More))
		}
	}
	return err
}
