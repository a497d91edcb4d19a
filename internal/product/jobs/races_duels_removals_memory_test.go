package jobs_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/race"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

// What a process remembers does not show a player after the player was banned or erased there,
// nor a score after it was taken out.
func TestWhatAProcessRemembersDoesNotShowWhatItHasTakenOut(t *testing.T) {
	onRaces(t, func(r *racer) {
		store, removals := r.app.Store(), jobs.Removals(r.app, r.history)
		m, _ := r.app.Game().Mode("daily")
		act := func(id string) lifecycle.Act { return lifecycle.Act{ID: id, Actor: "operator", At: r.now} }
		play := func(player string, score game.Score) game.Date {
			d := game.DateOf(r.now)
			_, err := store.Boards.Submit(r.Context(), game.Submission{Mode: m, Player: player, Date: d, Score: score, At: r.now})
			require.NoError(r, err)
			return d
		}
		yesterday := play("ann", 3)
		play("bob", 4)
		r.now = r.now.Add(24 * time.Hour)
		today := play("ann", 5)
		play("bob", 6)
		play("cid", 7)

		reader, streaks := leaderboard.NewReader(store.Boards, nil, nil), leaderboard.NewStreaks(store.Boards)
		counted := func() int64 {
			d, err := reader.Distribution(r.Context(), game.BoardOf(m, game.Day.Of(today), game.Scope{}), 5)
			require.NoError(r, err)
			return d.Found.Total
		}
		streak := func() int {
			s, err := streaks.StreakAfter(r.Context(), "ann", today)
			require.NoError(r, err)
			return s.Current
		}
		require.EqualValues(r, 3, counted())
		require.Equal(r, 2, streak())
		_, err := removals.Score(r.Context(), m, yesterday, "ann", act("1"))
		require.NoError(r, err)
		require.Equal(r, 1, streak())
		_, err = removals.Ban(r.Context(), "bob", "cheating", act("2"))
		require.NoError(r, err)
		require.EqualValues(r, 2, counted())

		_, err = r.races.Create(r.Context(), race.Wanted{ID: "r", Player: "ann", Mode: "daily", Size: 2})
		require.NoError(r, err)
		_, err = r.races.Join(r.Context(), "r", "cid")
		require.NoError(r, err)
		r.now = r.now.Add(race.Lead + time.Second)
		seats := func() (players []string) {
			of, _, err := r.races.Progress(r.Context(), "r", "ann", 0.5)
			require.NoError(r, err)
			for _, seat := range of.Seats {
				players = append(players, seat.Player)
			}
			return players
		}
		require.Equal(r, []string{"ann", "cid"}, seats())
		_, err = removals.Erase(r.Context(), "cid", act("3"))
		require.NoError(r, err)
		require.NotContains(r, seats(), "cid")
		require.EqualValues(r, 1, counted())
	})
}
