package upstash

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// ErrNil is returned for a nil reply: there is no such key, member or field.
var ErrNil = errors.New("upstash: reply is nil")

// ErrCircuitOpen is wrapped by every error that the circuit breaker returns without asking the
// database; see Breaker. Nothing was sent then.
var ErrCircuitOpen = errors.New("the circuit breaker is open")

// Kind sorts errors by what a caller can do about them. A Kind is itself an error, for
// errors.Is(err, upstash.KindQuota).
type Kind uint8

const (
	_ Kind = iota
	// KindArgument: the call could not be encoded; nothing was sent.
	KindArgument
	// KindAuth: the token is wrong or may not run the command.
	KindAuth
	// KindQuota: the plan's commands or its storage are used up. If it is the commands, reads
	// fail too.
	KindQuota
	// KindThrottled: too many requests at the moment; wait for RetryAfter.
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
	// KindProtocol: the URL is not a database's (a redirect, 404), or a reply has another
	// shape than the caller expected.
	KindProtocol
)

// Error describes the kind in a few words.
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

// KindOf returns the kind of the *Error within err; 0 if there is none.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.kind
	}
	return 0
}

// Error is the only error type of this package's calls. Its text contains the command's name,
// its first key and the server's words, but no other argument and never the token.
type Error struct {
	Op      string // what was being done: `do ZADD "lb:…"`
	Status  int    // HTTP status of the answer; 0 if there was none
	Message string // the server's or the network's words

	kind         Kind
	place        int    // of the command in its call, from 1; 0: the call as a whole
	command      string // upper-case name, "" when several are concerned
	cause        error
	maybeApplied bool
	safe         bool // every command of the call may be repeated
	retryAfter   time.Duration
}

// Error describes the error in one line.
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

// Unwrap returns the error of the network or the context, if there is one.
func (e *Error) Unwrap() error { return e.cause }

// Is reports whether target is this error's Kind.
func (e *Error) Is(target error) bool {
	k, ok := target.(Kind)
	return ok && k == e.kind
}

// Kind returns the kind of the error.
func (e *Error) Kind() Kind { return e.kind }

// Index is the place of the failed command in its call, from 0; for Do always 0. It is -1 if
// the call failed as a whole, and for an error of Reply.Err, which does not know the call;
// Result.Err does.
func (e *Error) Index() int { return e.place - 1 }

// Command is the upper-case name of the failed command, EVALSHA for a Script; "" if a call of
// several commands failed as a whole.
func (e *Error) Command() string { return e.command }

// MaybeApplied reports whether the call may have had its effect, or a part of it, despite the
// error: an answer was lost, an earlier part of a split pipeline had run, a script failed
// half-way. False is certain.
func (e *Error) MaybeApplied() bool { return e.maybeApplied }

// SafeToRetry reports whether the same call can be made again without applying its effect
// twice; for a single command of a pipeline, whether that command alone can be sent again.
// Kind says whether it would help.
func (e *Error) SafeToRetry() bool { return e.safe || !e.maybeApplied }

// RetryAfter is how long to wait before another try: the time that the server asked for, or
// until the circuit breaker lets a call through; 0 if there is no such time. At most 24 hours.
func (e *Error) RetryAfter() time.Duration { return e.retryAfter }
