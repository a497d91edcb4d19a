package jobs_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

func TestWhatDuelsGiveIsXP(t *testing.T) {
	onDuels(t, func(d *duelist) {
		d.play(120)
		job := d.job()
		for range 2 {
			_, err := job.Daily(d.Context(), d.now)
			require.NoError(d, err)
		}
		d.requireXP()
		d.play(120)
		for _, wait := range []time.Duration{0, 14 * time.Minute, time.Minute} {
			d.now = d.now.Add(wait)
			_, err := job.Save(d.Context(), d.now)
			require.NoError(d, err)
		}
		d.requireXP()
		for range 2 {
			d.lose()
			_, err := job.Restore(d.Context(), closing.RestoreOptions{})
			require.NoError(d, err)
			d.requireXP()
		}
	})
}

// requireXP compares the XP board and each player's own XP with a plain sum.
func (d *duelist) requireXP() {
	d.now = d.now.Add(time.Minute) // past the board's refresh
	for player, xp := range d.xp {
		me, err := d.app.Store().Boards.Me(d.Context(), player, nil)
		require.NoError(d, err)
		require.Equal(d, xp, me.XP, player)
	}
	m, _ := d.app.Store().DB.Game.ModeNamed(game.XPMode)
	page, err := d.app.Store().Boards.Page(d.Context(), game.BoardOf(m, game.AllTime.Of(game.DateOf(d.now)), game.Scope{}), game.PageRequest{Limit: 100})
	require.NoError(d, err)
	listed := map[string]int64{}
	for _, e := range page.Entries {
		listed[e.Player] = int64(e.Score)
	}
	require.Equal(d, d.xp, listed)
}

// XP of duels and XP of days add up, whatever closes, is rolled up or is removed.
func TestXPOfDuelsAndOfDaysAddUp(t *testing.T) {
	onDuels(t, func(d *duelist) {
		m, _ := d.app.Game().Mode("daily")
		score := func(player string, points game.Score) game.Date {
			date := game.DateOf(d.now)
			_, err := d.app.Store().Boards.Submit(d.Context(), game.Submission{Mode: m, Player: player, Date: date, Score: points})
			require.NoError(d, err)
			d.xp[player] += int64(points)
			return date
		}
		d.play(60)
		first := score("user_0", 7)
		score("user_1", 4)
		for range 9 { // until after the first day was rolled up
			d.now = d.now.Add(24 * time.Hour)
			_, err := d.job().Daily(d.Context(), d.now)
			require.NoError(d, err)
			d.requireXP()
			score("user_1", 1)
			d.play(5)
		}
		_, err := d.duels.Keeper().Keep(d.Context())
		require.NoError(d, err)
		d.requireXP()
		act := lifecycle.Act{ID: "1", Actor: "operator", At: d.now}
		_, err = jobs.Removals(d.app, d.history).Score(d.Context(), m, first, "user_0", act)
		require.NoError(d, err)
		d.xp["user_0"] -= 7
		d.requireXP()

		_, err = jobs.Removals(d.app, d.history).Erase(d.Context(), "user_1", lifecycle.Act{ID: "2", Actor: "operator", At: d.now})
		require.NoError(d, err)
		require.Positive(d, d.xp["user_1"])
		delete(d.xp, "user_1")
		d.requireXP()
		d.lose()
		_, err = d.job().Restore(d.Context(), closing.RestoreOptions{})
		require.NoError(d, err)
		d.requireXP()
		require.NotContains(d, d.ratings(), "user_1")
		d.agree()
	})
}

// A ban takes the XP of the player's duels off the board of XP at once, for good, whatever has
// become of them: taken into the board, decided just now, or under way. It stays away after a
// loss, and when the ban is lifted.
func TestABanTakesTheXPOfDuels(t *testing.T) {
	onDuels(t, func(d *duelist) {
		removals := jobs.Removals(d.app, d.history)
		d.play(60)
		_, err := d.duels.Keeper().Keep(d.Context())
		require.NoError(d, err)
		d.play(30) // which are not in XP yet
		ready, err := d.duels.Arrange(d.Context(), "ready", [2]string{"user_1", "user_2"}, "")
		require.NoError(d, err)
		d.now = d.now.Add(time.Minute)
		before, err := d.app.Store().Boards.Me(d.Context(), "user_1", nil)
		require.NoError(d, err)
		require.Positive(d, before.XP)

		_, err = removals.Ban(d.Context(), "user_1", "makes duels up", lifecycle.Act{ID: "1", Actor: "operator", At: d.now})
		require.NoError(d, err)
		for _, key := range []string{game.XPKey, game.DuelXPKey} {
			require.NotContains(d, d.board(key), "user_1", "when the answer comes")
		}
		_, err = d.duels.Report(d.Context(), ready.ID, duel.Result{Winner: "user_2", Score: &[2]int64{3, 4}})
		require.NoError(d, err)
		d.xp["user_2"] += (10*4 + 50) * 11 / 10
		_, err = d.duels.Keeper().Keep(d.Context())
		require.NoError(d, err)
		delete(d.xp, "user_1")
		d.requireXP()
		d.agree()

		d.now = d.now.Add(time.Hour)
		_, err = d.job().Daily(d.Context(), d.now) // which looks after the ban
		require.NoError(d, err)
		d.requireXP()
		d.lose()
		_, err = d.job().Restore(d.Context(), closing.RestoreOptions{})
		require.NoError(d, err)
		d.requireXP()
		d.agree()
		require.NoError(d, removals.Unban(d.Context(), "user_1", lifecycle.Act{ID: "2", Actor: "operator", At: d.now}))
		d.requireXP()

		again, err := d.duels.Arrange(d.Context(), "again", [2]string{"user_1", "user_2"}, "")
		require.NoError(d, err)
		_, err = d.duels.Report(d.Context(), again.ID, duel.Result{Winner: "user_1"})
		require.NoError(d, err)
		_, err = d.duels.Keeper().Keep(d.Context())
		require.NoError(d, err)
		d.xp["user_1"] = 50 * 11 / 10
		d.requireXP()
		d.agree()
	})
}
