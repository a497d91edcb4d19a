package jobs_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/leaderboard"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

var monday = game.NewDate(2026, time.November, 16)

func mode(t *testing.T) *game.Mode {
	g, err := gamefile.Parse("test.yaml", []byte("name: testing\nmodes:\n  daily: {max: 1000, details: true}\n"))
	require.NoError(t, err)
	m, ok := g.Mode("daily")
	require.True(t, ok)
	return m
}

func open(t *testing.T, url string) *archive.Archive {
	return testkit.Archive(t, url, jobs.Tables()...)
}

func TestADayNobodyPlayedIsEmpty(t *testing.T) {
	h := jobs.NewHistory(open(t, archivetest.Database(t)))
	for _, kind := range []game.PeriodKind{game.Day, game.Week, game.Month} {
		b := game.Board{Mode: mode(t), Period: kind.Of(monday)}
		run, err := h.Page(t.Context(), b, 10, 0, nil)
		require.NoError(t, err)
		require.Zero(t, run.Total)
		require.Empty(t, run.Entries)
		_, err = h.Standing(t.Context(), b, "ana")
		require.ErrorIs(t, err, leaderboard.ErrNotOnBoard)
		_, err = h.Around(t.Context(), b, "ana", 5)
		require.ErrorIs(t, err, leaderboard.ErrNotOnBoard)
		found, err := h.Lookup(t.Context(), b, []string{"ana"})
		require.NoError(t, err)
		require.Empty(t, found)
	}
}

func TestADatabaseThatIsAwayIsToldFromACallerWhoGaveUp(t *testing.T) {
	h := jobs.NewHistory(open(t, "postgres://nobody@127.0.0.1:1/none"))
	b := game.Board{Mode: mode(t), Period: game.Day.Of(monday)}
	questions := map[string]func(context.Context) error{
		"page":     func(ctx context.Context) error { _, err := h.Page(ctx, b, 10, 0, nil); return err },
		"standing": func(ctx context.Context) error { _, err := h.Standing(ctx, b, "ana"); return err },
		"around":   func(ctx context.Context) error { _, err := h.Around(ctx, b, "ana", 5); return err },
		"lookup":   func(ctx context.Context) error { _, err := h.Lookup(ctx, b, []string{"ana"}); return err },
		"badges":   func(ctx context.Context) error { _, err := h.Badges(ctx, "ana", 50); return err },
		"profile":  func(ctx context.Context) error { return h.KeepProfile(ctx, "ana", game.Profile{}, time.Time{}) },
	}
	gaveUp, cancel := context.WithCancel(t.Context())
	cancel()
	for name, ask := range questions {
		t.Run(name, func(t *testing.T) {
			require.ErrorIs(t, ask(t.Context()), problem.ErrHistoryAway)
			err := ask(gaveUp)
			require.ErrorIs(t, err, context.Canceled)
			require.NotErrorIs(t, err, problem.ErrHistoryAway)
		})
	}
}

// A hidden player stays hidden after everything was made again from the archive.
func TestAProfileIsKeptAsItIsShown(t *testing.T) {
	a := open(t, archivetest.Database(t))
	p := game.Profile{Name: "Ana", Picture: "https://img.test/a.png", Country: "PT", Hidden: true}
	at := monday.Midnight()
	require.NoError(t, jobs.NewHistory(a).KeepProfile(t.Context(), "ana", p, at))
	kept, err := a.Profiles.Of(t.Context(), []string{"ana"})
	require.NoError(t, err)
	require.Len(t, kept, 1)
	require.Equal(t, fmt.Sprint("Ana", p.Picture, "PT", true, at), fmt.Sprint(kept[0].Name, kept[0].Picture, kept[0].Country, kept[0].Hidden, kept[0].UpdatedAt.UTC()))
}
