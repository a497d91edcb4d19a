package archive_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/migrations"
)

// A database that holds what an earlier version kept takes the later files and
// loses nothing, whichever version that was.
func TestMigrationsKeepWhatIsThere(t *testing.T) {
	url := archivetest.Database(t)
	files, err := filepath.Glob("../../migrations/*.sql")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	a, _ := openAt(t, url, 1)
	given := results(10, func(i int) float64 { return float64(i) + 0.25 })
	week := game.BoardOf(mode(t, "daily", fields{}), game.Week.Of(today), game.Scope{})

	apply(t, url, `DROP SCHEMA public CASCADE; CREATE SCHEMA public`)
	for n, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		apply(t, url, string(text))
		switch n {
		case 0:
			apply(t, url, fmt.Sprintf(`SELECT ensure_results_partition('%[1]s'); INSERT INTO archived_days (mode, date, players) VALUES ('daily', '%[1]s', %[2]d)`, today, len(given)))
			for _, r := range given {
				apply(t, url, fmt.Sprintf(`INSERT INTO results (mode, date, player, stored) VALUES ('daily', '%s', '%s', %v)`, today, r.Player, r.Stored))
			}
		case 1:
			require.NoError(t, a.Profiles.Put(ctx, []game.PlayerProfile{{Player: "p", Profile: game.Profile{Name: "Paula"}, UpdatedAt: noon}}))
			keepSnapshot(t, a, week, []game.Entry{{Rank: 1, Player: "p", Score: 1, Stored: 1.5}}, 1)
		}
	}
	require.Equal(t, given, day(t, a, "daily", today))
	profiles, err := a.Profiles.Of(ctx, []string{"p"})
	require.NoError(t, err)
	require.Len(t, profiles, 1)
	s, err := a.Snapshots.Of(ctx, week)
	require.NoError(t, err)
	require.Len(t, s.Entries, 1)
}

func TestMigratingAFilledDatabaseAgainChangesNothing(t *testing.T) {
	url := archivetest.Database(t)
	a, _ := openAt(t, url, 1)
	given := results(10, func(i int) float64 { return float64(i) + 0.25 })
	put(t, a, "daily", today, given...)
	applied, err := migrations.Up(ctx, url)
	require.NoError(t, err)
	require.Empty(t, applied)
	require.Equal(t, given, day(t, a, "daily", today))
}

// apply runs a file as it is: what directs the migrations are comments in SQL.
func apply(t *testing.T, url, text string) {
	t.Helper()
	c, err := pgx.Connect(ctx, url)
	require.NoError(t, err)
	defer c.Close(ctx)
	_, err = c.PgConn().Exec(ctx, text).ReadAll()
	require.NoError(t, err)
}
