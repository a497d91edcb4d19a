package upstash

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// ErrNil says that the reply is nil: no such key, member or field.
var ErrNil = errors.New("upstash: reply is nil")

// ErrCircuitOpen is within every error with which the circuit breaker answers
// in place of the database; see Breaker. Nothing was sent then.
var ErrCircuitOpen = errors.New("the circuit breaker is open")

// Kind sorts errors by what a caller can do about them. A Kind is an error
// itself, for errors.Is(err, upstash.KindQuota).
type Kind uint8

const (
	_ Kind = iota
	// KindArgument: the call could not be encoded; nothing was sent.
	KindArgument
	// KindAuth: the token is wrong or may not run the command.
	KindAuth
	// KindQuota: the plan's commands or storage are used up. When it is the
	// commands, reads fail too.
	KindQuota
	// KindThrottled: too many requests at the moment; wait RetryAfter.
	KindThrottled
	// KindTooLarge: a command, key, record or answer exceeds a size limit.
	KindTooLarge
	// KindScript: a script is unknown, does not compile, or failed half-way.
	KindScript
	// KindItem: Redis refused this command (WRONGTYPE, syntax, EXECABORT …).
	KindItem
	// KindUnavailable: network failure, 5xx, deadline or cancellation, an answer
	// that cannot be read, or writes that are refused for the moment.
	KindUnavailable
	// KindProtocol: the url is not a database's (a redirect, 404), or a reply has
	// another shape than the caller expected.
	KindProtocol
)

// Error names the kind in a few words.
func (k Kind) Error() string {
	switch k {
	case KindArgument:
		return "bad argument"
	case KindAuth:
		return "not authorized"
	case KindQuota:
		return "quota exceeded"
	case KindThrottled:
		return "throttled"
	case KindTooLarge:
		return "too large"
	case KindScript:
		return "script failed"
	case KindItem:
		return "command refused"
	case KindUnavailable:
		return "unavailable"
	case KindProtocol:
		return "answer not understood"
	}
	return "unknown error"
}

// KindOf is the kind of the *Error within err, 0 when there is none.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.kind
	}
	return 0
}

// Error is the one error type of this package's calls. Its text holds the
// command's name, its first key and the server's words, and no other
// argument and never the token.
type Error struct {
	Op      string // what was being done: `do ZADD "lb:…"`
	Status  int    // HTTP status of the answer, 0 when there was none
	Message string // the server's or the network's words

	kind         Kind
	place        int    // of the command in its call, from 1; 0 is the call as a whole
	command      string // upper-case name, "" when several are concerned
	cause        error
	maybeApplied bool
	safe         bool // every command of the call bears repetition
	retryAfter   time.Duration
}

// Error is the whole story in one line.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("upstash: ")
	if e.Op != "" {
		b.WriteString(e.Op)
		b.WriteString(": ")
	}
	b.WriteString(e.kind.Error())
	if e.Message != "" {
		b.WriteString(": ")
		b.WriteString(e.Message)
	}
	if e.Status != 0 && e.Status != 200 {
		b.WriteString(" (http status ")
		b.WriteString(strconv.Itoa(e.Status))
		b.WriteString(")")
	}
	return b.String()
}

// Unwrap leads to the network's or the context's error, where there is one.
func (e *Error) Unwrap() error { return e.cause }

// Is reports whether target is this error's Kind.
func (e *Error) Is(target error) bool {
	k, ok := target.(Kind)
	return ok && k == e.kind
}

// Kind sorts the error.
func (e *Error) Kind() Kind { return e.kind }

// Index is the place of the failed command in its call, from 0; always 0 for
// Do. It is -1 when the call failed as a whole, and for an error of
// Reply.Err, which knows no call: Result.Err does.
func (e *Error) Index() int { return e.place - 1 }

// Command is the upper-case name of the failed command, EVALSHA for a Script;
// "" when a call of several failed as a whole.
func (e *Error) Command() string { return e.command }

// MaybeApplied reports whether the effect of the call, or a part of it, may
// have happened all the same: an answer was lost, an earlier part of a split
// pipeline had run, a script failed half-way. False is certain.
func (e *Error) MaybeApplied() bool { return e.maybeApplied }

// SafeToRetry reports whether making the same call again cannot apply its
// effect twice; for a single command of a pipeline, whether sending that
// command alone again cannot. Whether it would help is told by Kind.
func (e *Error) SafeToRetry() bool { return e.safe || !e.maybeApplied }

// RetryAfter is how long to wait before another try: what the server asked
// for, or the time until the circuit breaker lets a call through; 0 when
// neither said. At most 24 hours.
func (e *Error) RetryAfter() time.Duration { return e.retryAfter }
