package main_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/platform/host/lambdatest"
	"github.com/framedle/leaderboards/internal/product/app"
)

// hung is a time in which everything ends unless it hangs.
const hung = 3 * time.Minute

// consumer is one process; several share the topic.
type consumer struct {
	*exec.Cmd
	said *strings.Builder
}

func start(t *testing.T, bootstrap string, env []string) *consumer {
	t.Helper()
	c := &consumer{exec.CommandContext(context.Background(), bootstrap), new(strings.Builder)}
	c.Env = append(os.Environ(), env...)
	c.Stdout, c.Stderr = c.said, c.said
	require.NoError(t, c.Start())
	return c
}

func (c *consumer) end(signal os.Signal) string {
	_ = c.Process.Signal(signal)
	_ = c.Wait()
	return c.said.String()
}

// The boards follow from the contents of the topic: each score counts once, though
// processes are killed between the effect and the commit of the offsets, and others join.
func TestScoresOfATopicCountOnceWhoeverIsKilled(t *testing.T) {
	redis := testkit.NewRedis(t, "", testkit.AtOnce)
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(4, "scores"), kfake.SeedTopics(1, "scores.dead"),
		kfake.GroupMinSessionTimeout(time.Second),
		kfake.ListenFn(func(network, _ string) (net.Listener, error) { return net.Listen(network, "127.0.0.1:0") }))
	require.NoError(t, err)
	defer cluster.Close()
	folder := t.TempDir()
	bootstrap := filepath.Join(folder, "consume")
	require.NoError(t, lambdatest.Build(t.Context(), "../..", "./cmd/consume", bootstrap))
	env := []string{
		"UPSTASH_REDIS_REST_URL=" + redis.Server.URL(), "UPSTASH_REDIS_REST_TOKEN=" + redis.Server.Token(),
		"KAFKA_BROKERS=" + strings.Join(cluster.ListenAddrs(), ","), "KAFKA_TOPIC=scores", "KAFKA_SESSION=2s",
	}
	client, err := kgo.NewClient(kgo.SeedBrokers(cluster.ListenAddrs()...), kgo.DefaultProduceTopic("scores"))
	require.NoError(t, err)
	defer client.Close()

	const players, count = 40, 4000
	g, err := app.LoadGame("")
	require.NoError(t, err)
	now := time.Now().Add(-time.Minute)
	want := map[string]map[string]game.Score{"daily_frame": {}, "streak": {}} // first, and best
	send := func(from, to int) {
		for n := from; n < to; n++ {
			mode := []string{"daily_frame", "streak"}[n%2]
			player, score, at := fmt.Sprintf("p%d", rand.IntN(players)), game.Score(rand.IntN(1000)), now.Add(time.Duration(n)*time.Millisecond)
			if current, known := want[mode][player]; !known || mode == "streak" && score > current {
				want[mode][player] = score
			}
			value := fmt.Sprintf(`{"mode":%q,"player":%q,"score":%d,"date":%q}`, mode, player, score, g.Today(now))
			client.Produce(t.Context(), &kgo.Record{Key: []byte(player), Value: []byte(value), Timestamp: at}, nil)
			if n%400 == 0 {
				client.Produce(t.Context(), &kgo.Record{Value: fmt.Appendf(nil, `{"mode":%q,"player":"p1","score":-1}`, mode), Timestamp: at}, nil)
			}
		}
		require.NoError(t, client.Flush(t.Context()))
	}
	current := func() map[string]map[string]game.Score {
		store := lifecycle.New(lifecycle.Options{Redis: redis.Client, Game: g, Now: time.Now, Elapsed: func() time.Duration { return 0 }})
		all := map[string]map[string]game.Score{}
		for mode := range want {
			b := game.BoardOf(testkit.Mode(t, g, mode), game.Day.Of(g.Today(now)), game.Scope{})
			page, err := store.Boards.Page(t.Context(), b, game.PageRequest{Limit: 200})
			require.NoError(t, err)
			all[mode] = map[string]game.Score{}
			for _, e := range page.Entries {
				all[mode][e.Player] = e.Score
			}
		}
		return all
	}

	send(0, count/2)
	processes := []*consumer{start(t, bootstrap, env), start(t, bootstrap, env)}
	for began := time.Now(); len(current()["streak"]) == 0; time.Sleep(10 * time.Millisecond) {
		require.Less(t, time.Since(began), hung, processes[0].said.String())
	}
	processes[0].end(syscall.SIGKILL)
	processes = append(processes[1:], start(t, bootstrap, env))
	var sending sync.WaitGroup
	sending.Go(func() { send(count/2, count) })
	processes[0].end(os.Interrupt)
	processes = append(processes[1:], start(t, bootstrap, env))
	sending.Wait()
	for began := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		have := current()
		if fmt.Sprint(have) == fmt.Sprint(want) {
			break
		}
		require.Less(t, time.Since(began), hung, "stands %v, want %v", have, want)
	}
	var said string
	for _, c := range processes {
		said += c.end(os.Interrupt)
	}
	require.NotContains(t, said, `"level":"ERROR","msg":"the function`)
	require.Equal(t, fmt.Sprint(want), fmt.Sprint(current()), "nothing has been added while they ended")

	reader, err := kgo.NewClient(kgo.SeedBrokers(cluster.ListenAddrs()...), kgo.ConsumeTopics("scores.dead"), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	require.NoError(t, err)
	defer reader.Close()
	from := map[string]string{}
	for began := time.Now(); len(from) < count/400; {
		require.Less(t, time.Since(began), hung)
		for _, r := range reader.PollFetches(t.Context()).Records() {
			from[string(r.Headers[1].Value)] = string(r.Headers[0].Value)
		}
	}
	for _, reason := range from {
		require.Contains(t, reason, "outside the bounds")
	}
}

func TestItSaysWhatIsMissing(t *testing.T) {
	bootstrap := filepath.Join(t.TempDir(), "consume")
	require.NoError(t, lambdatest.Build(t.Context(), "../..", "./cmd/consume", bootstrap))
	redis := testkit.NewRedis(t, "", testkit.AtOnce)
	c := start(t, bootstrap, []string{"UPSTASH_REDIS_REST_URL=" + redis.Server.URL(), "UPSTASH_REDIS_REST_TOKEN=" + redis.Server.Token()})
	said := c.end(syscall.Signal(0))
	require.Contains(t, said, "KAFKA_BROKERS is not set")
	require.Contains(t, said, "KAFKA_TOPIC is not set")
	require.Equal(t, 1, c.ProcessState.ExitCode())
}
