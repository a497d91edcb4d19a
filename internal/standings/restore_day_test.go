package standings_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/standings"
	"github.com/framedle/leaderboards/upstash"
	"github.com/stretchr/testify/require"
)

// before is a connection on which something happens before a request, counted
// from 1.
type before struct {
	request int
	happens func()
	seen    int
}

func (b *before) RoundTrip(r *http.Request) (*http.Response, error) {
	if b.seen++; b.seen == b.request {
		b.happens()
	}
	return http.DefaultTransport.RoundTrip(r)
}

// Whenever somebody plays while a closed day is restored, the day has the play
// and all that was archived, in its groups too, and is not closed.
func TestADayIsRestoredWhileSomebodyPlays(t *testing.T) {
	d := game.DateOf(noon)
	onEngines(t, func(t *testing.T, k *kit) {
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
				require.NoError(t, k.process().Refill.ReadDay(ctx, k.mode(mode), d, func(page []game.Result) error {
					archived = append(archived, page...)
					return nil
				}))
				require.Len(t, archived, 2)
				day := game.BoardKey(mode, game.Day.Of(d), game.Scope{})
				for _, key := range []string{day, game.BoardKey(mode, game.Day.Of(d), group(t, "red"))} {
					_, err = k.server.Redis().Do(ctx, "ZREM", key, "b")
					require.NoError(t, err)
				}
				hook := &before{request: request, happens: func() { play("a", 42); play("c", 7) }}
				client, err := upstash.New(upstash.Config{
					URL: k.server.URL(), Token: k.server.Token(), Timeout: time.Minute, HTTP: &http.Client{Transport: hook},
				})
				require.NoError(t, err)
				store := standings.New(standings.Options{Redis: client, Game: k.game, Now: k.clock.Now, CursorKeys: [][]byte{cursorKey}})
				require.NoError(t, store.Refill.RestoreDay(ctx, k.mode(mode), d, archived, true, ""))
				if hook.seen < request {
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
				require.Nil(t, closed, "%s is closed again with them, before request %d", mode, request)
			}
		}
	})
}
