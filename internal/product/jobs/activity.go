package jobs

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/feature/activity"
	"github.com/framedle/leaderboards/internal/feature/activity/activitystore"
	"github.com/framedle/leaderboards/internal/game"
)

// Compute is the function compute. It takes in the events of streams, if the game names any,
// and writes the boards that activity computes, of all groups' days that are behind. A day is
// final with the first run later than five minutes after midnight in the group's time zone.
// The next run does what a run leaves undone, so its end is not noted; a run that fails three
// times is among the dead letters.
//
// Cost: see [activity.Activity.Compute]; nothing in a game without activity.
func (j *Jobs) Compute(ctx context.Context, at time.Time) (any, error) {
	if err := j.arrived(at); err != nil {
		return nil, err
	}
	days := j.activity
	if days == nil {
		return []activity.Computed{}, nil
	}
	began := j.closing.Now()
	streamed, failed := days.TakeStreams(ctx)
	if streamed.Entries > 0 {
		j.log.LogAttrs(ctx, slog.LevelInfo, "streams are read", slog.Any("lb_events_processed_total", streamed.Read), slog.Int("new", streamed.New),
			slog.Int("dead", streamed.Dead), slog.Any("lb_backlog_lag_seconds", streamed.Lag))
	}
	computed, err := j.compute(ctx)
	err = errors.Join(failed, err)
	if wait := (*control.MaintenanceError)(nil); errors.As(err, &wait) {
		return waits(ctx, j.log, "compute", err), nil
	}
	for _, day := range computed {
		j.log.LogAttrs(ctx, slog.LevelInfo, "boards are computed", slog.String("group", day.Group), slog.String("date", day.Date),
			slog.String("period", game.Day.String()), slog.Int("players", day.Players), slog.Bool("final", day.Final),
			slog.Int("lb_snapshots_total", day.Boards), slog.Int("lb_burst_muted_total", day.Muted))
		if day.Unkept != "" {
			j.log.LogAttrs(ctx, slog.LevelWarn, "acts are in Redis only; the next run tries again to archive them", slog.String("group", day.Group),
				slog.String("date", day.Date), slog.String("error", day.Unkept))
		}
	}
	if len(computed) > 0 {
		j.log.LogAttrs(ctx, slog.LevelInfo, "the compute is done", slog.String("period", game.Day.String()), slog.Int("days", len(computed)),
			slog.Float64("lb_compute_seconds", j.closing.Now().Sub(began).Seconds()))
	}
	return computed, err
}

// keepsActs is a game's activity with the store that keeps its acts.
func keepsActs(j *Jobs) activity.Keeping {
	return activity.Keeping{
		Activity: j.activity, Kept: activitystore.In(j.closing.Archive), Returns: j.closing.Repairs, Over: j.groupDay,
	}
}

// compute computes what is due, and keeps acts if there is an archive.
func (j *Jobs) compute(ctx context.Context) ([]activity.Computed, error) {
	if j.closing.Archive == nil {
		return j.activity.Compute(ctx)
	}
	return keepsActs(j).Compute(ctx)
}

// pruneActs deletes the kept acts of days whose boards no longer change.
func (j *Jobs) pruneActs(ctx context.Context) error {
	if j.activity == nil || j.closing.Archive == nil {
		return nil
	}
	return keepsActs(j).Prune(ctx)
}
