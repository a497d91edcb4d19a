package app_test

import (
	"fmt"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/host"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

const summed = "name: summed\nmodes: {coins: {policy: sum, max: 500, day_max: 1000000}, best: {policy: best, max: 500}}\n"

// A repeated message counts once; for a sum, the message's position identifies it. A message
// that is no score is returned with the reason, and costs no command.
func TestMessagesOfOthersQueuesCountOnce(t *testing.T) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		redis := testkit.NewRedis(t, address, testkit.AtOnce)
		redis.Do("FLUSHALL")
		noon := time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC)
		a := app.New(app.Parts{
			Game: testkit.Game(t, summed), Redis: redis.Client, Now: func() time.Time { return noon }, Elapsed: func() time.Duration { return 0 },
			Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		})
		take := a.TakeScores()
		message := func(n int, body string) host.QueueMessage {
			return host.QueueMessage{ID: fmt.Sprintf("scores/0/%d", n), Body: body, Sent: noon.Add(-time.Minute)}
		}
		coins := `{"mode":"coins","player":"p","score":7}`
		batch := []host.QueueMessage{message(0, coins), message(1, coins), message(2, `{"mode":"best","player":"p","score":40}`)}
		for range 3 {
			again, dead, err := take(t.Context(), batch)
			require.NoError(t, err)
			require.Empty(t, again)
			require.Empty(t, dead)
		}
		for mode, want := range map[string]game.Score{"coins": 14, "best": 40} {
			card, err := a.Store().Boards.Card(t.Context(), game.BoardOf(testkit.Mode(t, a.Game(), mode), game.Day.Of(a.Game().Today(noon)), game.Scope{}), "p")
			require.NoError(t, err)
			require.Equal(t, want, card.Score)
		}
		redis.Server.Inject(func(upstashtest.Request) upstashtest.Fault {
			t.Error("what is no score has asked Redis")
			return upstashtest.Fault{}
		})
		late := message(9, coins)
		late.Sent = noon.Add(2 * time.Minute)
		_, dead, err := take(t.Context(), []host.QueueMessage{
			message(3, "{"), message(4, `{"mode":"chess","player":"p","score":1}`), message(5, `{"mode":"best","player":"p","score":501}`),
			message(6, `{"mode":"best","score":1}`), message(7, `{"mode":"best","player":"p","score":1,"date":"2026-11-11"}`), message(8, "[]"), late,
		})
		require.NoError(t, err)
		require.Len(t, dead, 7)
		require.Contains(t, dead["scores/0/5"], "500")
		require.Contains(t, dead["scores/0/9"], "in the future")
	})
}
