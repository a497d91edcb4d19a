package closing_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/closing"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// With an outbox an open day is as safe as a closed one, up to the last run
// that drained it.
func TestAnOpenDayIsMadeAgainFromTheOutbox(t *testing.T) {
	k := newKit(t)
	k.game.Outbox = true
	ctx := context.Background()
	k.playDays(monday, 2, 5)
	d := monday.AddDays(2)
	k.at(d, 9, 0)
	sent := 0
	k.server.Inject(func(upstashtest.Request) upstashtest.Fault { // some writes arrive twice
		sent++
		return upstashtest.Fault{CutAfter: sent%5 == 2}
	})
	for n := range 30 {
		for _, mode := range []string{"first", "best", "latest", "fastest", "coins"} {
			k.play(mode, fmt.Sprintf("player%d", n%4), d, game.Score(1+(n*17)%45))
		}
	}
	k.server.Inject(nil)
	for range 2 {
		_, err := k.process().Save(ctx)
		require.NoError(t, err)
	}
	left, err := k.server.Redis().Do(ctx, "XLEN", game.OutboxKey)
	require.NoError(t, err)
	require.EqualValues(t, 0, left)
	read := func() map[string]any {
		all := map[string]any{}
		store := k.process().Store
		for _, m := range k.game.Modes {
			for _, kind := range []game.PeriodKind{game.Day, game.Week, game.Month} {
				b := game.BoardOf(m, kind.Of(d), game.Scope{})
				all[b.Key] = k.page(store, b)
			}
		}
		return all
	}
	k.at(d, 10, 0)
	before := read()
	_, err = k.server.Redis().Do(ctx, "FLUSHALL")
	require.NoError(t, err)
	restored, err := k.process().Restore(ctx, closing.RestoreOptions{})
	require.NoError(t, err)
	require.GreaterOrEqual(t, restored.Posted, 150)
	k.at(d, 10, 1)
	require.Equal(t, before, read())
}
