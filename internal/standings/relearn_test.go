package standings_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
)

// A process goes on after its Redis was lost. As soon as it counts one of its boards, they are
// on the index again and have their expiry.
func TestAProcessNoticesThatRedisWasLost(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		var elapsed atomic.Int64
		k.elapsed = func() time.Duration { return time.Duration(elapsed.Load()) }
		ctx := context.Background()
		for name, submit := range map[string]func(p *process, player string){
			"one by one": func(p *process, player string) {
				_, err := p.Boards.Submit(ctx, k.play("first", player, 7))
				require.NoError(t, err)
			},
			"in batches": func(p *process, player string) {
				require.NoError(t, p.Boards.SubmitBatch(ctx, []game.Submission{k.play("first", player, 7)})[0].Err)
			},
		} {
			t.Run(name, func(t *testing.T) {
				k.empty()
				p := k.process()
				for _, player := range []string{"ana", "ben", "cleo"} {
					submit(p, player)
				}
				k.empty()
				submit(p, "dan")
				elapsed.Add(int64(time.Minute))
				submit(p, "eve")
				day := k.dayBoard(p, "first")
				ttl, err := k.server.Redis().Do(ctx, "TTL", day.Key)
				require.NoError(t, err)
				require.Positive(t, ttl)
				indexed, err := k.server.Redis().Do(ctx, "HGET", game.DaysKey("first"), day.Period.Key())
				require.NoError(t, err)
				require.Equal(t, "0", indexed)
				before := p.meter.Usage().Commands
				submit(p, "fay")
				require.LessOrEqual(t, p.meter.Usage().Commands-before, int64(4), "and it is seen to once")
			})
		}
	})
}
