package jobs_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/playerdata"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

// Each page is bounded, and all pages together have each row once.
func TestPagesTogetherAreEverythingOnce(t *testing.T) {
	w := newWorld(t, "", true)
	ctx := t.Context()
	const days, sent, acts = 21_000, 10_500, 10_050
	first := game.NewDate(2026, 11, 9).AddDays(1 - days)
	conn, err := pgx.Connect(ctx, w.database)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	fill := func(statement string, args ...any) {
		_, err := conn.Exec(ctx, statement, args...)
		require.NoError(t, err)
	}
	fill(`SELECT ensure_results_partition(m::date) FROM generate_series($1::date, '2026-11-30'::date, interval '1 month') AS m`, first.Midnight())
	fill(`INSERT INTO results (mode, date, player, stored) SELECT 'daily', $1::date + n, 'user_a', 500 FROM generate_series(0, $2::int - 1) AS n`, first.Midnight(), days)
	// All rows have the same time, so the rest of a row's place decides.
	fill(`INSERT INTO submissions (mode, date, stream_id, player, stored, at) SELECT 'daily', '2026-11-09', n || '-0', 'user_a', 500, $1 FROM generate_series(1, $2::int) AS n`, w.now, sent)
	fill(`INSERT INTO audit (id, at, actor, action, player) SELECT 'id' || n, $1, 'operator', 'ban', 'user_a' FROM generate_series(1, $2::int) AS n`, w.now, acts)
	w.play("user_a", "daily", 600)

	service := w.people()
	d, err := service.Player(ctx, "user_a", "")
	require.NoError(t, err)
	require.Equal(t, "2026-11-10", d.Results[0].Date)
	results, submissions, audit := map[string]bool{}, 0, map[string]bool{}
	for pages := 1; ; pages++ {
		require.LessOrEqual(t, len(d.Results), 20_000)
		require.LessOrEqual(t, len(d.Submissions), 10_000)
		require.LessOrEqual(t, len(d.Acts), 10_000)
		text, err := json.Marshal(d)
		require.NoError(t, err)
		require.Less(t, len(text), 5<<20)
		for _, r := range d.Results {
			require.False(t, results[r.Date], r.Date)
			results[r.Date] = true
		}
		submissions += len(d.Submissions)
		for _, act := range d.Acts {
			require.False(t, audit[act.ID], act.ID)
			audit[act.ID] = true
		}
		if d.Next == nil {
			require.Greater(t, pages, 1)
			break
		}
		before := w.client.Meter().Usage().Commands
		d, err = service.Player(ctx, "user_a", *d.Next)
		require.NoError(t, err)
		require.Nil(t, d.About)
		require.Equal(t, before, w.client.Meter().Usage().Commands, "a further page asks nothing of Redis")
	}
	require.Len(t, results, days+1)
	require.Equal(t, sent, submissions)
	require.Len(t, audit, acts)
}

func TestACursorIsThePlayersOwnAndOfTheLastHour(t *testing.T) {
	w := newWorld(t, "", false)
	duels := jobs.Duels(w.app, nil)
	for i := range 130 {
		_, err := duels.Arrange(t.Context(), fmt.Sprint("match-", i), [2]string{"user_a", fmt.Sprint("user_", i)}, "")
		require.NoError(t, err)
		w.now = w.now.Add(time.Second)
	}
	service := w.people()
	d := w.read("user_a")
	require.Len(t, part[[]listed](t, d, "duels"), 100)
	require.NotNil(t, d.Next)
	require.NoError(t, service.CheckCursor("user_a", *d.Next))
	require.ErrorIs(t, service.CheckCursor("user_b", *d.Next), playerdata.ErrCursor)
	require.ErrorIs(t, service.CheckCursor("user_a", (*d.Next)[1:]), playerdata.ErrCursor)
	require.ErrorIs(t, service.CheckCursor("user_a", "AAAA"), playerdata.ErrCursor)
	for range playerdata.MostPages {
		again, err := service.ExportPage(t.Context(), "user_a", *d.Next)
		require.NoError(t, err)
		require.Nil(t, again.Next)
	}
	var often *playerdata.TooOftenError
	_, err := service.ExportPage(t.Context(), "user_a", *d.Next)
	require.ErrorAs(t, err, &often, "each may be some megabytes")

	rest, err := service.Player(t.Context(), "user_a", *d.Next)
	require.NoError(t, err)
	require.Len(t, part[[]listed](t, rest, "duels"), 30)
	require.Nil(t, rest.Next)
	require.Equal(t, "match-129", part[[]listed](t, d, "duels")[0].ID)
	require.Equal(t, "match-0", part[[]listed](t, rest, "duels")[29].ID)
	w.now = w.now.Add(time.Hour + time.Second)
	require.ErrorIs(t, service.CheckCursor("user_a", *d.Next), playerdata.ErrCursor)
}
