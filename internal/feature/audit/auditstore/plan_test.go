package auditstore_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/feature/audit"
	"github.com/framedle/leaderboards/internal/feature/audit/auditstore"
	"github.com/framedle/leaderboards/internal/game"
)

// Reading a page of a mode or a player is a run of an index in each month, however much
// there is.
func TestThePagesOfTheRecordAreReadFromItsIndexes(t *testing.T) {
	url := archivetest.Database(t)
	a, err := archive.Open(archive.Options{URL: url})
	require.NoError(t, err)
	t.Cleanup(func() { a.Close(t.Context()) })
	ctx, today, noon := t.Context(), game.NewDate(2026, time.November, 21), time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	var sent []game.Posted
	for i := range 5000 {
		sent = append(sent, game.Posted{StreamID: fmt.Sprintf("1795000000000-%d", i), Mode: "daily", Date: today.AddDays(-i % 9), Player: fmt.Sprint("p", i%50), Stored: 1.5, At: noon})
	}
	added, err := auditstore.In(a).Record(ctx, sent, func(auditstore.History) (rows []audit.Entry, err error) {
		for i, s := range sent {
			rows = append(rows, audit.Entry{Posted: s, Taken: time.UnixMilli(1795000000000).UTC(), N: int64(i), Outcome: game.Accepted})
		}
		return rows, nil
	})
	require.NoError(t, err)
	require.EqualValues(t, 5000, added)
	c, err := pgx.Connect(ctx, url)
	require.NoError(t, err)
	defer c.Close(ctx)
	_, err = c.Exec(ctx, "VACUUM ANALYZE score_audit")
	require.NoError(t, err)
	for name, q := range map[string]string{
		"score_audit_default_pkey":                      auditstore.Queries()["mode"],
		"score_audit_default_player_date_mode_at_n_idx": auditstore.Queries()["player"],
	} {
		args := []any{today.AddDays(-900).Midnight(), today.Midnight(), today.AddDays(-4).Midnight(), "daily", noon, 5, 100, "daily", "p1"}
		rows, err := c.Query(ctx, "EXPLAIN (COSTS OFF) "+q, args[:8+strings.Count(q, "player = $9")]...)
		require.NoError(t, err)
		plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err)
		require.Contains(t, strings.Join(plan, "\n"), name)
		require.NotContains(t, strings.Join(plan, "\n"), "Seq Scan on score_audit")
	}
}
