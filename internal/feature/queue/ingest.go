package queue

import (
	"context"
	"errors"
	"log/slog"

	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
	"github.com/framedle/leaderboards/internal/platform/host"
	"github.com/framedle/leaderboards/internal/platform/usage"
)

// Store writes queued submissions, see [leaderboard.Store.SubmitQueued].
type Store interface {
	SubmitQueued(ctx context.Context, subs []game.Submission) (accepted int, errs []error)
}

// Ingest writes the messages of the queue.
type Ingest struct {
	Game  *game.Game
	Store Store
	Log   *slog.Logger
	// Beside is called with scores before they are written; the caller calls done after the
	// write, and done waits until those who watch have been notified. Nil: nobody is notified.
	Beside func(...game.Submission) (done func())
	Events Events
}

// Take writes a batch. It returns the messages to deliver again: those that cannot be written
// now, and those that cannot be read, which become dead letters that way. Scores that a rule
// refuses permanently are logged and done. Take never fails as a whole.
//
// It takes messages of events before those of scores.
//
// Cost: that of Events.Take and of Write; messages that cannot be read cost nothing.
func (in *Ingest) Take(ctx context.Context, messages []host.QueueMessage) (failed []string, err error) {
	others, failed, dead := in.Events.Take(ctx, messages)
	for _, m := range messages {
		if why, is := dead[m.ID]; is {
			in.Log.LogAttrs(ctx, slog.LevelError, "queued events cannot be read: they go to the dead letters",
				slog.String("message", m.ID), slog.Int("receives", m.Receives), slog.String("error", why))
			failed = append(failed, m.ID)
		}
	}
	scores := make([]Score, 0, len(others))
	for _, m := range others {
		sub, err := Decode(in.Game, m.Body)
		if err != nil {
			in.Log.LogAttrs(ctx, slog.LevelError, "a queued score cannot be read: it goes to the dead letters",
				slog.String("message", m.ID), slog.Int("receives", m.Receives), slog.String("error", err.Error()))
			failed = append(failed, m.ID)
			continue
		}
		scores = append(scores, Score{m.ID, sub})
	}
	return append(failed, in.Write(ctx, scores)...), nil
}

// Score is a submission, and the id of the message that brought it.
type Score struct {
	Message    string
	Submission game.Submission
}

// Write writes scores that were read. It returns the messages to deliver again.
//
// Cost: that of SubmitQueued.
func (in *Ingest) Write(ctx context.Context, scores []Score) (failed []string) {
	if len(scores) == 0 {
		return nil
	}
	subs := make([]game.Submission, len(scores))
	for i, s := range scores {
		subs[i] = s.Submission
	}
	var waiting int
	var reason error
	answer := func() {}
	if in.Beside != nil {
		answer = in.Beside(subs...)
	}
	accepted, errs := in.Store.SubmitQueued(ctx, subs)
	answer()
	usage.Accepted(ctx, accepted)
	for i, err := range errs {
		switch {
		case err == nil:
		case refused(err):
			in.Log.LogAttrs(ctx, slog.LevelWarn, "a queued score was rejected",
				slog.String("message", scores[i].Message), slog.String("mode", subs[i].Mode.Name), slog.String("date", subs[i].Date.String()),
				slog.String("error", err.Error()))
		default:
			failed = append(failed, scores[i].Message)
			waiting, reason = waiting+1, err
		}
	}
	if waiting > 0 {
		in.Log.LogAttrs(ctx, slog.LevelError, "queued scores could not be written: they are retried",
			slog.Int("scores", waiting), slog.Int("of", len(scores)), slog.String("error", reason.Error()))
	}
	return failed
}

// refused reports whether an error is permanent: a repetition would fail in the same way.
func refused(err error) bool {
	for _, final := range []error{control.ErrBanned, leaderboard.ErrDaySealed, leaderboard.ErrDayTotal, leaderboard.ErrKeyReused} {
		if errors.Is(err, final) {
			return true
		}
	}
	return false
}
