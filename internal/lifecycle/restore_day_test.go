package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

// Somebody plays at any moment while a closed day is restored: the day has the play and
// everything that was archived, also in its groups, and is not closed.
func TestADayIsRestoredWhileSomebodyPlays(t *testing.T) {
	d := game.DateOf(noon)
	overREST(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		for mode, after := range map[string]map[string]game.Score{
			"first": {"a": 40, "b": 20, "c": 7},
			"best":  {"a": 42, "b": 20, "c": 7},
			"coins": {"a": 82, "b": 20, "c": 7},
		} {
			keys := 0
			play := func(player string, score game.Score) {
				keys++
				_, err := k.process().Boards.Submit(ctx, game.Submission{
					Mode: k.mode(mode), Player: player, Date: d, Score: score, At: noon.Add(time.Duration(keys) * time.Second),
					Scopes: []game.Scope{group(t, "red")}, Idempotency: game.IdempotencyRecord{ID: fmt.Sprint("k", keys), Fingerprint: "f"},
				})
				require.NoError(t, err)
			}
			for request := 1; ; request++ {
				k.empty()
				k.clock.Set(noon)
				play("a", 40)
				play("b", 20)
				k.clock.Set(noon.AddDate(0, 0, 1))
				_, err := runDaily(ctx, k.process(), nil)
				require.NoError(t, err)
				var archived []game.Result
				require.NoError(t, k.process().Restore.ReadDay(ctx, k.mode(mode), d, func(page []game.Result) error {
					archived = append(archived, page...)
					return nil
				}))
				require.Len(t, archived, 2)
				day := game.DayBoardKey(mode, d)
				for _, key := range []string{day, game.BoardKey(mode, game.Day.Of(d), group(t, "red"))} {
					_, err = k.server.Redis().Do(ctx, "ZREM", key, "b")
					require.NoError(t, err)
				}
				p := k.process()
				end := testkit.Before(k.server, request, func() { play("a", 42); play("c", 7) })
				require.NoError(t, p.Restore.RestoreDay(ctx, k.mode(mode), d, archived, true, ""))
				if !end() {
					require.Greater(t, request, 5, "it takes some requests")
					break
				}
				for _, scope := range []game.Scope{{}, group(t, "red")} {
					p := k.process()
					got := map[string]game.Score{}
					for _, e := range wholeBoard(t, p, game.BoardOf(k.mode(mode), game.Day.Of(d), scope), 10) {
						got[e.Player] = e.Score
					}
					require.Equal(t, after, got, "%s %s, before request %d", mode, scope, request)
				}
				closed, err := k.server.Redis().Do(ctx, "HGET", game.ClosedKey, game.ClosedDay(mode, d))
				require.NoError(t, err)
				require.True(t, closed == nil || derive.IsReopened(fmt.Sprint(closed)), "%s is closed again with them, before request %d", mode, request)
			}
		}
	})
}

// Redis is lost at any moment while a day of an earlier lost Redis is put back: if the day is
// noted as brought back, it has everybody.
func TestADayIsNotedAsBroughtBackWithItsBoard(t *testing.T) {
	d := game.DateOf(noon)
	overREST(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		m, red := k.mode("first"), group(t, "red")
		var archived []game.Result
		for i, player := range []string{"ana", "ben"} {
			stored := float64(10 + i)
			archived = append(archived, game.Result{Player: player, Stored: stored, Scopes: []game.ScopedResult{{Scope: red, Stored: stored}}})
		}
		k.clock.Set(noon.AddDate(0, 0, 1))
		noted := 0
		testkit.Overtaken(k.server, k.empty, func() {
			err := k.process().Restore.RestoreDay(ctx, m, d, archived, true, "lost")
			require.True(t, err == nil || errors.Is(err, control.ErrLost), "%v", err)
		}, k.empty, func(when string) {
			p := k.process()
			merged, err := p.Restore.Merged(ctx)
			require.NoError(t, err)
			if lifecycle.MergedAll(merged, m, d, "lost") {
				noted++
				require.Len(t, wholeBoard(t, p, game.BoardOf(m, game.Day.Of(d), game.Scope{}), 10), 2, when)
			}
		})
		require.Positive(t, noted)
	})
}
