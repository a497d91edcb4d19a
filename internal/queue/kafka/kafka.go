// Package kafka is a queue that others own: it reads a topic as one of a group of
// consumers, has each batch taken, and only then moves the group's offsets. What
// cannot be read goes to a topic of dead letters before the offsets move past it, so
// a message is taken at least once, and its taking has to bear repetition.
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

	"github.com/framedle/leaderboards/internal/host"
)

// Taken is what became of a batch, by messages' ids. All others are done with.
type Taken struct {
	Again []string          // to come again: they could not be written now
	Dead  map[string]string // never to be read: the reason
}

// Take takes a batch in. Of an error the whole batch comes again.
type Take func(ctx context.Context, messages []host.QueueMessage) (Taken, error)

const (
	mostRecords = 1000             // of a batch
	mostBytes   = 64 << 10         // of a message; a score with its details has 3 KiB
	takeTime    = 20 * time.Second // for a batch
	rebalance   = 2 * time.Minute  // that the group waits for a consumer that holds a batch
	firstPause  = 500 * time.Millisecond
	longestWait = 30 * time.Second // between two tries of what could not be written
	greeting    = 10 * time.Second // for a broker's first answer
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
		kgo.AllowAutoTopicCreation(), // of the dead letters
		kgo.FetchMaxPartitionBytes(4<<20),
	)...)
	if err != nil {
		return nil, fmt.Errorf("kafka: %w", err)
	}
	return &Consumer{client, c.Dead, take, log}, nil
}

// greet says where no broker answers: the client asks on by itself, without a word.
func (c *Consumer) greet(ctx context.Context) {
	ctx, stop := context.WithTimeout(ctx, greeting)
	defer stop()
	if err := c.client.Ping(ctx); err != nil {
		c.log.LogAttrs(ctx, slog.LevelError, "no broker answers: it is tried again; see KAFKA_BROKERS, KAFKA_TLS and KAFKA_SASL", slog.String("error", err.Error()))
	}
}

// Run takes batches until ctx ends. A batch that has begun is finished, and its
// offsets are moved. What cannot be written now is tried again for as long as it
// takes, from the group's offsets on: nothing is lost while Redis is away.
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
			c.log.LogAttrs(ctx, slog.LevelError, "a partition cannot be read: it is tried again",
				slog.String("topic", topic), slog.Int("partition", int(partition)), slog.String("error", err.Error()))
		})
		records := fetches.Records()
		err := c.deliver(context.WithoutCancel(ctx), records)
		if err != nil {
			c.log.LogAttrs(ctx, slog.LevelError, "messages could not be written: they come again",
				slog.Int("messages", len(records)), slog.String("error", err.Error()), slog.Duration("in", pause))
			c.rewind(records)
		}
		c.client.AllowRebalance()
		if err == nil {
			pause = firstPause
			continue
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
		pause = min(2*pause, longestWait)
	}
	return nil
}

// errAgain is why a batch is read again of which some could not be written.
var errAgain = errors.New("some could not be written now; the log above says why")

// deliver has a batch taken, sets aside what cannot be read, and moves the offsets.
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
	var taken Taken
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
		// They are taken; another consumer, or this one, takes them once more.
		c.log.LogAttrs(ctx, slog.LevelWarn, "offsets could not be moved: messages come again", slog.String("error", err.Error()))
	}
	return nil
}

// identity names a message among all of its topic, always in the same way.
func identity(r *kgo.Record) string {
	return r.Topic + "/" + strconv.Itoa(int(r.Partition)) + "/" + strconv.FormatInt(r.Offset, 10)
}

// letter is a message as it is set aside: as it was, with why, and where it was.
func (c *Consumer) letter(r *kgo.Record, reason string) *kgo.Record {
	return &kgo.Record{
		Topic: c.dead, Key: r.Key, Value: r.Value, Timestamp: r.Timestamp,
		Headers: []kgo.RecordHeader{{Key: "reason", Value: []byte(reason)}, {Key: "from", Value: []byte(identity(r))}},
	}
}

// rewind has a batch read again from its beginning.
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
