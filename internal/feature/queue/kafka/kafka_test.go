package kafka_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/framedle/leaderboards/internal/feature/queue/kafka"
	"github.com/framedle/leaderboards/internal/platform/host"
)

const (
	topic      = "scores"
	partitions = 3
)

// hung is far more than anything takes.
const hung = 2 * time.Minute

// broker is an in-memory Kafka on this machine.
type broker struct {
	*kfake.Cluster
	t      *testing.T
	client *kgo.Client
}

func newBroker(t *testing.T) *broker {
	t.Helper()
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(partitions, topic), kfake.SeedTopics(1, topic+".dead"),
		kfake.GroupMinSessionTimeout(time.Second),
		kfake.ListenFn(func(network, _ string) (net.Listener, error) { return net.Listen(network, "127.0.0.1:0") }))
	require.NoError(t, err)
	t.Cleanup(cluster.Close)
	client, err := kgo.NewClient(kgo.SeedBrokers(cluster.ListenAddrs()...), kgo.RecordPartitioner(kgo.ManualPartitioner()))
	require.NoError(t, err)
	t.Cleanup(client.Close)
	return &broker{cluster, t, client}
}

func (b *broker) config() kafka.Config {
	return kafka.Config{Brokers: b.ListenAddrs(), Topic: topic, Group: "leaderboards", Dead: topic + ".dead", Session: 3 * time.Second}
}

// send puts messages into the topic, one partition after the other.
func (b *broker) send(values ...string) {
	b.t.Helper()
	for i, value := range values {
		record := &kgo.Record{Topic: topic, Partition: int32(i % partitions), Value: []byte(value)}
		require.NoError(b.t, b.client.ProduceSync(b.t.Context(), record).FirstErr())
	}
}

// committed is how far the group is, over all partitions.
func (b *broker) committed() (n int64) {
	b.t.Helper()
	request := kmsg.NewPtrOffsetFetchRequest()
	group := kmsg.NewOffsetFetchRequestGroup()
	group.Group = "leaderboards"
	request.Group, request.Groups = "leaderboards", append(request.Groups, group)
	answer, err := request.RequestWith(b.t.Context(), b.client)
	require.NoError(b.t, err)
	for _, g := range answer.Groups {
		for _, topic := range g.Topics {
			for _, partition := range topic.Partitions {
				n += max(0, partition.Offset)
			}
		}
	}
	return n
}

// start runs a consumer until it is stopped, which waits for it.
func (b *broker) start(take kafka.Take) (stop func()) {
	b.t.Helper()
	consumer, err := kafka.New(b.config(), take, slog.New(slog.DiscardHandler))
	require.NoError(b.t, err)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- consumer.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		select {
		case err := <-done:
			require.NoError(b.t, err)
		case <-time.After(hung):
			b.t.Error("a consumer does not end")
		}
	})
	b.t.Cleanup(stop)
	return stop
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for began := time.Now(); !is(); time.Sleep(5 * time.Millisecond) {
		require.Less(t, time.Since(began), hung, what)
	}
}

// effects are what has been taken, by every consumer of a test.
type effects struct {
	mu     sync.Mutex
	taken  map[string]int
	bodies []string
}

func (e *effects) add(messages []host.QueueMessage) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.taken == nil {
		e.taken = map[string]int{}
	}
	for _, m := range messages {
		e.taken[m.ID]++
		e.bodies = append(e.bodies, m.Body)
	}
}

func (e *effects) different() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.taken)
}

func numbered(n int) []string {
	values := make([]string, n)
	for i := range values {
		values[i] = fmt.Sprintf("message %d", i)
	}
	return values
}

// Consumers come and go, and some stop between the effect and the offsets.
func TestEveryMessageIsTakenWhoeverDies(t *testing.T) {
	b := newBroker(t)
	const count = 600
	var all effects
	b.send(numbered(count / 2)...)
	var dying sync.Once
	died := make(chan struct{})
	first := b.start(func(_ context.Context, messages []host.QueueMessage) (kafka.BatchResult, error) {
		all.add(messages)
		dying.Do(func() { close(died) })
		return kafka.BatchResult{}, errors.New("the process ends before the offsets are moved")
	})
	<-died
	require.Zero(t, b.committed(), "offsets move after the effect alone")
	good := func(_ context.Context, messages []host.QueueMessage) (kafka.BatchResult, error) {
		all.add(messages)
		return kafka.BatchResult{}, nil
	}
	second := b.start(good)
	first()
	b.send(numbered(count / 2)...)
	third := b.start(good)
	eventually(t, "all are taken", func() bool { return all.different() == count && b.committed() == count })
	second()
	third()
	require.Greater(t, len(all.bodies), count, "some were taken twice")
}

func TestNothingIsLostWhileNothingCanBeWritten(t *testing.T) {
	b := newBroker(t)
	b.send(numbered(30)...)
	var all effects
	tries := 0
	b.start(func(_ context.Context, messages []host.QueueMessage) (kafka.BatchResult, error) {
		tries++
		switch {
		case tries == 1:
			return kafka.BatchResult{}, errors.New("Redis is away")
		case tries == 2: // one alone could not be written
			return kafka.BatchResult{Again: []string{messages[0].ID}}, nil
		}
		all.add(messages)
		return kafka.BatchResult{}, nil
	})
	eventually(t, "all are taken", func() bool { return all.different() == 30 && b.committed() == 30 })
	for partition := range partitions {
		var offsets []string
		for _, body := range all.bodies {
			var n int
			_, err := fmt.Sscanf(body, "message %d", &n)
			require.NoError(t, err)
			if n%partitions == partition {
				offsets = append(offsets, fmt.Sprintf("%03d", n))
			}
		}
		require.True(t, slices.IsSorted(offsets), "a partition keeps its order")
	}
}

