package problem

import (
	"errors"
	"net/http"

	"github.com/framedle/leaderboards/internal/api/idempotency"
	"github.com/framedle/leaderboards/internal/fault"
	"github.com/framedle/leaderboards/upstash"
)

// Of turns an error into a problem. It is the only place that chooses a status for an error.
func Of(err error) *Problem {
	var p *Problem
	var coded fault.Coded
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, new(behind)): // before what wraps it
		return Unavailable("this feature needs database migrations; the operator has to run lbctl migrate", migrationWait)
	case errors.As(err, &coded):
		return ofFault(err, coded.Fault())
	}
	return redisProblem(err)
}

func ofFault(err error, f fault.Fault) *Problem {
	if f.Detail == "" {
		f.Detail = err.Error()
	}
	if f.Pointer != "" {
		return badField(f.Pointer, f.Detail)
	}
	p := New(f.Code, f.Detail)
	p.Wait, p.Reason, p.OpenDates, p.Balance = f.Wait, f.Reason, f.OpenDates, f.Balance
	if p.Status == http.StatusServiceUnavailable && p.Wait <= 0 {
		p.Wait = retryAfter
	}
	return p
}

// redisProblem is the problem of a failure of Redis, and of any unexpected error.
func redisProblem(err error) *Problem {
	var redis *upstash.Error
	if errors.As(err, &redis) {
		switch redis.Kind() {
		case upstash.KindUnavailable, upstash.KindThrottled, upstash.KindQuota:
			return Unavailable("the data store is unreachable or over its quota; nothing was written, retry later", redis.RetryAfter())
		case upstash.KindAuth:
			return Unavailable("the data store rejects this deployment's credential; the operator has to fix it", CredentialWait)
		}
	}
	return New("internal", "internal error; it has been logged")
}

// ErrHistoryAway says that the history cannot be reached.
var ErrHistoryAway = fault.Unavailable("the archive is unreachable",
	"this period is only in the archive, which is unreachable; recent periods are available", 0)

// AfterDeadline makes a caller who may retry wait until the claim of the idempotency key has
// ended.
func AfterDeadline(err error) error {
	p := *Of(err)
	if p.Status != http.StatusServiceUnavailable {
		return err
	}
	p.Wait = max(p.Wait, idempotency.Deadline)
	return &p
}

// behind is the error of a database whose tables are older than this build needs. It is
// recognized by its method, because the functions that take scores do not link the archive.
type behind interface {
	error
	Needs() int64 // migration
}

// Behind reports whether an error is a behind, and its text without the operation's.
func Behind(err error) (detail string, yes bool) {
	var b behind
	if yes = errors.As(err, &b); yes {
		detail = b.Error()
	}
	return detail, yes
}
