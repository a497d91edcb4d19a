package replay

import (
	"context"
	"fmt"

	"github.com/framedle/leaderboards/lab/stage"
)

// spent is what was spent up to a moment.
type spent struct {
	billed, roundTrips int64 // by the function submit, as the product's meter counted it
	counted            int64 // by everybody, as Redis counted it; 0 if Redis was not asked
}

func (r *replay) spent(ctx context.Context) (spent, error) {
	usage, err := r.Usage(ctx)
	if err != nil {
		return spent{}, fmt.Errorf("ask what was spent: %w", err)
	}
	s := spent{billed: usage.ByFunction["submit"].Commands, roundTrips: usage.ByFunction["submit"].RoundTrips}
	if r.Engine == nil {
		return s, nil
	}
	stats, err := r.Engine(ctx)
	if err != nil {
		return spent{}, fmt.Errorf("ask Redis what it has run: %w", err)
	}
	for name, calls := range stats {
		if !stage.Free(name) {
			s.counted += calls
		}
	}
	return s, nil
}
