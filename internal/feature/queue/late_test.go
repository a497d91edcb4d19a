package queue_test

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/host"
	"github.com/framedle/leaderboards/internal/player"
	"github.com/framedle/leaderboards/upstash"
)

// A message that comes back from the dead letters, days after it was written, is
// not counted twice: its record lives until the day takes no more scores.
func TestASumThatComesBackDaysLaterCountsOnce(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		sum := message(t, 0, k.play(0, "coins", "ana", 7))
		take := func() {
			failed, err := k.ingest().Take(t.Context(), []host.QueueMessage{sum})
			require.NoError(t, err)
			require.Empty(t, failed)
		}
		take()
		end, ends := k.game.Expires(game.Day.Of(k.game.Today(noon)))
		require.True(t, ends)
		last := end.Add(-k.game.Lives.Day / 4) // from here on the day takes no more scores
		reply, err := k.Client.Do(t.Context(), upstash.Cmd("TTL", game.IdempotencyRecordKey("once-0")))
		require.NoError(t, err)
		seconds, err := reply.Int64()
		require.NoError(t, err)
		lives := time.Duration(seconds+1) * time.Second
		require.GreaterOrEqual(t, lives, last.Sub(k.now))
		require.Less(t, lives, last.Sub(k.now)+time.Hour, "and no longer than it need")

		k.now = last.Add(-time.Second)
		take()
		require.Equal(t, map[string]game.Score{"ana": 7}, k.standings(t, "coins"))
		var log strings.Builder
		k.log = slog.NewTextHandler(&log, nil)
		k.now = last.Add(time.Second)
		take()
		require.Contains(t, log.String(), "a queued score was rejected")
	})
}

// The record of a score that is written at once lives for a day, as promised.
func TestASumAtOnceIsRememberedForADay(t *testing.T) {
	k := newKit(t, "")
	_, err := k.store().Boards.Submit(t.Context(), k.play(0, "coins", "ana", 7))
	require.NoError(t, err)
	reply, err := k.Client.Do(t.Context(), upstash.Cmd("TTL", game.IdempotencyRecordKey("once-0")))
	require.NoError(t, err)
	seconds, err := reply.Int64()
	require.NoError(t, err)
	require.InDelta(t, 86400, seconds, 60)
}

// However messages are delivered, a player has the name of the newest one, and belongs to its
// country only.
func TestAnOlderMessageDoesNotBringAnOldNameBack(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.game = testkit.Game(t, testGame+"  map: {max: 20, scopes: [country]}\n")
		rapid.Check(t, func(rt *rapid.T) {
			k.empty()
			countries := []string{"BR", "DE", "JP", "FR", "NG", "PT"}
			var deliveries []host.QueueMessage
			for n, code := range countries {
				sub := k.play(n, rapid.SampledFrom([]string{"first", "best", "coins", "map"}).Draw(rt, "mode"), "ana", 5)
				sub.Profile = game.Profile{Name: "Ana " + code, Country: code}
				for range rapid.IntRange(1, 2).Draw(rt, "times") {
					deliveries = append(deliveries, message(rt, n, sub))
				}
			}
			deliveries = rapid.Permutation(deliveries).Draw(rt, "order")
			one, other := k.ingest(), k.ingest()
			for len(deliveries) > 0 {
				size := rapid.IntRange(1, len(deliveries)).Draw(rt, "batch")
				in := one
				if rapid.Bool().Draw(rt, "other") {
					in = other
				}
				failed, err := in.Take(t.Context(), deliveries[:size])
				require.NoError(rt, err)
				require.Empty(rt, failed)
				deliveries = deliveries[size:]
			}
			shown, err := k.store().Players.ProfileOf(t.Context(), "ana")
			require.NoError(rt, err)
			require.Equal(rt, game.Profile{Name: "Ana PT", Country: "PT"}, shown)
			of, err := k.store().Players.Countries(t.Context())
			require.NoError(rt, err)
			require.Len(rt, of, 1)
			require.Equal(rt, "PT", of["ana"])
		})
	})
}

// An older message does not undo a later change by the player or by an authority either.
func TestAQueuedNameDoesNotUndoANewerOne(t *testing.T) {
	k := newKit(t, "")
	sub := k.play(0, "first", "ana", 5)
	sub.Profile = game.Profile{Name: "Old"}
	for name, change := range map[string]func() error{
		"the player": func() error {
			name := "New"
			_, err := k.store().Players.ChangeProfile(t.Context(), "ana", player.ProfileChange{Name: &name})
			return err
		},
		"an authority": func() error {
			_, err := k.store().Players.SaveReported(t.Context(), game.PlayerProfile{Player: "ana", Profile: game.Profile{Name: "New"}, UpdatedAt: k.now})
			return err
		},
		"another score, at once": func() error {
			now := k.play(0, "best", "ana", 5)
			now.At, now.Profile = k.now, game.Profile{Name: "New"}
			_, err := k.store().Boards.Submit(t.Context(), now)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			k.empty()
			k.now = noon.Add(time.Minute)
			require.NoError(t, change())
			failed, err := k.ingest().Take(t.Context(), []host.QueueMessage{message(t, 0, sub)})
			require.NoError(t, err)
			require.Empty(t, failed)
			shown, err := k.store().Players.ProfileOf(t.Context(), "ana")
			require.NoError(t, err)
			require.Equal(t, "New", shown.Name)
		})
	}
}
