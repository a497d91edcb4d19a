package status_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

// Rows of the record whose month has no table are a problem until cron-daily has moved them.
func TestRowsOfTheRecordWithoutATableAreAProblem(t *testing.T) {
	k := newKit(t)
	recorded := app.New(app.Parts{
		Game: testkit.Game(t, testGame+"outbox: true\naudit: {since: 2026-01-01}\n"), Redis: k.client,
		Now: func() time.Time { return k.now }, Log: slog.New(slog.DiscardHandler),
	})
	history := testkit.Archive(t, k.url)
	reporter := jobs.Status(recorded, history, k.reporter.Plan)
	found := func() []string {
		return k.watch("cron-save", reporter)
	}
	require.Empty(t, found())
	k.sql(`INSERT INTO score_audit (at, n, mode, date, player, stored, outcome, played_at)
		SELECT '2026-11-16T10:00:00Z', n, 'word', '2026-11-16', 'ana', 5, 'accepted', '2026-11-16T10:00:00Z' FROM generate_series(1, 3) AS n`)
	require.Equal(t, []string{"3 rows of score_audit are in its default partition, since their month has none"}, found())
	s, err := reporter.Report(t.Context())
	require.NoError(t, err)
	require.False(t, s.Good)
	require.Contains(t, s.Problems[0].Do, "cron-daily")
	require.Empty(t, k.watch("cron-save", k.reporter), "a game without a record has nothing to say of it")
	_, err = jobs.New(recorded, history).Closing().Daily(t.Context())
	require.NoError(t, err)
	require.Empty(t, found())
}
