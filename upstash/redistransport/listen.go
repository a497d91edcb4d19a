package redistransport

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"

	"github.com/framedle/leaderboards/upstash"
)

// Listen subscribes on a connection of its own; see upstash.Transport.
func (t *Transport) Listen(ctx context.Context, names []string, patterns bool) (upstash.Stream, error) {
	var pubsub *redis.PubSub
	if patterns {
		pubsub = t.client.PSubscribe(ctx, names...)
	} else {
		pubsub = t.client.Subscribe(ctx, names...)
	}
	// Reading does not end with a context, closing ends it.
	s := &stream{ctx: ctx, pubsub: pubsub}
	s.stop = context.AfterFunc(ctx, func() { _ = pubsub.Close() })
	for confirmed := 0; confirmed < len(names) && s.early == nil; {
		event, err := pubsub.ReceiveTimeout(ctx, dialTimeout)
		if err != nil {
			_ = s.Close()
			return nil, connectionError(err)
		}
		switch event := event.(type) {
		case *redis.Subscription:
			confirmed++
		case *redis.Message:
			s.early = event
		}
	}
	return s, nil
}

// stream is one subscription.
type stream struct {
	ctx    context.Context
	stop   func() bool
	pubsub *redis.PubSub
	early  *redis.Message // that came before every name was confirmed
}

// Next waits for a message.
func (s *stream) Next() (upstash.Message, error) {
	if m := s.early; m != nil {
		s.early = nil
		return message(m), nil
	}
	for {
		event, err := s.pubsub.Receive(s.ctx)
		if err != nil {
			return upstash.Message{}, fmt.Errorf("redistransport: %w", err)
		}
		if m, ok := event.(*redis.Message); ok {
			return message(m), nil
		}
	}
}

func message(m *redis.Message) upstash.Message {
	return upstash.Message{Pattern: m.Pattern, Channel: m.Channel, Payload: m.Payload}
}

// Close ends the subscription.
func (s *stream) Close() error {
	s.stop()
	return s.pubsub.Close()
}
