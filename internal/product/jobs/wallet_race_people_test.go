package jobs_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/race"
	"github.com/framedle/leaderboards/internal/feature/race/racestore"
	"github.com/framedle/leaderboards/internal/feature/wallet/walletstore"
	"github.com/framedle/leaderboards/internal/game"
)

// The document has what a player has earned and spent, and the player's races, without the
// scores of others in them.
func TestAPlayersDocumentHasWalletsAndRaces(t *testing.T) {
	onWorlds(t, func(w *world) {
		w.game = peopleGame + "currencies: {coins: {daily: 3}}\n"
		w.restart()
		require.False(w, w.read("user_a").Known)
		w.play("user_a", "daily", 600)
		require.Equal(w, map[string]map[string]int64{"coins": {"balance": 3, "earned": 3, "spent": 0}}, part[map[string]map[string]int64](w, w.read("user_a"), "wallets"))
		if w.kept == nil {
			require.Empty(w, part[[]listed](w, w.read("user_a"), "races"))
			return
		}
		var spends []game.Spend
		var races []race.Race
		for i := range 1100 { // more than are read at once
			at := w.now.Add(time.Duration(i) * time.Second).UTC()
			spends = append(spends, game.Spend{ID: fmt.Sprint("spend_", i), Player: "user_a", Currency: "coins", Amount: 1, Item: "hat", At: at})
			score := game.Score(700)
			races = append(races, race.Race{
				ID: fmt.Sprint("race_", i), State: race.Decided, Mode: "daily", Size: 2, CreatedAt: at, StartsAt: at, Until: at, DecidedAt: at,
				Seats: []race.Seat{
					{Player: "user_b", Score: &score, Place: 1, Rating: race.RatingChange{Before: 1000, After: 1016}},
					{Player: "user_a", Left: true, Place: 2, Rating: race.RatingChange{Before: 1000, After: 984}},
				},
			})
		}
		require.NoError(w, walletstore.In(w.kept).PutSpends(w.Context(), append(spends, game.Spend{ID: "other", Player: "user_b", Currency: "coins", Amount: 1, At: w.now})))
		require.NoError(w, racestore.In(w.kept).Put(w.Context(), races))
		d := w.read("user_a")
		require.Len(w, part[[]listed](w, d, "spends"), 1100)
		require.Len(w, part[[]listed](w, d, "races"), 1100)
		require.Equal(w, "spend_1099", part[[]listed](w, d, "spends")[0].ID)
		newest := part[[]listed](w, d, "races")[0]
		require.Equal(w, "race_1099", newest.ID)
		require.Equal(w, []string{"user_b", "user_a"}, newest.Players)
		require.True(w, newest.Left)
		require.Nil(w, newest.Score)
		require.Equal(w, 2, newest.Place)
		require.Equal(w, map[string]float64{"before": 1000, "after": 984}, newest.Rating)
		require.Equal(w, "700", strings.TrimSpace(string(part[[]listed](w, w.read("user_b"), "races")[0].Score)))
	})
}
