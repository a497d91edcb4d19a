package game_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
)

// Every rolling board that may be in Redis has the keys of all its days there.
func TestKeysOfDaysOutliveTheRollingBoardsMadeOfThem(t *testing.T) {
	rolling := &game.Mode{Name: "sums", Rolling: true}
	g := &game.Game{Day: game.Local, Lives: game.Lives{Day: 8 * 24 * time.Hour}, Modes: []*game.Mode{rolling, {Name: "plain"}}}
	d := date(t, "2028-03-01")
	seen := 0
	for _, p := range rolling.RollingOf(d) {
		require.True(t, p.Contains(d), p.Key())
		require.True(t, p.Rolls() && p.OfDates())
		end, _ := g.Expires(p)
		leaves, _ := game.KeyExpires(g, game.DayBoardKey("sums", d), game.Day.Of(d))
		require.False(t, leaves.Before(end), p.Key())
		_, back, _, err := game.ParseBoardKey(game.BoardKey("sums", p, game.Scope{}))
		require.NoError(t, err)
		require.Equal(t, p, back)
		seen++
	}
	require.Equal(t, 37, seen)
	day := game.Day.Of(d)
	expires, _ := g.Expires(day)
	for _, key := range []string{"lb:plain:2028-03-01", "acts:irvine:2028-03-01", "details:sums:2028-03-01"} {
		leaves, _ := game.KeyExpires(g, key, day)
		require.Equal(t, expires, leaves, key)
	}
}
