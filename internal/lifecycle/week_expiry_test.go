package lifecycle_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
)

// A week of all players has no expiry until its last day, since it is made again until then,
// and has one from then on. A group's week always has one.
func TestAWeekExpiresFromItsLastDayOn(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		red := group(t, "red")
		monday := game.Week.Of(game.DateOf(noon)).First()
		for day := range 8 {
			date := monday.AddDays(day)
			k.clock.Set(date.Midnight().Add(12 * time.Hour))
			p := k.process()
			if day < 7 {
				sub := k.play("first", "ana", 5)
				sub.Scopes = []game.Scope{red}
				_, err := p.Boards.Submit(ctx, sub)
				require.NoError(t, err)
			}
			for _, scope := range []game.Scope{{}, red} {
				week := game.BoardOf(k.mode("first"), game.Week.Of(monday), scope)
				_, err := p.Boards.Page(ctx, week, game.PageRequest{Limit: 10})
				require.NoError(t, err)
				ttl, err := k.server.Redis().Do(ctx, "TTL", week.Key)
				require.NoError(t, err)
				if day < 6 && scope == (game.Scope{}) {
					require.EqualValues(t, -1, ttl, "day %d", day)
				} else {
					require.Positive(t, ttl, "day %d %s", day, scope)
				}
			}
		}
	})
}
