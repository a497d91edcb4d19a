package queue_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/host"
)

const (
	benchMembers = 1_000_000
	benchBatch   = 1000
	benchEvents  = 200
)

// BenchmarkIngest takes events of 1,000 scores of players drawn from a board of
// 1,000,000, over the REST server before a real Redis, all on this machine.
func BenchmarkIngest(b *testing.B) {
	k := newKit(b, testkit.RealRedis(b))
	for _, mode := range []string{"golf", "best"} {
		b.Run(mode, func(b *testing.B) {
			k.empty()
			k.fill(b, mode)
			events := make([][]byte, benchEvents)
			for e := range events {
				messages := make([]host.QueueMessage, benchBatch)
				for i := range messages {
					sub := k.play(rand.IntN(36000), mode, fmt.Sprintf("user_%d", rand.IntN(benchMembers)), game.Score(rand.IntN(21)))
					sub.Details = nil
					messages[i] = message(b, i, sub)
				}
				event, err := host.NewQueueEvent(messages)
				require.NoError(b, err)
				events[e] = event
			}
			take := host.QueueAdapter(k.ingest().Take, io.Discard)
			var next atomic.Int64
			b.SetBytes(int64(len(events[0])))
			own, inRedis := k.cpu(b)
			b.ResetTimer()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					answer, err := take.Invoke(context.Background(), events[next.Add(1)%benchEvents])
					if err != nil || string(answer) != `{"batchItemFailures":[]}` {
						b.Errorf("%s, %v", answer, err)
					}
				}
			})
			b.StopTimer()
			scores := float64(b.N) * benchBatch
			b.ReportMetric(scores/b.Elapsed().Seconds(), "scores/s")
			ownAfter, inRedisAfter := k.cpu(b)
			b.ReportMetric(float64((ownAfter-own).Microseconds())/scores, "cpu-µs/score")
			b.ReportMetric(float64((inRedisAfter-inRedis).Microseconds())/scores, "redis-cpu-µs/score")
		})
	}
}

// fill puts a million players on a mode's board.
func (k *kit) fill(tb testing.TB, mode string) {
	tb.Helper()
	key := game.DayBoardKey(mode, k.game.Today(noon))
	for first := 0; first < benchMembers; first += 10_000 {
		args := []string{"ZADD", key}
		for n := range 10_000 {
			args = append(args, strconv.FormatFloat(float64(rand.IntN(20))+rand.Float64()/32, 'f', -1, 64), fmt.Sprintf("user_%d", first+n))
		}
		_, err := k.Server.Redis().Do(tb.Context(), args...)
		require.NoError(tb, err)
	}
}
