package backfill_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
)

// All time ranks groups of the past beside those of today, no matter which of them still play.
func TestGroupsOfThePastAreRankedOfAllTime(t *testing.T) {
	onEngines(t, func(t *testing.T, redis func() string) {
		ctx := context.Background()
		k := newKit(t, redis(), noon)
		k.game = testkit.Game(t, strings.Replace(testGame, "teams: {best: 2}", "teams: sum", 1))
		today := game.DateOf(noon)
		red, err := game.GroupScope("red")
		require.NoError(t, err)
		_, err = k.process().Store.Boards.Submit(ctx, game.Submission{Mode: k.mode("first"), Player: "p1", Date: today, Score: 5, At: noon, Scopes: []game.Scope{red}})
		require.NoError(t, err)
		past := today.AddDays(-400)
		k.bringIn(k.options("player,mode,date,score,groups\n" +
			"p1,first," + past.String() + ",100,red blue\n" +
			"p2,first," + past.AddDays(1).String() + ",30,blue\n"))
		look := func() []string {
			s := k.process().Store
			page, err := s.Boards.Page(ctx, game.BoardOf(k.mode("first"), game.AllTime.Of(today), game.TeamsScope()), game.PageRequest{Limit: 10})
			require.NoError(t, err)
			var rows []string
			for _, e := range page.Entries {
				rows = append(rows, e.Player+" "+k.mode("first").FormatScore(e.Score))
			}
			return rows
		}
		require.Equal(t, []string{"blue 130", "red 105"}, look())
		_, err = k.process().Weekly(ctx, k.now)
		require.NoError(t, err)
		require.Equal(t, []string{"blue 130", "red 105"}, look())
		k.agree()
	})
}
