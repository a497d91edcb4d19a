package jobs_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/game"
)

func (d *duelist) rating(player string) float64 {
	rating, rated, _, err := d.duels.StandingOf(d.Context(), player)
	require.NoError(d, err)
	require.True(d, rated)
	return rating
}

// everybody has the ratings of all players. Entries of the board also have a week.
func (d *duelist) everybody() map[string]float64 {
	all := map[string]float64{}
	for i := range 12 {
		player := fmt.Sprintf("user_%d", i)
		all[player] = d.rating(player)
	}
	return all
}

// A corrected rating is what was asked for, exactly; it moves nobody else, counts as no duel, is
// undone by the rating before, and is in Postgres and in a restored Redis as in the lost one,
// with duels before and after it. With decay, likewise.
func TestACorrectedRatingIsKept(t *testing.T) {
	for name, file := range map[string]string{"plain": duelGame, "decay": strings.Replace(duelGame, "duels: {", "duels: {decay: {after: 1, points: 25}, ", 1)} {
		t.Run(name, func(t *testing.T) {
			testkit.OnEngines(t, func(t *testing.T, address string) {
				d := newDuelist(t, address, file)
				d.play(60)
				before, played := d.rating("user_1"), d.played()
				others := map[string]float64{"user_0": d.rating("user_0"), "user_2": d.rating("user_2")}
				_, err := d.duels.Correct(t.Context(), "user_1", before+1, 1700)
				require.ErrorIs(t, err, duel.ErrMoved)
				_, err = d.duels.Correct(t.Context(), "nobody", 1000, 1700)
				require.ErrorIs(t, err, duel.ErrUnrated)
				require.Equal(t, before, d.rating("user_1"))
				change, err := d.duels.Correct(t.Context(), "user_1", before, 1700.5)
				require.NoError(t, err)
				require.Equal(t, duel.RatingChange{Before: before, After: 1700.5, Rank: 1}, change)
				require.Equal(t, 1700.5, d.rating("user_1"))
				for other, rating := range others {
					require.Equal(t, rating, d.rating(other))
				}
				require.Equal(t, played, d.played())
				d.play(60)
				change, err = d.duels.Correct(t.Context(), "user_2", d.rating("user_2"), 12)
				require.NoError(t, err)
				_, err = d.duels.Correct(t.Context(), "user_2", 12, change.Before)
				require.NoError(t, err)
				require.Equal(t, change.Before, d.rating("user_2"), "undone")
				_, err = d.duels.Keeper().Keep(t.Context())
				require.NoError(t, err)
				_, err = d.duels.Correct(t.Context(), "user_3", d.rating("user_3"), 900)
				require.NoError(t, err)
				d.agree()
				listed, err := d.duels.Of(t.Context(), "user_1", duel.Mark{}, 500)
				require.NoError(t, err)
				for _, one := range listed {
					require.NotEqual(t, duel.ByOperator, one.By)
				}

				d.now = d.now.Add(25 * time.Hour)
				_, err = d.job().Save(t.Context(), d.now)
				require.NoError(t, err)
				d.agree()
				ratings, begun, gained := d.everybody(), d.played(), d.board(game.DuelXPKey)
				d.lose()
				_, err = d.duels.Keeper().Restore(t.Context(), false)
				require.NoError(t, err)
				require.Equal(t, ratings, d.everybody(), "to the last bit")
				require.Equal(t, begun, d.played())
				require.Equal(t, gained, d.board(game.DuelXPKey))
				d.agree()
				d.play(40)
				d.now = d.now.Add(25 * time.Hour)
				_, err = d.job().Save(t.Context(), d.now)
				require.NoError(t, err)
				d.agree()
			})
		})
	}
}
