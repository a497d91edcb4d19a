package gate

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/framedle/leaderboards/internal/api/idempotency"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/game"
)

// Idempotency keeps the answers to requests that carry an idempotency key.
type Idempotency interface {
	Claim(ctx context.Context, id, fingerprint string) (idempotency.Claim, error)
}

// KeyHeader carries an idempotency key.
const KeyHeader = "Idempotency-Key"

// maxKey is the length of an idempotency key in characters.
const maxKey = 255

// idempotencyKey reads the header: a quoted string (IETF draft
// httpapi-idempotency-key-header) or a bare token, 1 to 255 visible characters.
// It is empty when the header is absent.
func idempotencyKey(h http.Header) (string, error) {
	values := h.Values(KeyHeader)
	if len(values) == 0 {
		return "", nil
	}
	if len(values) > 1 {
		return "", problem.BadRequest("duplicate " + KeyHeader + " header")
	}
	key := strings.TrimSpace(values[0])
	if len(key) >= 2 && key[0] == '"' && key[len(key)-1] == '"' {
		key = key[1 : len(key)-1]
	}
	if len(key) < 1 || len(key) > maxKey {
		return "", problem.BadRequest("the header " + KeyHeader + " must have 1 to 255 characters")
	}
	for i := range len(key) {
		if key[i] <= ' ' || key[i] > '~' || key[i] == '"' {
			return "", problem.BadRequest("the header " + KeyHeader + ` must have visible characters only, as in "7f9c2ba4"`)
		}
	}
	return key, nil
}

// Record identifies a request by its idempotency key; it is zero without one.
func (r *Request) Record() game.IdempotencyRecord {
	if r.Key == "" {
		return game.IdempotencyRecord{}
	}
	return r.RecordOf(r.Key, r.Sent)
}

// RecordOf identifies a key. Keys of different callers, methods or paths are different.
func (r *Request) RecordOf(key string, body []byte) game.IdempotencyRecord {
	return game.IdempotencyRecord{
		ID:          idempotency.Digest([]byte(r.Caller.ID()), []byte(r.Method+" "+r.URL.Path), []byte(key)),
		Fingerprint: idempotency.Digest(body),
	}
}

// Effect does what a request asks for. Partial reports that the effect is incomplete, and
// that the caller may ask again for the rest.
type Effect func(ctx context.Context) (status int, answer any, partial bool, err error)

// AnswerOnce runs an effect and answers with its result. A request with an idempotency key
// that is sent again gets the first answer, byte for byte. Errors and partial answers are not
// kept. The effect must be idempotent: after a crash the next request runs it once more.
//
// Cost: nothing without a key, else 1 billed command for a replay and 2 for the
// first request.
func (k *Guard) AnswerOnce(w http.ResponseWriter, r *Request, of game.IdempotencyRecord, do Effect) error {
	answer, replayed, err := k.Once(r.Context(), of, do)
	if err != nil {
		return err
	}
	WriteOnce(w, r, answer, replayed)
	return nil
}

// WriteOnce writes an answer that Once has given.
func WriteOnce(w http.ResponseWriter, r *Request, answer idempotency.Answer, replayed bool) {
	if replayed {
		w.Header().Set("Idempotency-Replayed", "true")
	}
	respond.Body(w, r.Request, answer.Status, answer.Body)
}

// Once returns the answer that is kept under a key, or else that of the effect.
func (k *Guard) Once(ctx context.Context, of game.IdempotencyRecord, do Effect) (answer idempotency.Answer, replayed bool, err error) {
	var claim idempotency.Claim
	if of.ID != "" && k.idempotency != nil {
		if claim, err = k.idempotency.Claim(ctx, of.ID, of.Fingerprint); err != nil {
			return answer, false, release(ctx, claim, err)
		}
		if kept, ok := claim.Answer(); ok {
			return kept, true, nil
		}
		// A caller who disconnects and sends the request again finds the answer.
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), idempotency.Deadline-idempotency.SettleTime)
		defer cancel()
	}
	status, says, partial, err := do(ctx)
	if err != nil {
		return answer, false, release(ctx, claim, err)
	}
	body, err := json.Marshal(says)
	if err != nil {
		return answer, false, release(ctx, claim, fmt.Errorf("write the answer: %w", err))
	}
	answer = idempotency.Answer{Status: status, Body: body}
	settle, cancel := context.WithTimeout(context.WithoutCancel(ctx), idempotency.SettleTime)
	defer cancel()
	if partial {
		if err := claim.Release(settle); err != nil {
			k.problems.Warn(ctx, "an idempotency key is left until its deadline", err)
		}
	} else if err := claim.Keep(settle, answer); err != nil {
		// Without a record a retry might get another answer, so this one is not given.
		return idempotency.Answer{}, false, problem.AfterDeadline(err)
	}
	return answer, false, nil
}

// release gives a key back after an error. If that fails too, the caller has to wait until
// the claim has ended.
func release(ctx context.Context, claim idempotency.Claim, err error) error {
	settle, cancel := context.WithTimeout(context.WithoutCancel(ctx), idempotency.SettleTime)
	defer cancel()
	if claim.Release(settle) == nil {
		return err
	}
	return problem.AfterDeadline(err)
}