func TestWhatCannotBeReadIsSetAsideWithItsReason(t *testing.T) {
	b := newBroker(t)
	b.send("good", "poison", strings.Repeat("x", 64<<10+1))
	failures := 0
	b.ControlKey(int16(kmsg.Produce), func(request kmsg.Request) (kmsg.Response, error, bool) {
		produce := request.(*kmsg.ProduceRequest)
		failures++ // asked once: control is given back with the answer
		answer := produce.ResponseKind().(*kmsg.ProduceResponse)
		for _, asked := range produce.Topics {
			refused := kmsg.NewProduceResponseTopic()
			refused.Topic, refused.TopicID = asked.Topic, asked.TopicID
			for _, p := range asked.Partitions {
				partition := kmsg.NewProduceResponseTopicPartition()
				partition.Partition, partition.ErrorCode = p.Partition, kerr.TopicAuthorizationFailed.Code
				refused.Partitions = append(refused.Partitions, partition)
			}
			answer.Topics = append(answer.Topics, refused)
		}
		return answer, nil, true
	})
	var all effects
	b.start(func(_ context.Context, messages []host.QueueMessage) (kafka.BatchResult, error) {
		dead := map[string]string{}
		for _, m := range messages {
			if m.Body == "poison" {
				dead[m.ID] = "this is no score"
			}
		}
		all.add(messages)
		return kafka.BatchResult{Dead: dead}, nil
	})
	eventually(t, "offsets move past them", func() bool { return b.committed() == 3 })
	require.Equal(t, 1, failures, "and not before they were safe")
	reader, err := kgo.NewClient(kgo.SeedBrokers(b.ListenAddrs()...), kgo.ConsumeTopics(topic+".dead"), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	require.NoError(t, err)
	defer reader.Close()
	letters := map[string]string{}
	eventually(t, "both are there", func() bool {
		for _, r := range reader.PollFetches(t.Context()).Records() {
			letters[string(r.Value[:4])] = string(r.Headers[0].Value) + " of " + string(r.Headers[1].Value)
		}
		return len(letters) == 2
	})
	require.Equal(t, map[string]string{"pois": "this is no score of scores/1/0", "xxxx": "it has more than 64 KiB of scores/2/0"}, letters)
}

func TestConfigurationSaysWhatIsWrong(t *testing.T) {
	read := func(pairs ...string) (kafka.Config, error) {
		return kafka.FromEnv(func(name string) string {
			if i := slices.Index(pairs, name); i >= 0 {
				return pairs[i+1]
			}
			return ""
		})
	}
	c, err := read("KAFKA_BROKERS", "a:9092, b:9092", "KAFKA_TOPIC", "scores", "KAFKA_SASL", "scram-sha-512", "KAFKA_USER", "u", "KAFKA_TLS", "on")
	require.NoError(t, err)
	require.Equal(t, kafka.Config{
		Brokers: []string{"a:9092", "b:9092"}, Topic: "scores", Group: "leaderboards", Dead: "scores.dead", TLS: true,
		SASL: "scram-sha-512", User: "u", Session: 45 * time.Second,
	}, c)
	for want, pairs := range map[string][]string{
		"KAFKA_BROKERS is not set":      {"KAFKA_TOPIC", "scores"},
		"KAFKA_TOPIC is not set":        {"KAFKA_BROKERS", "a:1"},
		"KAFKA_DEAD_TOPIC is the topic": {"KAFKA_BROKERS", "a:1", "KAFKA_TOPIC", "s", "KAFKA_DEAD_TOPIC", "s"},
		"KAFKA_TLS must be on or off":   {"KAFKA_BROKERS", "a:1", "KAFKA_TOPIC", "s", "KAFKA_TLS", "yes"},
		"KAFKA_SASL must be plain":      {"KAFKA_BROKERS", "a:1", "KAFKA_TOPIC", "s", "KAFKA_SASL", "md5"},
		"KAFKA_SESSION must be a time":  {"KAFKA_BROKERS", "a:1", "KAFKA_TOPIC", "s", "KAFKA_SESSION", "9h"},
	} {
		_, err := read(pairs...)
		require.ErrorContains(t, err, want)
	}
}

// A misspelt broker name is reported at once, and not taken for a topic without scores.
func TestThatNoBrokerAnswersIsLogged(t *testing.T) {
	var log bytes.Buffer
	c := kafka.Config{Brokers: []string{"127.0.0.1:1"}, Topic: "scores", Group: "leaderboards", Dead: "scores.dead", Session: 45 * time.Second}
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Second)
	defer stop()
	consumer, err := kafka.New(c, nil, slog.New(slog.NewTextHandler(&log, nil)))
	require.NoError(t, err)
	require.NoError(t, consumer.Run(ctx))
	require.Contains(t, log.String(), "no broker responds")
}
