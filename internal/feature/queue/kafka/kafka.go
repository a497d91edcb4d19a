// Package kafka reads a queue that belongs to another system: it reads a topic as a member of
// a consumer group, passes each batch to Take, and only then commits the group's offsets. It
// writes messages that cannot be read to a topic of dead letters before it commits their
// offsets. So each message is taken at least once, and taking it must be idempotent.
//
// It must not know what a message holds. No function that players wait for links it.
package kafka

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/framedle/leaderboards/internal/platform/host"
	"github.com/framedle/leaderboards/internal/platform/wait"
)

// BatchResult is the result of taking a batch, by message ids. Messages in neither field are done.
type BatchResult struct {
	Again []string          // to deliver again: they cannot be written now
	Dead  map[string]string // never to be read, with the reason
}

// Take takes a batch. An error has the whole batch delivered again.
type Take func(ctx context.Context, messages []host.QueueMessage) (BatchResult, error)

const (
	mostRecords = 1000             // in a batch
	mostBytes   = 64 << 10         // in a message; a score with its details has 3 KiB
	takeTime    = 20 * time.Second // for taking a batch
	rebalance   = 2 * time.Minute  // how long the group waits for a consumer that holds a batch
	firstPause  = 500 * time.Millisecond
	longestWait = 30 * time.Second // between two tries to write a batch
	greeting    = 10 * time.Second // until the first answer of a broker
)

// Consumer reads one topic.
type Consumer struct {
	client *kgo.Client
	dead   string
	take   Take
	log    *slog.Logger
}

// New makes a Consumer. It dials nothing.
func New(c Config, take Take, log *slog.Logger) (*Consumer, error) {
	options, err := c.options()
	if err != nil {
		return nil, err
	}
	client, err := kgo.NewClient(append(options,
		kgo.ConsumerGroup(c.Group), kgo.ConsumeTopics(c.Topic), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()),
		kgo.DisableAutoCommit(), kgo.BlockRebalanceOnPoll(), kgo.RebalanceTimeout(rebalance),
		kgo.SessionTimeout(c.Session), kgo.HeartbeatInterval(c.Session/15),
		kgo.AllowAutoTopicCreation(), // for the topic of dead letters
		kgo.FetchMaxPartitionBytes(4<<20),
	)...)
	if err != nil {
		return nil, fmt.Errorf("kafka: %w", err)
	}
	return &Consumer{client, c.Dead, take, log}, nil
}

// greet logs an error if no broker answers: the client retries by itself, without logging.
func (c *Consumer) greet(ctx context.Context) {
	ctx, stop := context.WithTimeout(ctx, greeting)
	defer stop()
	if err := c.client.Ping(ctx); err != nil {
		c.log.LogAttrs(ctx, slog.LevelError, "no broker responds: retrying; see KAFKA_BROKERS, KAFKA_TLS and KAFKA_SASL", slog.String("error", err.Error()))
	}
}

// Run takes batches until ctx ends. It finishes a batch that it has begun, and commits its
// offsets. If a batch cannot be written, Run tries again for as long as needed, from the
// group's offsets on: nothing is lost while Redis is down.
func (c *Consumer) Run(ctx context.Context) error {
	defer c.client.CloseAllowingRebalance()
	c.greet(ctx)
	pause := firstPause
	for ctx.Err() == nil {
		fetches := c.client.PollRecords(ctx, mostRecords)
		if fetches.IsClientClosed() || ctx.Err() != nil {
			break
		}
		fetches.EachError(func(topic string, partition int32, err error) {
			c.log.LogAttrs(ctx, slog.LevelError, "a partition cannot be read: retrying",
				slog.String("topic", topic), slog.Int("partition", int(partition)), slog.String("error", err.Error()))
		})
		records := fetches.Records()
		err := c.deliver(context.WithoutCancel(ctx), records)
		if err != nil {
			c.log.LogAttrs(ctx, slog.LevelError, "messages could not be written: they are retried",
				slog.Int("messages", len(records)), slog.String("error", err.Error()), slog.Duration("in", pause))
			c.rewind(records)
		}
		c.client.AllowRebalance()
		if err == nil {
			pause = firstPause
			continue
		}
		_ = wait.Sleep(ctx, pause) // the loop sees the end
		pause = wait.Backoff(1, pause, longestWait)
	}
	return nil
}

// errAgain makes a batch be read again of which some messages could not be written.
var errAgain = errors.New("some could not be written now; the log above says why")

// deliver passes a batch to Take, writes the dead letters, and commits the offsets.
func (c *Consumer) deliver(ctx context.Context, records []*kgo.Record) error {
	if len(records) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, takeTime)
	defer cancel()
	messages := make([]host.QueueMessage, 0, len(records))
	from := make(map[string]*kgo.Record, len(records))
	var dead []*kgo.Record
	for _, r := range records {
		id := identity(r)
		from[id] = r
		if len(r.Value) > mostBytes {
			dead = append(dead, c.letter(r, "it has more than 64 KiB"))
			continue
		}
		messages = append(messages, host.QueueMessage{ID: id, Body: string(r.Value), Receives: 1, Sent: r.Timestamp})
	}
	var taken BatchResult
	if len(messages) > 0 {
		var err error
		if taken, err = c.take(ctx, messages); err != nil {
			return err
		}
	}
	for id, reason := range taken.Dead {
		dead = append(dead, c.letter(from[id], reason))
	}
	if len(dead) > 0 {
		if err := c.client.ProduceSync(ctx, dead...).FirstErr(); err != nil {
			return fmt.Errorf("write dead letters to %s: %w", c.dead, err)
		}
		c.log.LogAttrs(ctx, slog.LevelError, "messages cannot be read: they are among the dead letters",
			slog.Int("messages", len(dead)), slog.String("topic", c.dead), slog.String("first", string(dead[0].Headers[0].Value)))
	}
	if len(taken.Again) > 0 {
		return errAgain
	}
	if err := c.client.CommitRecords(ctx, records...); err != nil {
		// The messages were taken; this or another consumer will take them once more.
		c.log.LogAttrs(ctx, slog.LevelWarn, "offsets could not be committed: messages are redelivered", slog.String("error", err.Error()))
	}
	return nil
}

// identity is the id of a message in all topics. It is always the same for a message.
func identity(r *kgo.Record) string {
	return r.Topic + "/" + strconv.Itoa(int(r.Partition)) + "/" + strconv.FormatInt(r.Offset, 10)
}

// letter is the dead letter of a message: its contents, the reason, and where it was.
func (c *Consumer) letter(r *kgo.Record, reason string) *kgo.Record {
	return &kgo.Record{
		Topic: c.dead, Key: r.Key, Value: r.Value, Timestamp: r.Timestamp,
		Headers: []kgo.RecordHeader{{Key: "reason", Value: []byte(reason)}, {Key: "from", Value: []byte(identity(r))}},
	}
}

// rewind makes a batch be read again from its beginning.
func (c *Consumer) rewind(records []*kgo.Record) {
	first := map[string]map[int32]kgo.EpochOffset{}
	for _, r := range records {
		if first[r.Topic] == nil {
			first[r.Topic] = map[int32]kgo.EpochOffset{}
		}
		if before, known := first[r.Topic][r.Partition]; !known || r.Offset < before.Offset {
			first[r.Topic][r.Partition] = kgo.EpochOffset{Epoch: r.LeaderEpoch, Offset: r.Offset}
		}
	}
	c.client.SetOffsets(first)
}
