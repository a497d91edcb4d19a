package jobs_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

// product is the jobs and removals of Framedle over both stores.
type product struct {
	app      *app.App
	history  *archive.Archive
	jobs     *jobs.Jobs
	removals *lifecycle.Removals
	now      time.Time
}

func newProduct(t *testing.T) *product {
	client := testkit.NewRedis(t, "").Client
	g, err := app.LoadGame("")
	require.NoError(t, err)
	history := testkit.Archive(t, archivetest.Database(t), jobs.Tables()...)
	p := &product{history: history, now: time.Date(2026, 11, 10, 12, 0, 0, 0, time.UTC)}
	p.app = app.New(app.Parts{Game: g, Redis: client, Now: func() time.Time { return p.now }, Log: slog.New(slog.DiscardHandler)})
	p.jobs, p.removals = jobs.New(p.app, history), jobs.Removals(p.app, history)
	return p
}

// playDays makes two players play on each of some days, and closes each day.
func (p *product) playDays(t *testing.T, days int) (first game.Date) {
	ctx := context.Background()
	m := p.mode(t)
	first = game.DateOf(p.now)
	for day := range days {
		for i, player := range []string{"user_a", "user_b"} {
			_, err := p.app.Store().Boards.Submit(ctx, game.Submission{Mode: m, Player: player, Date: first.AddDays(day), Score: game.Score(100 * (i + 1)), At: p.now})
			require.NoError(t, err)
		}
		p.now = p.now.Add(13 * time.Hour)
		_, err := p.jobs.Daily(ctx, p.now)
		require.NoError(t, err)
		p.now = p.now.Add(11 * time.Hour)
	}
	return first
}

func (p *product) mode(t *testing.T) *game.Mode {
	m, ok := p.app.Game().Mode("daily_frame")
	require.True(t, ok)
	return m
}

func (p *product) allTime(t *testing.T, player string) game.Score {
	s := p.app.Store()
	entries, err := s.Boards.Lookup(context.Background(), game.BoardOf(p.mode(t), game.AllTime.Of(game.DateOf(p.now)), game.Scope{}), []string{player})
	require.NoError(t, err)
	if len(entries) == 0 {
		return 0
	}
	return entries[0].Score
}

func TestRemovalsReachTheArchiveAndAreNoted(t *testing.T) {
	p := newProduct(t)
	ctx := context.Background()
	first := p.playDays(t, 10)
	act := func(id string) lifecycle.Act { return lifecycle.Act{ID: id, Actor: "operator", At: p.now} }
	rows := func(player string) int {
		past, err := p.removals.Archive.Past(ctx, player)
		require.NoError(t, err)
		return len(past.Results)
	}
	require.Equal(t, 10, rows("user_a"))
	require.EqualValues(t, 1000, p.allTime(t, "user_a"))

	for range 2 {
		_, err := p.removals.Score(ctx, p.mode(t), first, "user_a", act("rolled up"))
		require.NoError(t, err)
		require.Equal(t, 9, rows("user_a"))
		require.EqualValues(t, 900, p.allTime(t, "user_a"))
	}
	report, err := p.removals.Ban(ctx, "user_a", "plays with a script", act("ban"))
	require.NoError(t, err)
	require.Positive(t, report.Results)
	require.EqualValues(t, 100*rows("user_a"), p.allTime(t, "user_a"), "what was rolled up stays, in both stores")

	for range 2 {
		_, err = p.removals.Erase(ctx, "user_a", act("erase"))
		require.NoError(t, err)
		require.Zero(t, rows("user_a"))
		require.Zero(t, p.allTime(t, "user_a"))
	}
	banned, err := p.history.Bans.Has(ctx, "user_a")
	require.NoError(t, err)
	require.True(t, banned, "a ban outlives the player's being erased")
	require.NoError(t, p.removals.Unban(ctx, "user_a", act("unban")))

	log, err := p.history.Audit.Before(ctx, "", game.Act{}, 100)
	require.NoError(t, err)
	acts := map[string]int{}
	for _, row := range log {
		acts[row.Action]++
		require.NotEqual(t, "user_a", row.Player)
	}
	require.Equal(t, 1, acts["ban"])
	require.Equal(t, 1, acts["erase"])
	require.Equal(t, 1, acts["unban"])
	require.Equal(t, 1+int(report.Results), acts["delete_result"])

	require.Equal(t, 10, rows("user_b"))
	require.EqualValues(t, 2000, p.allTime(t, "user_b"))
	p.now = p.now.Add(24 * time.Hour)
	_, err = p.jobs.Daily(ctx, p.now)
	require.NoError(t, err)
	require.Zero(t, rows("user_a"), "no closing brings anything back")
	require.EqualValues(t, 2000, p.allTime(t, "user_b"))
}
