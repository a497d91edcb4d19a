package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/framedle/leaderboards/internal/idem"
)

// Idempotency keeps the answers to requests that carry an idempotency key.
type Idempotency interface {
	Claim(ctx context.Context, id, fingerprint string) (idem.Claim, error)
}

// settleTime bounds what is still to be done for a key when the request's own
// time may be over.
const settleTime = 2 * time.Second

// record names a request among those with an idempotency key; the zero value is
// a request without one.
type record struct{ id, fingerprint string }

// record is zero without a key.
func (r *request) record() record {
	if r.key == "" {
		return record{}
	}
	return record{r.digest(r.key), digest(string(r.body))}
}

// digest tells apart what callers name by keys: each caller has their own on each
// path.
func (r *request) digest(key string) string {
	return digest(r.caller.id(), r.Method+" "+r.URL.Path, key)
}

// effect does what a request asks for. Where partial is true, some of it can be
// had by asking once more.
type effect func(ctx context.Context) (status int, answer any, partial bool, err error)

// answerOnce has an effect happen and answers with it. With an idempotency key,
// a request that is sent again gets the first one's answer, byte for byte;
// errors, and answers that are partial, are not kept. The effect must bear
// repetition: after a crash the next request has it happen once more.
//
// Cost: nothing without a key, else 1 billed command for a replay and 2 for the
// first request.
func (k kernel) answerOnce(w http.ResponseWriter, r *request, of record, do effect) error {
	ctx := r.Context()
	var claim idem.Claim
	if of.id != "" && k.idempotency != nil {
		var err error
		if claim, err = k.idempotency.Claim(ctx, of.id, of.fingerprint); err != nil {
			return release(ctx, claim, err)
		}
		if kept, ok := claim.Answer(); ok {
			w.Header().Set("Idempotency-Replayed", "true")
			writeBody(w, r, kept.Status, "no-store", kept.Body)
			return nil
		}
		// A caller who hangs up and asks again finds the answer.
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), idem.Deadline-settleTime)
		defer cancel()
	}
	status, answer, partial, err := do(ctx)
	if err != nil {
		return release(ctx, claim, err)
	}
	body, err := json.Marshal(answer)
	if err != nil {
		return release(ctx, claim, fmt.Errorf("write the answer: %w", err))
	}
	settle, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer cancel()
	if partial {
		if err := claim.Release(settle); err != nil {
			k.warn(ctx, "an idempotency key is left until its deadline", err)
		}
	} else if err := claim.Keep(settle, idem.Answer{Status: status, Body: body}); err != nil {
		// An answer that nobody could repeat is not given: a retry might get another.
		return afterDeadline(err)
	}
	writeBody(w, r, status, "no-store", body)
	return nil
}

// release gives a key back after an error. Where that fails too, the caller is
// told to wait until the claim has run out.
func release(ctx context.Context, claim idem.Claim, err error) error {
	settle, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer cancel()
	if claim.Release(settle) == nil {
		return err
	}
	return afterDeadline(err)
}

// afterDeadline has a caller who may try again wait until the claim has ended.
func afterDeadline(err error) error {
	p := *toProblem(err)
	if p.Status != http.StatusServiceUnavailable {
		return err
	}
	p.wait = max(p.wait, idem.Deadline)
	return &p
}
