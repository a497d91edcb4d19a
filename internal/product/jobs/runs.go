package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/platform/host"
	"github.com/framedle/leaderboards/internal/platform/status"
	"github.com/framedle/leaderboards/upstash"
)

// noteTime is how long a run waits for its end to be noted.
const noteTime = 2 * time.Second

// callTime is the timeout of a job's calls to Redis. No caller waits for the job, and each of
// its commands may process a whole board.
const callTime = 20 * time.Second

// waiting is the result of a run during maintenance, which did and noted nothing.
type waiting struct {
	Waiting string `json:"waiting"`
}

// waits is the result of a run that nothing may be written in.
func waits(ctx context.Context, log *slog.Logger, name string, why error) waiting {
	log.LogAttrs(ctx, slog.LevelWarn, "the run is skipped; the next one continues", slog.String("function", name), slog.String("reason", why.Error()))
	return waiting{why.Error()}
}

// writing is noted for work that writes to boards: during maintenance it waits, and it fails
// if the boards are kept under other rules than those of this build.
func (j *Jobs) writing(ctx context.Context, name string, due time.Time, work func(context.Context) (any, error)) (any, error) {
	if err := j.arrived(due); err != nil {
		return nil, err
	}
	refused := j.closing.Store.Notices.MayWrite(ctx)
	if wait := (*control.MaintenanceError)(nil); errors.As(refused, &wait) {
		return waits(ctx, j.log, name, refused), nil
	}
	return j.noted(ctx, name, due, func(ctx context.Context) (any, error) {
		if j.watches(name, due) {
			j.watch(ctx, name)
		}
		if refused != nil {
			return nil, refused
		}
		return work(ctx)
	})
}

// noted makes one run of a scheduled function and notes how it ended. The result of a
// successful run is its report; the report of a failed run is logged.
//
// Cost: 1 billed command besides those of the work.
func (j *Jobs) noted(ctx context.Context, name string, due time.Time, work func(context.Context) (any, error)) (any, error) {
	if err := j.arrived(due); err != nil {
		return nil, err
	}
	began := j.closing.Now()
	report, err := work(upstash.WithTimeout(ctx, callTime))
	ended := j.closing.Now()
	run := status.Run{Due: due.UTC(), Ended: ended.UTC(), Milliseconds: ended.Sub(began).Milliseconds()}
	if err != nil {
		run.Error = err.Error()
	}
	settle, cancel := context.WithTimeout(context.WithoutCancel(ctx), noteTime)
	defer cancel()
	if noteErr := j.runs.Note(settle, name, run); noteErr != nil {
		j.log.LogAttrs(ctx, slog.LevelWarn, "the result of the run could not be stored", slog.String("function", name), slog.String("error", noteErr.Error()))
	}
	if err == nil {
		return report, nil
	}
	j.log.LogAttrs(ctx, slog.LevelError, "the run failed; the next one continues", slog.String("function", name), slog.Any("done", report))
	return nil, fmt.Errorf("%s: %w", name, err)
}

// mostAhead is how far a scheduler's clock may be ahead of the product's.
const mostAhead = 5 * time.Minute

// arrived refuses an event whose time has not come.
func (j *Jobs) arrived(at time.Time) error {
	ahead := at.Sub(j.closing.Now())
	if ahead <= mostAhead {
		return nil
	}
	return &host.EventError{Reason: fmt.Sprintf("the event is for a time %s in the future; nothing was done", ahead.Round(time.Second))}
}
