package importer

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/framedle/leaderboards/client"
	"github.com/framedle/leaderboards/internal/platform/wait"
)

// How a batch is sent again: ten times within some two minutes, or later if the product asks
// for it.
const (
	maxAttempts    = 10
	firstBackoff   = 500 * time.Millisecond
	longestBackoff = 30 * time.Second
	longestWait    = 5 * time.Minute // the longest Retry-After that is obeyed
)

// CallTimeout is the time limit of each attempt of Options.Client: longer than any function's
// own.
const CallTimeout = time.Minute

// transient is a failure after which the same batch may be sent again.
type transient struct {
	reason string
	after  time.Duration // the wait that the product asks for; 0: none
}

// outcome is the result of a batch.
type outcome struct {
	counts   Counts
	refusals []Refusal // in the order of the lines
}

// verdict is the product's answer for one line.
type verdict struct {
	Status  string          `json:"status"`
	Problem *client.Problem `json:"problem"`
}

func (v verdict) isAccepted() bool { return v.Problem == nil && v.Status != "" }

// passing reports whether a refusal says nothing about the line itself.
func (v verdict) passing() bool {
	return v.Problem != nil && (v.Problem.Status == http.StatusServiceUnavailable || v.Problem.Status == http.StatusTooManyRequests)
}

// send sends a batch until every line has its verdict. Sending again is safe: the request has
// the same bytes. If ctx ends, send stops waiting between attempts, but never cuts off a
// request.
func (r *run) send(ctx context.Context, b *batch) (outcome, error) {
	verdicts := make([]verdict, len(b.sound))
	for attempt := 1; len(b.sound) > 0; attempt++ {
		trouble, err := r.attempt(ctx, b, verdicts, attempt == 1)
		if err != nil {
			return outcome{}, fmt.Errorf("lines %d to %d: %w", b.first, b.last, err)
		}
		if trouble == nil {
			break
		}
		if attempt == maxAttempts {
			return outcome{}, fmt.Errorf("lines %d to %d: failed after %d attempts: %s", b.first, b.last, attempt, trouble.reason)
		}
		pause := max(backoff(attempt, r.Random()), min(trouble.after, longestWait))
		r.Notice(fmt.Sprintf("lines %d to %d: %s; retrying in %s", b.first, b.last, trouble.reason, pause.Round(100*time.Millisecond)))
		if err := r.Wait(ctx, pause); err != nil {
			return outcome{}, err
		}
	}
	return b.settle(verdicts)
}

// backoff doubles with each attempt and is random within half of itself, so that batches that
// failed together do not come back together. random is in [0, 1).
func backoff(attempt int, random float64) time.Duration {
	whole := wait.Backoff(attempt-1, firstBackoff, longestBackoff)
	return whole/2 + time.Duration(random*float64(whole/2))
}

// attempt sends the batch once. For each line the first accepting verdict counts: a score that
// an earlier attempt brought in is not "kept". If the first attempt gets a replayed answer, an
// earlier run sent the batch.
func (r *run) attempt(ctx context.Context, b *batch, verdicts []verdict, first bool) (*transient, error) {
	answer, err := r.Client.Do(context.WithoutCancel(ctx), client.Request{
		Method: http.MethodPost, Path: "/v1/scores/batch", Body: b.body(),
		Header: http.Header{"Idempotency-Key": {`"` + b.key(r.position.SHA256) + `"`}},
	})
	if err != nil {
		return &transient{reason: err.Error()}, nil
	}
	switch answer.Status {
	case http.StatusOK:
	case http.StatusRequestTimeout, http.StatusConflict, http.StatusTooManyRequests, http.StatusInternalServerError,
		http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return &transient{answer.Problem().Error(), answer.RetryAfter()}, nil
	default:
		return nil, fmt.Errorf("the batch was rejected: %s", answer.Problem())
	}
	var said struct {
		Results []verdict `json:"results"`
	}
	if err := json.Unmarshal(answer.Body, &said); err != nil {
		return nil, fmt.Errorf("unexpected response of the batch endpoint: %w", err)
	}
	if len(said.Results) != len(verdicts) {
		return nil, fmt.Errorf("%d scores were answered with %d results", len(verdicts), len(said.Results))
	}
	var trouble *transient
	before := first && answer.Header.Get("Idempotency-Replayed") == "true"
	for i, v := range said.Results {
		if before && v.isAccepted() {
			v.Status = "replayed"
		}
		if v.passing() {
			trouble = &transient{v.Problem.Error(), answer.RetryAfter()}
		}
		if !verdicts[i].isAccepted() {
			verdicts[i] = v
		}
	}
	return trouble, nil
}

// settle joins the verdicts with the faults that were found before sending.
func (b *batch) settle(verdicts []verdict) (outcome, error) {
	var o outcome
	next := 0
	for _, line := range b.lines {
		refusal := Refusal{Line: line.Number, Text: line.Text}
		if line.Fault != nil {
			refusal.Kind, refusal.Reason = line.Fault.Group(), line.Fault.Error()
			o.refusals = append(o.refusals, refusal)
			continue
		}
		v := verdicts[next]
		next++
		switch {
		case v.Problem != nil:
			refusal.Kind, refusal.Reason = v.Problem.Title, v.Problem.Detail
			o.refusals = append(o.refusals, refusal)
		case !o.counts.took(v.Status):
			return outcome{}, fmt.Errorf("line %d: the status %q is unknown to this program", line.Number, v.Status)
		}
	}
	o.counts.Refused = int64(len(o.refusals))
	return o, nil
}
