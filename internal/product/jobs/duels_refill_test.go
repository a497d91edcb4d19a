package jobs_test

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/feature/duel/duelstore"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/product/jobs"
	"github.com/framedle/leaderboards/upstash"
)

// anotherHistory replaces the lost database by an empty one.
func (d *duelist) anotherHistory() {
	d.history = testkit.Archive(d, archivetest.Database(d.T), jobs.Tables()...)
	d.duels = jobs.Duels(d.app, d.history)
}

// numbers returns a board by player.
func (d *duelist) numbers(key string) map[string]float64 {
	of := map[string]float64{}
	texts := d.board(key)
	for i := 0; i < len(texts); i += 2 {
		n, err := strconv.ParseFloat(texts[i+1], 64)
		require.NoError(d, err)
		of[texts[i]] = n
	}
	return of
}

// A lost history of duels is made again from what Redis knows: the duels that it still has,
// and the totals of those that it no longer has. A loss of Redis after that loses nothing.
func TestALostHistoryOfDuelsIsMadeAgain(t *testing.T) {
	onDuels(t, func(d *duelist) {
		d.play(300)
		_, err := d.duels.Arrange(d.Context(), "old", [2]string{"user_gone", "user_3"}, "")
		require.NoError(d, err)
		_, err = d.duels.Report(d.Context(), "old", duel.Result{Winner: "user_gone"})
		require.NoError(d, err)
		d.now = d.now.Add(25 * time.Hour)
		_, err = d.duels.Keeper().Keep(d.Context())
		require.NoError(d, err)
		d.play(60)
		for n := range 200 { // have left Redis
			_, err := d.app.Redis().Do(d.Context(), upstash.Cmd("DEL", game.DuelRecordKey(fmt.Sprint("m", n))))
			require.NoError(d, err)
		}
		_, err = d.app.Redis().Do(d.Context(), upstash.Cmd("DEL", game.DuelRecordKey("old")))
		require.NoError(d, err)

		d.anotherHistory()
		handed := 0
		for range 2 { // repeating changes nothing
			for cursor := ""; ; {
				past, next, err := d.duels.Keeper().ListPast(d.Context(), cursor)
				require.NoError(d, err)
				require.NoError(d, duelstore.In(d.history).Put(d.Context(), past))
				handed += len(past)
				if cursor = next; next == "" {
					break
				}
			}
			_, left, err := d.duels.Keeper().Carry(d.Context())
			require.NoError(d, err)
			require.Zero(d, left)
			d.agree()
		}
		require.GreaterOrEqual(d, handed, 2*100)
		lacks, err := d.duels.Keeper().Lacks(d.Context())
		require.NoError(d, err)
		require.Empty(d, lacks)

		d.play(40) // on top of what was carried
		d.now = d.now.Add(25 * time.Hour)
		_, err = d.duels.Keeper().Keep(d.Context())
		require.NoError(d, err)
		d.agree()
		ratings, xp, played := d.numbers(game.DuelKey), d.numbers(game.DuelXPKey), d.played()
		require.Contains(d, ratings, "user_gone")
		d.lose()
		_, err = d.duels.Keeper().Restore(d.Context(), false)
		require.NoError(d, err)
		require.InDeltaMapValues(d, ratings, d.numbers(game.DuelKey), 1e-9)
		require.Equal(d, xp, d.numbers(game.DuelXPKey))
		require.Equal(d, played, d.played())
		d.agree()
	})
}

// Challenges, and duels that wait for a result, come back after a loss of Redis as they were
// when last archived. The archive forgets them when they end.
func TestDuelsUnderWayOutliveRedis(t *testing.T) {
	onDuels(t, func(d *duelist) {
		ctx := d.Context()
		open, err := d.duels.Challenge(ctx, "user_a", "", "daily")
		require.NoError(d, err)
		named, err := d.duels.Challenge(ctx, "user_a", "user_b", "")
		require.NoError(d, err)
		ready, err := d.duels.Arrange(ctx, "ready", [2]string{"user_a", "user_c"}, "")
		require.NoError(d, err)
		ready, err = d.duels.Report(ctx, ready.ID, duel.Result{Player: "user_a", Winner: "user_a"})
		require.NoError(d, err)
		_, err = d.duels.Arrange(ctx, "over", [2]string{"user_a", "user_c"}, "")
		require.NoError(d, err)
		_, err = d.duels.Keeper().Keep(ctx)
		require.NoError(d, err)
		_, err = d.duels.Report(ctx, "over", duel.Result{Winner: "user_c"})
		require.NoError(d, err)
		_, err = d.duels.Keeper().Keep(ctx)
		require.NoError(d, err)
		played := d.played()

		d.lose()
		dry, err := d.duels.Keeper().Restore(ctx, true)
		require.NoError(d, err)
		require.Equal(d, 3, dry.Open)
		for n := range 2 {
			report, err := d.duels.Keeper().Restore(ctx, false)
			require.NoError(d, err)
			require.Equal(d, []int{3, 0}[n], report.Open)
		}
		require.Equal(d, played, d.played())
		for _, was := range []duel.Duel{open, named, ready} {
			is, err := d.duels.Duel(ctx, was.ID)
			require.NoError(d, err)
			require.Equal(d, was, is)
		}
		listed, err := d.duels.Of(ctx, "user_b", duel.Mark{}, 10)
		require.NoError(d, err)
		require.Len(d, listed, 1)
		_, err = d.duels.Accept(ctx, named.ID, "user_b")
		require.NoError(d, err)
		_, err = d.duels.Report(ctx, ready.ID, duel.Result{Player: "user_c", Winner: "user_a"})
		require.NoError(d, err)
		d.now = d.now.Add(60 * 24 * time.Hour) // all of their times are over
		_, err = d.duels.Keeper().Keep(ctx)
		require.NoError(d, err)
		d.lose()
		report, err := d.duels.Keeper().Restore(ctx, false)
		require.NoError(d, err)
		require.Zero(d, report.Open, "what has ended is forgotten")
	})
}
