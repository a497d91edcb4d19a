// Package app wires the product together: configuration in, handlers out. It
// is the one place where every part meets; it decides nothing else.
package app

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	openapi "github.com/framedle/leaderboards/api"
	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/upstash"
)

// Parts are what an App is made of. Verifiers may be nil: their kind of
// credential is then refused.
type Parts struct {
	Game       *game.Game
	Redis      *upstash.Client
	Sessions   api.Sessions
	Signatures api.Signatures
	Operators  api.Operators
	Now        func() time.Time
	Log        *slog.Logger
	// GatherNames is for hosts that run on between requests, see board.Options.
	GatherNames bool
}

// App is the wired product. A function uses the part that is its own.
type App struct {
	game  *game.Game
	store *board.Store
	api   *api.API
	log   *slog.Logger
	now   func() time.Time
}

// New wires an App.
func New(p Parts) *App {
	store := board.New(board.Options{Redis: p.Redis, Game: p.Game, Now: p.Now, GatherNames: p.GatherNames})
	return &App{
		game: p.Game, store: store, log: p.Log, now: p.Now,
		api: api.New(api.Config{
			Game: p.Game, Store: store, Now: p.Now, Log: p.Log, OpenAPI: openapi.Document,
			Sessions: p.Sessions, Signatures: p.Signatures, Operators: p.Operators,
		}),
	}
}

// Submit is the handler of the function submit.
func (a *App) Submit() http.Handler { return a.api.Submit() }

// Leaderboard is the handler of the function leaderboard.
func (a *App) Leaderboard() http.Handler { return a.api.Leaderboard() }

// CronDaily is the function cron-daily: it folds the days that are about to
// leave Redis into what outlives them.
func (a *App) CronDaily(ctx context.Context, _ time.Time) (any, error) {
	report, err := a.store.FoldDays(ctx)
	if err != nil {
		return nil, fmt.Errorf("cron-daily: %w", err)
	}
	if len(report.Gone) > 0 {
		a.log.LogAttrs(ctx, slog.LevelWarn, "day boards expired before they were folded", slog.Any("boards", report.Gone))
	}
	return report, nil
}

// CronWeekly is the function cron-weekly: it completes the boards of the week,
// and of the month, that ended last before the time it was due.
func (a *App) CronWeekly(ctx context.Context, at time.Time) (any, error) {
	reports := []board.PeriodReport{}
	for _, kind := range []game.PeriodKind{game.Week, game.Month} {
		p := a.lastClosed(kind, at)
		report, err := a.store.RefreshPeriod(ctx, p)
		if err != nil {
			return nil, fmt.Errorf("cron-weekly: %w", err)
		}
		reports = append(reports, report)
	}
	return reports, nil
}

// lastClosed is the newest period of a kind that was closed at a time.
func (a *App) lastClosed(kind game.PeriodKind, at time.Time) game.Period {
	p := kind.Of(game.DateOf(at))
	for !a.game.Closed(p, at) {
		p, _ = p.Previous()
	}
	return p
}

// KeepNames writes gathered names every second until ctx ends, and once more
// then. Only for hosts that run on between requests.
func (a *App) KeepNames(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			a.flushNames(ctx)
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
			defer cancel()
			a.flushNames(last)
			return
		}
	}
}

func (a *App) flushNames(ctx context.Context) {
	if err := a.store.FlushProfiles(ctx); err != nil {
		a.log.LogAttrs(ctx, slog.LevelWarn, "names are kept for the next attempt", slog.String("error", err.Error()))
	}
}
