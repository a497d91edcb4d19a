package upstash

import (
	"context"
	"errors"
	"iter"
	"time"
	"unicode/utf8"
)

const (
	firstReconnect = 100 * time.Millisecond
	longReconnect  = 10 * time.Second
)

// Message is one message of a channel.
type Message struct {
	Pattern string // that the channel matches, "" for Subscribe
	Channel string
	Payload string
}

// EventKind is the kind of an Event.
type EventKind uint8

const (
	_ EventKind = iota
	// EventSubscribed: the server has confirmed the subscription; messages published from now
	// on arrive. With Event.Gap it is not the first time: what was published since the last
	// EventLost is missing.
	EventSubscribed
	// EventMessage: Event.Message has arrived.
	EventMessage
	// EventLost: the connection could not be made, or has ended, because of Event.Err. The
	// client tries again by itself.
	EventLost
)

// Event is a message, or a change of the connection.
type Event struct {
	Kind    EventKind
	Message Message // of EventMessage
	Gap     bool    // of EventSubscribed
	Err     error   // of EventLost, an *Error
}

// Subscribe receives what is published to the channels, in a loop:
//
//	for event, err := range client.Subscribe(ctx, "scores") {
//		…
//	}
//
// The loop runs until the caller leaves it, the context ends or the server refuses the
// subscription. In the last two cases the last turn has an error (an *Error). A connection
// that breaks is made again, after random, growing waits of up to 10 s. Each loop over the
// result is a subscription of its own.
//
// Redis keeps no messages for clients that do not listen. What can be missed:
//   - everything published before the first EventSubscribed;
//   - everything between the last message before an EventLost and the next
//     EventSubscribed, which has Gap set. A connection that died silently is
//     noticed only when the system's keep-alive gives up on it, minutes later,
//     so the gap may begin long before EventLost;
//   - what a server drops because the client reads too slowly: the body of the loop should be
//     quick, and pass on work that takes time;
//   - a message above 11 MiB, which ends the connection.
//
// So after each EventSubscribed read the state that the messages are about. No message comes
// twice.
//
// Channels must be valid UTF-8 and not empty. A name may contain commas, but in a subscription
// to both "a" and "a,b" a message of one may be taken for one of the other. Over REST messages
// travel as lines of text: every kind of line break in a payload arrives as LF, and the server
// replaces what is not UTF-8. A publisher of other bytes must encode them.
func (c *Client) Subscribe(ctx context.Context, channels ...string) iter.Seq2[Event, error] {
	return c.listen(ctx, "SUBSCRIBE", channels)
}

// PSubscribe is Subscribe for all channels that match one of the patterns, in
// Redis' glob style. A message that matches two patterns arrives twice. Over
// REST a channel found by a pattern is read up to its first comma.
func (c *Client) PSubscribe(ctx context.Context, patterns ...string) iter.Seq2[Event, error] {
	return c.listen(ctx, "PSUBSCRIBE", patterns)
}

func (c *Client) listen(ctx context.Context, command string, names []string) iter.Seq2[Event, error] {
	r := request{op: opListen, cmds: []Command{Cmd(append([]string{command}, names...)...)}}
	return func(yield func(Event, error) bool) {
		if failure := r.checkNames(); failure != nil {
			yield(Event{}, failure)
			return
		}
		l := listener{client: c, request: r, names: names, yield: yield}
		for l.once(ctx) && l.wait(ctx) {
		}
	}
}

func (r request) checkNames() *Error {
	names := r.cmds[0].args[1:]
	if len(names) == 0 {
		return r.refused(0, KindArgument, "no channel, want at least one")
	}
	for _, name := range names {
		if name == "" || !utf8.ValidString(name) {
			return r.refused(0, KindArgument, "channel is empty or not valid UTF-8")
		}
	}
	return nil
}

// listener is one loop over a subscription.
type listener struct {
	client   *Client
	request  request
	names    []string
	yield    func(Event, error) bool
	gap      bool // it has been subscribed before
	attempts int  // attempts to connect since the last lasting connection
	lost     *Error
}

// once makes a connection and yields its events. It reports whether another connection should
// follow.
func (l *listener) once(ctx context.Context) bool {
	c := l.client
	began := c.now()
	failure, left := l.hear(ctx)
	switch {
	case left:
		return false
	case ctx.Err() != nil:
		l.yield(Event{}, c.unavailable(ctx, l.request, ctx.Err(), false))
		return false
	}
	failure.safe = true
	switch failure.kind {
	case KindUnavailable, KindThrottled, KindTooLarge, KindQuota:
	default:
		l.yield(Event{}, failure)
		return false
	}
	if c.now().Sub(began) >= longReconnect {
		l.attempts = 0
	}
	l.attempts++
	l.lost = failure
	return l.yield(Event{Kind: EventLost, Err: failure}, nil)
}

// hear yields the events of one connection; left reports that the caller has left the loop.
func (l *listener) hear(ctx context.Context) (failure *Error, left bool) {
	stream, failure := l.client.stream(ctx, l.request, l.names)
	if failure != nil {
		return failure, false
	}
	defer stream.Close()
	if !l.yield(Event{Kind: EventSubscribed, Gap: l.gap}, nil) {
		return nil, true
	}
	l.gap = true
	for {
		m, err := stream.Next()
		if err != nil {
			if !errors.As(err, &failure) {
				failure = l.client.notCarried(ctx, l.request, err, false)
			}
			return failure, false
		}
		if !l.yield(Event{Kind: EventMessage, Message: m}, nil) {
			return nil, true
		}
	}
}

// stream subscribes over REST or the transport.
func (c *Client) stream(ctx context.Context, r request, names []string) (Stream, *Error) {
	if c.transport == nil {
		s, failure := c.listenREST(ctx, r, names)
		if failure != nil {
			return nil, failure
		}
		return s, nil
	}
	s, err := c.transport.Listen(ctx, names, r.cmds[0].name() == "PSUBSCRIBE")
	if err != nil {
		return nil, c.notCarried(ctx, r, err, false)
	}
	c.record(ctx, c.bill(r, nil, nil, nil))
	return s, nil
}

// wait waits before the next connection. It reports whether the context has not ended.
func (l *listener) wait(ctx context.Context) bool {
	c := l.client
	span := longReconnect
	if l.attempts < 7 {
		span = firstReconnect << (l.attempts - 1)
	}
	asked := l.lost.retryAfter
	if l.lost.kind == KindQuota {
		asked = max(asked, c.circuit.set.QuotaDelay)
	}
	if c.sleep(ctx, asked+time.Duration(c.rand()*float64(span))) == nil && ctx.Err() == nil {
		return true
	}
	l.yield(Event{}, c.unavailable(ctx, l.request, context.Cause(ctx), false))
	return false
}
