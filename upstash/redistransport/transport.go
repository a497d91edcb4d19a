package redistransport

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/redis/go-redis/v9/maintnotifications"

	"github.com/framedle/leaderboards/upstash"
)

const (
	dialTimeout = 3 * time.Second
	maxConns    = 64
)

// Transport is an upstash.Transport to one server. Keep it for the life of the
// process, or Close it.
type Transport struct {
	client *redis.Client
	age    atomic.Int64 // of the connections; it rises with CloseIdleConnections
}

// New reads redis://[user:password@]host:port[/db], or rediss:// for TLS, with
// go-redis' query options. It opens no connection. Errors never show the URL,
// which may hold a password.
func New(url string) (*Transport, error) {
	options, err := redis.ParseURL(url)
	if err != nil {
		return nil, errors.New("redistransport: address cannot be read, want redis://[user:password@]host:port[/db] or rediss://…")
	}
	// The client makes all attempts, and must learn at once why one failed.
	options.MaxRetries = -1
	options.DialerRetries = 1
	options.DialTimeout = dialTimeout
	t := new(Transport)
	options.Dialer = t.dialer(options)
	options.PoolSize = maxConns
	options.ContextTimeoutEnabled = true
	// The client's deadline bounds a call; a shorter one would cut long answers.
	options.ReadTimeout, options.WriteTimeout = -1, -1
	// The older protocol has the reply types that REST has.
	options.Protocol = 2
	options.DisableIdentity = true
	options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	// The library also logs the errors that it returns; this one setting turns all of its
	// logging off.
	redis.SetLogger(&logging.VoidLogger{})
	t.client = redis.NewClient(options)
	return t, nil
}

// Close closes all connections.
func (t *Transport) Close() error { return t.client.Close() }

// dialer marks what failed before anything could be sent.
func (t *Transport) dialer(o *redis.Options) func(context.Context, string, string) (net.Conn, error) {
	dial := redis.NewDialer(o)
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		born := t.age.Load()
		dialled, err := dial(ctx, network, addr)
		if err != nil {
			return nil, unsentError{err}
		}
		return &conn{dialled, born, &t.age}, nil
	}
}

type unsentError struct{ error }

func (e unsentError) Unwrap() error { return e.error }

// RoundTrip makes one attempt; see upstash.Transport.
func (t *Transport) RoundTrip(ctx context.Context, commands [][]string, atomic bool) (upstash.Answer, error) {
	var answer upstash.Answer
	var total int
	if atomic {
		total = len(wireMulti)
	}
	for _, words := range commands {
		total += wireSize(words)
		answer.Sent = append(answer.Sent, total)
	}
	if atomic {
		answer.Sent[len(commands)-1] += len(wireExec)
	}
	values, err := t.send(ctx, commands, atomic)
	if err == nil && atomic {
		values, err = executed(values)
	}
	if err != nil {
		answer.Unsent = surelyUnsent(err)
		return answer, err
	}
	replies, received, err := readAll(values)
	if err != nil {
		return answer, err
	}
	if err := refused(replies); err != nil {
		return answer, err
	}
	answer.Replies, answer.Received = replies, received
	return answer, nil
}

// send writes all commands at once and returns the answer to each, which may be the command's
// error. An error of send is about the connection.
func (t *Transport) send(ctx context.Context, commands [][]string, atomic bool) ([]any, error) {
	pipe := t.client.Pipeline()
	if atomic {
		pipe.Do(ctx, "MULTI")
	}
	for _, words := range commands {
		args := make([]any, len(words))
		for i, word := range words {
			args[i] = word
		}
		pipe.Do(ctx, args...)
	}
	if atomic {
		pipe.Do(ctx, "EXEC")
	}
	cmds, failure := pipe.Exec(ctx)
	values := make([]any, len(cmds))
	answered := failure == nil
	for i, cmd := range cmds {
		value, err := cmd.(*redis.Cmd).Result()
		answered = answered || err != nil
		switch reply, ok := err.(redis.Error); {
		case err == nil:
			values[i] = value
		case ok && reply != redis.Nil:
			values[i] = reply
		case !ok:
			return nil, connectionError(err)
		}
	}
	if !answered {
		// A server that refuses the password leaves the commands untouched.
		return nil, connectionError(failure)
	}
	return values, nil
}

// executed returns the answer to EXEC, which follows those to MULTI and the queued commands.
func executed(values []any) ([]any, error) {
	for _, value := range values {
		if refusal, ok := value.(redis.Error); ok {
			return nil, upstash.Refusal(refusal.Error())
		}
	}
	replies, ok := values[len(values)-1].([]any)
	if !ok || len(replies) != len(values)-2 {
		return nil, errors.New("redistransport: EXEC answered other than one reply for each command")
	}
	return replies, nil
}

// refused returns an error if the server accepted no command: it wants a password, or is not
// ready.
func refused(replies []upstash.Reply) error {
	for _, reply := range replies {
		err := reply.Err()
		kind := upstash.KindOf(err)
		if kind != upstash.KindAuth && kind != upstash.KindUnavailable {
			return nil
		}
	}
	var e *upstash.Error
	if !errors.As(replies[0].Err(), &e) || strings.HasPrefix(e.Message, "NOPERM") {
		return nil
	}
	return upstash.Refusal(e.Message)
}

// connectionError makes the error for a failure before or in place of replies. An error reply
// to the first commands on a connection is the server's refusal.
func connectionError(err error) error {
	var refusal redis.Error
	if errors.As(err, &refusal) {
		return upstash.Refusal(refusal.Error())
	}
	if !surelyUnsent(err) && errors.Is(err, os.ErrDeadlineExceeded) {
		// The connection has no other deadline than the call's.
		err = context.DeadlineExceeded
	}
	return fmt.Errorf("redistransport: %w", err)
}

// surelyUnsent reports whether a call failed before it had a connection.
func surelyUnsent(err error) bool {
	var unsent unsentError
	return errors.As(err, &unsent) || errors.Is(err, redis.ErrPoolTimeout)
}
