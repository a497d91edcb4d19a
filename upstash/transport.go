package upstash

import (
	"context"
	"errors"
	"strconv"
	"time"
)

// Transport sends calls to a database by another protocol than REST; see package
// redistransport. A Client over a Transport retries, counts and sorts errors as over REST.
// Implementations are safe for concurrent use. If one has a method CloseIdleConnections(), the
// client calls it when a connection has died silently.
type Transport interface {
	// RoundTrip makes one attempt to run commands in order, each a slice of words, name first;
	// atomic asks for a transaction. It must not repeat an attempt by itself, and must return
	// once the context ends. An error that wraps a Refusal means that nothing was carried out.
	RoundTrip(ctx context.Context, commands [][]string, atomic bool) (Answer, error)
	// Listen subscribes to channels, or to patterns, and returns when the server has confirmed
	// them. The stream also ends with the context.
	Listen(ctx context.Context, names []string, patterns bool) (Stream, error)
}

// Answer is the result of one attempt or, beside an error, what is known about it.
type Answer struct {
	// Replies has one element for each command.
	Replies []Reply
	// Unsent says, beside an error, that surely nothing was sent.
	Unsent bool
	// Sent and Received have one element for each command: where its part of all bytes ends. A
	// single element covers the whole call.
	Sent, Received []int
}

// Refusal is the server's text when it refuses a call as a whole: a discarded transaction, a
// wrong password.
type Refusal string

func (r Refusal) Error() string { return string(r) }

// Stream is a subscription on one connection.
type Stream interface {
	// Next waits for a message. An error is final.
	Next() (Message, error)
	// Close ends the stream; Next then returns.
	Close() error
}

// TextReply makes the Reply for a string that a Transport has read.
func TextReply(text string) Reply { return Reply{kind: replyText, text: text} }

// IntReply makes the Reply for an integer that a Transport has read.
func IntReply(n int64) Reply { return Reply{kind: replyNumber, text: strconv.FormatInt(n, 10)} }

// ArrayReply makes the Reply for an array that a Transport has read. The slice is not copied.
func ArrayReply(items []Reply) Reply { return Reply{kind: replyArray, items: items} }

// ErrorReply makes the Reply for a refused command, from the server's text.
func ErrorReply(text string) Reply {
	if len(text) > shownMessage {
		text = text[:shownMessage]
	}
	return Reply{kind: replyError, text: text}
}

// callTransport makes attempts at a call over the transport.
func (c *Client) callTransport(ctx context.Context, r request) (reply Reply, lost int, failure *Error) {
	for i := range r.cmds {
		if r.cmds[i].name() == "" {
			return Reply{}, 0, r.refused(i, KindArgument, "command has no name, want at least one word")
		}
	}
	return c.attempts(ctx, r, func(end time.Time, quiet time.Duration) (Reply, *Error) {
		ctx, cancel := context.WithDeadline(ctx, end)
		defer cancel()
		return c.carry(ctx, r, quiet)
	})
}

// carry makes one attempt over the transport. If quiet is not 0 and the call may be repeated,
// the attempt may take as long as quiet.
func (c *Client) carry(ctx context.Context, r request, quiet time.Duration) (Reply, *Error) {
	if ctx.Err() != nil {
		return Reply{}, c.unavailable(ctx, r, ctx.Err(), false)
	}
	if quiet > 0 && r.safe() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, quiet, quietError(quiet))
		defer cancel()
	}
	words := make([][]string, len(r.cmds))
	for i := range r.cmds {
		words[i] = r.words(i)
	}
	answer, err := c.transport.RoundTrip(ctx, words, r.op == opMultiExec)
	if err != nil {
		if !answer.Unsent {
			c.record(ctx, c.bill(r, nil, answer.Sent, answer.Received))
		}
		return Reply{}, c.notCarried(ctx, r, err, !answer.Unsent)
	}
	c.record(ctx, c.bill(r, answer.Replies, answer.Sent, answer.Received))
	place, name := r.whose()
	e := &Error{Op: r.describe(), place: place, command: name}
	switch {
	case len(answer.Replies) != len(r.cmds):
		e.Message, e.kind, e.maybeApplied = "transport answered other than one reply for each command", KindProtocol, true
		return Reply{}, e
	case r.op != opDo:
		return ArrayReply(answer.Replies), nil
	}
	reply := answer.Replies[0]
	if reply.kind == replyError {
		e.Message, e.kind = reply.text, kindOfText(reply.text)
		e.maybeApplied = partlyApplied(reply.text, r.cmds[0].runsCode())
		return Reply{}, e
	}
	return reply, nil
}

// notCarried makes the *Error of a transport's error.
func (c *Client) notCarried(ctx context.Context, r request, err error, maybe bool) *Error {
	var refusal Refusal
	if !errors.As(err, &refusal) {
		return c.unavailable(ctx, r, err, maybe)
	}
	place, name := r.whose()
	return &Error{
		Op: r.describe(), Message: string(refusal), kind: kindOfText(string(refusal)),
		place: place, command: name, cause: err,
	}
}

// words returns command i in the form in which it is sent.
func (r request) words(i int) []string {
	cmd := r.cmds[i]
	switch {
	case cmd.script == nil:
		return cmd.args
	case r.source:
		return append([]string{"EVAL", cmd.script.source}, cmd.args...)
	}
	return append([]string{"EVALSHA", cmd.script.digest()}, cmd.args...)
}
