package closing_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
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
	onEngines(t, func(k *kit) {
		k.now = time.Now().UTC()
		k.game = testkit.Game(t, testGame+"outbox: true\n")
		playInTwoRedises(k, "submissions")
	})
}

// playInTwoRedises plays with the same ids in two Redises, and expects both plays in the tables.
func playInTwoRedises(k *kit, tables ...string) {
	today := game.DateOf(k.now)
	ctx := context.Background()
	entry := func() (id, text string) {
		rows, err := k.server.Redis().Do(ctx, "XRANGE", game.OutboxKey, "-", "+")
		require.NoError(k.t, err)
		require.Len(k.t, rows, 1)
		row := rows.([]any)[0].([]any)
		return row[0].(string), row[1].([]any)[1].(string)
	}
	drain := func(id, text string) {
		for _, command := range [][]string{{"DEL", game.OutboxKey}, {"XADD", game.OutboxKey, id, "s", text}} {
			_, err := k.server.Redis().Do(ctx, command...)
			require.NoError(k.t, err)
		}
		_, err := k.process().Save(ctx)
		require.NoError(k.t, err)
	}
	k.play("best", "p", today, 7)
	id, first := entry()
	drain(id, first)
	k.lose()
	k.play("best", "q", today, 9)
	_, second := entry()
	for range 2 {
		drain(id, second)
		for _, table := range tables {
			require.Equal(k.t, 2, k.count(table), table)
		}
	}
	drain(id, first)
	for _, table := range tables {
		require.Equal(k.t, 2, k.count(table), table)
	}
	k.lose()
	k.restore()
	for player, want := range map[string]game.Score{"p": 7, "q": 9} {
		stored := k.stored(k.mode("best"), today, player)
		require.NotNil(k.t, stored, player)
		require.Equal(k.t, want, k.mode("best").Decode(*stored))
	}
}

// stored is a player's entry on a day's board; nil: none.
func (k *kit) stored(m *game.Mode, d game.Date, player string) *float64 {
	k.t.Helper()
	reply, err := k.server.Redis().Do(context.Background(), "ZSCORE", game.DayBoardKey(m.Name, d), player)
	require.NoError(k.t, err)
	if reply == nil {
		return nil
	}
	var f float64
	_, err = fmt.Sscan(fmt.Sprint(reply), &f)
	require.NoError(k.t, err)
	return &f
}

func (k *kit) count(table string) (n int) {
	k.t.Helper()
	c, err := pgx.Connect(k.t.Context(), k.url)
	require.NoError(k.t, err)
	defer c.Close(k.t.Context())
	require.NoError(k.t, c.QueryRow(k.t.Context(), "SELECT count(*) FROM "+table).Scan(&n))
	return n
}
