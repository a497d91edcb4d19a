package closing_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
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

// Two Redises number entries by their own clocks. If both gave the same id to different
// entries, the archive keeps both, however often the outbox is drained.
func TestPlaysOfTwoRedisesWithOneIDAreBothKept(t *testing.T) {
	onAudited(t, 1, func(a *audited) {
		ctx := context.Background()
		entry := func() (id, text string) {
			rows, err := a.server.Redis().Do(ctx, "XRANGE", game.OutboxKey, "-", "+")
			require.NoError(a.t, err)
			require.Len(a.t, rows, 1)
			row := rows.([]any)[0].([]any)
			return row[0].(string), row[1].([]any)[1].(string)
		}
		drain := func(id, text string) {
			for _, command := range [][]string{{"DEL", game.OutboxKey}, {"XADD", game.OutboxKey, id, "s", text}} {
				_, err := a.server.Redis().Do(ctx, command...)
				require.NoError(a.t, err)
			}
			_, err := a.process().Save(ctx)
			require.NoError(a.t, err)
		}
		a.kit.play("best", "p", a.today, 7)
		id, first := entry()
		drain(id, first)
		a.lose()
		a.kit.play("best", "q", a.today, 9)
		_, second := entry()
		for range 2 {
			drain(id, second)
			require.Equal(a.t, 2, a.count("submissions"))
			require.Equal(a.t, 2, a.count("score_audit"))
		}
		drain(id, first)
		require.Equal(a.t, 2, a.count("submissions"))
		require.Equal(a.t, 2, a.count("score_audit"))
		a.lose()
		a.restore()
		for player, want := range map[string]game.Score{"p": 7, "q": 9} {
			stored := a.score(a.mode("best"), player)
			require.NotNil(a.t, stored, player)
			require.Equal(a.t, want, a.mode("best").Decode(*stored))
		}
	})
}
