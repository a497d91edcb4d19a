package app

import (
	"context"
	"log/slog"
	"os/signal"
	"syscall"
	"time"

	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/feature/play"
	"github.com/framedle/leaderboards/internal/feature/queue"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/host"
	"github.com/framedle/leaderboards/internal/platform/usage"
)

// TakeScores takes messages from a queue of another system. Each message is an item of POST
// /v1/scores/batch, or has events in the form of the body of POST /v1/events. It returns the
// ids of messages to deliver again, and, for messages that can never be read, the reason.
type TakeScores func(ctx context.Context, messages []host.QueueMessage) (again []string, dead map[string]string, err error)

// RunConsumer configures itself from the process's environment and consumes a queue that is
// not Lambda's, until a signal ends the process.
func RunConsumer(consume func(ctx context.Context, log *slog.Logger, take TakeScores) error) {
	run(Linked{}, func(ctx context.Context, a *App, w watch, _ *host.Ending) error {
		ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
		defer stop()
		return consume(ctx, a.Log(), w.taking(a.TakeScores()))
	})
}

// taking meters each batch like the run of a schedule, because there is no request.
func (w watch) taking(take TakeScores) TakeScores {
	return func(ctx context.Context, messages []host.QueueMessage) (again []string, dead map[string]string, err error) {
		metered := w.Scheduled(func(ctx context.Context, _ time.Time) (any, error) {
			usage.CalledBy(ctx, usage.Caller{Kind: usage.Queue})
			again, dead, err = take(ctx, messages)
			return nil, err
		})
		_, _ = metered(ctx, time.Time{})
		return again, dead, err
	}
}

// early is how far the clock of a message's sender may be ahead.
const early = time.Minute

// TakeScores makes the function that reads messages as scores of a game server, played when
// they were sent, and writes them like the function ingest.
//
// Cost: that of [queue.Ingest.Write]; messages that cannot be read cost nothing.
func (a *App) TakeScores() TakeScores {
	ingest, reader := a.Ingest(), api.Reader{
		Game:  a.parts.Game,
		Plays: play.Submitted{Game: a.parts.Game, Dealer: a.plays},
	}
	return func(ctx context.Context, messages []host.QueueMessage) (again []string, dead map[string]string, err error) {
		others, again, dead := ingest.Events.Take(ctx, messages)
		var scores []queue.Score
		for _, m := range others {
			var sub game.Submission
			var err error
			if m.Sent.After(a.Now().Add(early)) {
				dead[m.ID] = "its time is in the future: " + m.Sent.UTC().Format(time.RFC3339)
				continue
			}
			if sub, err = reader.ReadIncoming([]byte(m.Body), m.Sent, m.ID); err != nil {
				dead[m.ID] = problem.Of(err).Error()
				continue
			}
			scores = append(scores, queue.Score{Message: m.ID, Submission: sub})
		}
		return append(again, ingest.Write(ctx, scores)...), dead, nil
	}
}

// RunQueue is RunHTTP for a function that takes messages of a queue.
func RunQueue(f func(*App) host.QueueFunc) {
	run(Linked{}, func(ctx context.Context, a *App, w watch, ending *host.Ending) error {
		take := f(a)
		return host.RunQueue(ctx, func(ctx context.Context, messages []host.QueueMessage) (failed []string, err error) {
			// Metered like the run of a schedule, because there is no request.
			metered := w.Scheduled(func(ctx context.Context, _ time.Time) (any, error) {
				usage.CalledBy(ctx, usage.Caller{Kind: usage.Queue})
				failed, err = take(ctx, messages)
				return nil, err
			})
			_, _ = metered(ctx, time.Time{})
			return failed, err
		}, ending)
	})
}

// Ingest is the work of the function ingest.
func (a *App) Ingest() *queue.Ingest {
	events := queue.Events{Log: a.parts.Log}
	if a.activity != nil {
		events.Acts = a.activity
	}
	return &queue.Ingest{Game: a.parts.Game, Store: a.store.Boards, Log: a.parts.Log, Events: events,
		Beside: a.parts.Events.Beside,
	}
}
