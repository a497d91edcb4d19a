package jobs_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/feature/race"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

// racer is a duelist of a game that has races too.
type racer struct {
	*duelist
	races *race.Store
	raced int
}

func onRaces(t *testing.T, test func(r *racer)) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		d := newDuelist(t, address, strings.Replace(duelGame, "xp: 1}", "xp: 1, play: required}", 1)+"races: {}\n")
		test(&racer{duelist: d, races: jobs.Races(d.app, d.history)})
	})
}

// race lets some players race. Now and then the last of them sends no result, and now and then
// nobody does.
func (r *racer) race(races int) {
	for range races {
		id := fmt.Sprintf("r%d", r.raced)
		var players []string
		for i := range 2 + r.raced%4 {
			players = append(players, fmt.Sprintf("user_%d", (3*r.raced+i)%12))
		}
		_, err := r.races.Create(r.Context(), race.Wanted{ID: id, Player: players[0], Mode: "daily", Size: len(players)})
		require.NoError(r, err)
		for _, player := range players[1:] {
			_, err = r.races.Join(r.Context(), id, player)
			require.NoError(r, err)
		}
		r.now = r.now.Add(race.Lead)
		for i, player := range players {
			if r.raced%7 == 6 || i == len(players)-1 && r.raced%5 == 4 {
				continue
			}
			_, err = r.races.Report(r.Context(), id, "daily", player, game.Score(i*r.raced%5))
			require.NoError(r, err)
		}
		r.now = r.now.Add(2 * time.Minute)
		_, err = r.races.See(r.Context(), id, players[0])
		require.NoError(r, err)
		r.raced++
	}
}

// Ratings are made of duels and races together, and both come back.
func TestALostRedisGetsItsRacesBack(t *testing.T) {
	onRaces(t, func(r *racer) {
		for range 10 {
			r.play(10)
			r.race(4)
		}
		r.agree() // players in a race that is not archived are skipped
		r.now = r.now.Add(25 * time.Hour)
		_, err := r.job().Save(r.Context(), r.now)
		require.NoError(r, err)
		r.agree()
		ratings, played := r.board(game.DuelKey), r.played()
		require.Len(r, ratings, 24)
		known, err := r.races.See(r.Context(), "r3", "user_9")
		require.NoError(r, err)
		require.Equal(r, race.Decided, known.State)
		require.Len(r, known.Seats, 5)

		r.lose()
		dry, err := r.duels.Keeper().Restore(r.Context(), true)
		require.NoError(r, err)
		require.Equal(r, 40, dry.Races)
		report, err := r.duels.Keeper().Restore(r.Context(), false)
		require.NoError(r, err)
		require.Equal(r, dry, report)
		require.Equal(r, ratings, r.board(game.DuelKey), "to the last bit, in the same order")
		require.Equal(r, played, r.played())
		r.agree()
		report, err = r.duels.Keeper().Restore(r.Context(), false)
		require.NoError(r, err)
		require.Equal(r, duel.RestoreReport{}, report)

		again, err := r.races.See(r.Context(), "r3", "user_9")
		require.NoError(r, err)
		require.Equal(r, known, again)
		answer, err := r.races.Report(r.Context(), "r3", "daily", "user_9", *known.Seats[0].Score)
		require.NoError(r, err)
		require.Equal(r, again, answer, "what is sent again counts once")
		require.Equal(r, ratings, r.board(game.DuelKey))
	})
}
