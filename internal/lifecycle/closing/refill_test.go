package closing_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
)

// Postgres is lost with everything in it: the next daily run archives every closed day whose
// boards still live, to the last bit, groups and details too.
func TestALostPostgresIsRefilled(t *testing.T) {
	k := newKit(t)
	ctx := context.Background()
	k.playDays(monday, 5, 6)
	k.agree()
	k.url = archivetest.Database(t)
	missed := k.differences()
	for _, m := range k.game.Modes {
		require.Equal(t, "not archived", missed[game.DayBoardKey(m.Name, monday)].Postgres)
	}

	report, err := k.process().Daily(ctx)
	require.NoError(t, err)
	require.Len(t, report.Refilled, 5*len(k.game.Modes))
	require.Equal(t, monday.String(), report.Refilled[0].Date, "the oldest first: it expires first")
	k.agree()
	again, err := k.process().Daily(ctx)
	require.NoError(t, err)
	require.Empty(t, again.Refilled)
	require.LessOrEqual(t, again.Commands, int64(25), "and finding that out is cheap")

	before := k.contents()
	k.lose()
	k.restore()
	k.agree()
	after := k.contents()
	for _, m := range k.game.Modes {
		key := game.DayBoardKey(m.Name, monday)
		require.Equal(t, before[key], after[key])
	}
	require.Equal(t, before[game.XPKey], after[game.XPKey])
}

func TestClosedDaysAreArchivedAgainByHand(t *testing.T) {
	k := newKit(t)
	ctx := context.Background()
	k.playDays(monday, 3, 4)
	none, err := k.process().Refill(ctx, closing.RefillOptions{})
	require.NoError(t, err)
	require.Empty(t, none, "the archive has them all")
	steps := 0
	o := closing.RefillOptions{Dates: []game.Date{monday.AddDays(1)}, Step: func(int, int) { steps++ }}
	one, err := k.process().Refill(ctx, o)
	require.NoError(t, err)
	require.Len(t, one, len(k.game.Modes))
	require.Equal(t, len(one), steps)
	k.agree()
}

// An earlier program may have lost the groups of days that it saved while or after they
// closed. Verify names such days, and the next daily run archives them again. It does not do
// so for days that are known to be as they closed.
func TestDaysThatMayHaveLostTheirGroupsAreArchivedAgain(t *testing.T) {
	for name, as := range map[string]string{
		"before closings were noted": `closing = 0`,
		"beside this program":        `begun = begun + 1, finished = begun + 1`,
	} {
		t.Run(name, func(t *testing.T) {
			k := newKit(t)
			ctx := context.Background()
			k.playDays(monday, 3, 6)
			k.agree()
			lost := monday.AddDays(1)
			conn, err := pgx.Connect(ctx, k.url)
			require.NoError(t, err)
			defer func() { _ = conn.Close(ctx) }()
			for _, sql := range []string{`UPDATE results SET scopes = NULL WHERE date = $1`, `UPDATE archived_days SET ` + as + ` WHERE date = $1`} {
				_, err = conn.Exec(ctx, sql, lost.Midnight())
				require.NoError(t, err)
			}
			green, err := game.GroupScope("green")
			require.NoError(t, err)
			require.Equal(t, "-", k.differences()[game.BoardKey("first", game.Day.Of(lost), green)].Postgres)

			report, err := k.process().Daily(ctx)
			require.NoError(t, err)
			require.Len(t, report.Refilled, len(k.game.Modes), "of that day alone")
			for _, did := range report.Refilled {
				require.Equal(t, lost.String(), did.Date)
			}
			k.agree()
			again, err := k.process().Daily(ctx)
			require.NoError(t, err)
			require.Empty(t, again.Refilled)
		})
	}
}

// A database without tables is treated like one that refuses writes: days still close, count
// and are rolled up.
func TestADatabaseWithoutTablesKeepsNoDayFromClosing(t *testing.T) {
	k := newKit(t)
	ctx := context.Background()
	k.playDays(monday, 2, 4)
	d := monday.AddDays(2)
	k.at(d, 12, 0)
	k.play("first", "ana", d, 200)
	k.url = archivetest.Database(t)
	conn, err := pgx.Connect(ctx, k.url)
	require.NoError(t, err)
	defer func() { _ = conn.Close(ctx) }()
	_, err = conn.Exec(ctx, "DROP SCHEMA public CASCADE; CREATE SCHEMA public")
	require.NoError(t, err)
	k.at(d.AddDays(1), 0, 20)
	report, err := k.process().Daily(ctx)
	require.ErrorIs(t, err, lifecycle.ErrNotArchived)
	require.Len(t, report.Closed, 1)
	me, err := k.process().Store.Boards.Me(ctx, "ana", nil)
	require.NoError(t, err)
	require.EqualValues(t, 300, me.XP)
}
