package jobs_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/badge/badgestore"
	"github.com/framedle/leaderboards/internal/feature/race/racestore"
	"github.com/framedle/leaderboards/internal/feature/wallet/walletstore"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/playerdata"
)

// The document has what a player has earned and spent, and the player's races, without the
// scores of others in them.
func TestAPlayersDocumentHasWalletsAndRaces(t *testing.T) {
	onWorlds(t, func(w *world) {
		w.game = peopleGame + "currencies: {coins: {daily: 3}}\n"
		w.restart()
		require.False(w, w.read("user_a").Known)
		w.play("user_a", "daily", 600)
		require.Equal(w, map[string]playerdata.Wallet{"coins": {Balance: 3, Earned: 3}}, w.read("user_a").Wallets)
		if w.kept == nil {
			require.Empty(w, w.read("user_a").Races)
			return
		}
		var spends []game.Spend
		var races []game.Race
		for i := range 1100 { // more than are read at once
			at := w.now.Add(time.Duration(i) * time.Second).UTC()
			spends = append(spends, game.Spend{ID: fmt.Sprint("spend_", i), Player: "user_a", Currency: "coins", Amount: 1, Item: "hat", At: at})
			score := game.Score(700)
			races = append(races, game.Race{
				ID: fmt.Sprint("race_", i), State: game.RaceDecided, Mode: "daily", Size: 2, CreatedAt: at, StartsAt: at, Until: at, DecidedAt: at,
				Seats: []game.RaceSeat{
					{Player: "user_b", Score: &score, Place: 1, Rating: game.RaceRating{Before: 1000, After: 1016}},
					{Player: "user_a", Left: true, Place: 2, Rating: game.RaceRating{Before: 1000, After: 984}},
				},
			})
		}
		require.NoError(w, walletstore.In(w.kept).PutSpends(w.Context(), append(spends, game.Spend{ID: "other", Player: "user_b", Currency: "coins", Amount: 1, At: w.now})))
		require.NoError(w, racestore.In(w.kept).Put(w.Context(), races))
		d := w.read("user_a")
		require.Len(w, d.Spends, 1100)
		require.Len(w, d.Races, 1100)
		require.Equal(w, "spend_1099", d.Spends[0].ID)
		newest := d.Races[0]
		require.Equal(w, "race_1099", newest.ID)
		require.Equal(w, []string{"user_b", "user_a"}, newest.Players)
		require.True(w, newest.Left)
		require.Nil(w, newest.Score)
		require.Equal(w, 2, newest.Place)
		require.Equal(w, &playerdata.RaceRating{Before: 1000, After: 984}, newest.Rating)
		require.Equal(w, "700", strings.TrimSpace(string(w.read("user_b").Races[0].Score)))
	})
}

// The document has the player's badges, however many there are.
func TestAPlayersDocumentHasBadges(t *testing.T) {
	onWorlds(t, func(w *world) {
		w.game = peopleGame + "badges: {top: {title: Top, rank: 3, period: day, mode: daily}, week: {title: A week, streak: 7}}\n"
		w.restart()
		require.Empty(w, w.read("user_a").Badges)
		if w.kept == nil {
			return
		}
		today := game.DateOf(w.now)
		given := []badgestore.Given{{Player: "user_b", Badge: game.Badge{Rule: "week", Earned: today, Since: today}}}
		for i := range 1100 { // more than are read at once
			d := today.AddDays(-i)
			given = append(given, badgestore.Given{Player: "user_a", Badge: game.Badge{Rule: "top", Key: d.String(), Earned: d, Since: d, Mode: "daily", Scope: "global", Period: "day"}})
		}
		given = append(given, badgestore.Given{Player: "user_a", Badge: game.Badge{Rule: "gone", Earned: today, Since: today}})
		_, err := badgestore.In(w.kept).Give(w.Context(), given, w.now)
		require.NoError(w, err)
		d := w.read("user_a")
		require.Len(w, d.Badges, 1101)
		require.Equal(w, playerdata.Badge{ID: "top", Title: "Top", Earned: today.String(), Mode: "daily", Period: "day", PeriodKey: today.String(), Scope: "global"}, d.Badges[0])
		require.Equal(w, playerdata.Badge{ID: "gone", Earned: today.String()}, d.Badges[1])
		require.True(w, w.read("user_b").Known)
	})
}
