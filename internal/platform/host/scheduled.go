package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// maxScheduledBody is EventBridge's own limit on an event, in bytes.
const maxScheduledBody = 256 << 10

// ScheduledFunc is work that a schedule starts. at is when the schedule fired, in UTC. It may
// be well before now, because a late or repeated event keeps its original time. The result
// must be encodable as JSON.
type ScheduledFunc func(ctx context.Context, at time.Time) (any, error)

// ScheduledAdapter turns f into a Lambda function for EventBridge scheduled
// events; it answers the result as JSON. An event without a time, or of another
// kind, is an *EventError. An error of f is the error of the invocation, which
// EventBridge then tries again; a panic is one too, without its internals, and
// errorLog gets it as one JSON line.
func ScheduledAdapter(f ScheduledFunc, errorLog io.Writer) InvokeFunc {
	return func(ctx context.Context, payload []byte) ([]byte, error) {
		at, err := scheduledTime(payload)
		if err != nil {
			return nil, err
		}
		return runOnce(ctx, f, at, errorLog)
	}
}

// ScheduledHandler serves f to schedulers that speak HTTP: POST, at any path. The time is
// that of an EventBridge event in the body; with an empty body, that of the header
// X-CloudScheduler-ScheduleTime; without both, now. It answers 200 with the result
// as JSON, 400 for a body of another shape or an *EventError of f, and 500 when f
// fails: with the reason if explain is set, for callers who may read the log.
func ScheduledHandler(f ScheduledFunc, now func() time.Time, errorLog io.Writer, explain bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			writeProblem(w, r, http.StatusMethodNotAllowed, "a scheduled function is called with POST")
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxScheduledBody))
		if err != nil {
			writeProblem(w, r, http.StatusRequestEntityTooLarge, fmt.Sprintf("the body must be complete and have at most %d bytes", maxScheduledBody))
			return
		}
		at, err := httpScheduledTime(r, body, now)
		if err != nil {
			writeProblem(w, r, http.StatusBadRequest, err.Error())
			return
		}
		result, err := runOnce(r.Context(), f, at, errorLog)
		var refused *EventError
		if errors.As(err, &refused) {
			writeProblem(w, r, http.StatusBadRequest, refused.Reason)
			return
		}
		if err != nil {
			(&failure{reason: err.Error()}).log(errorLog, r)
			detail := internalDetail
			if explain {
				detail = err.Error()
			}
			writeProblem(w, r, http.StatusInternalServerError, detail)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(result) // the scheduler may have disconnected
	})
}

// NewScheduledEvent returns the event that EventBridge sends at a time, for hosts
// that fire schedules themselves. Times are sent in whole seconds.
func NewScheduledEvent(id string, at time.Time) ([]byte, error) {
	out, err := json.Marshal(map[string]any{
		"version":     "0",
		"id":          id,
		"detail-type": scheduledDetailType,
		"source":      "aws.events",
		"account":     "123456789012",
		"time":        at.UTC().Truncate(time.Second),
		"region":      "us-east-1",
		"resources":   []string{"arn:aws:events:us-east-1:123456789012:rule/" + id},
		"detail":      struct{}{},
	})
	if err != nil {
		return nil, fmt.Errorf("encoding a scheduled event: %w", err)
	}
	return out, nil
}

const scheduledDetailType = "Scheduled Event"

var errScheduledPanic = errors.New("the scheduled function failed; the reason is in its log")

func scheduledTime(payload []byte) (time.Time, error) {
	var e struct {
		DetailType string    `json:"detail-type"`
		Time       time.Time `json:"time"`
	}
	if err := json.Unmarshal(payload, &e); err != nil {
		return time.Time{}, &EventError{"the event is not a JSON object with an RFC 3339 time: want an EventBridge scheduled event"}
	}
	if e.DetailType != "" && e.DetailType != scheduledDetailType {
		return time.Time{}, &EventError{"the event has another detail-type than " + scheduledDetailType + ": want an EventBridge scheduled event"}
	}
	if e.Time.IsZero() {
		return time.Time{}, &EventError{"the event has no time: want an EventBridge scheduled event"}
	}
	return e.Time.UTC(), nil
}

func httpScheduledTime(r *http.Request, body []byte, now func() time.Time) (time.Time, error) {
	if len(body) > 0 {
		return scheduledTime(body)
	}
	given := r.Header.Get("X-CloudScheduler-ScheduleTime")
	if given == "" {
		return now().UTC(), nil
	}
	at, err := time.Parse(time.RFC3339, given)
	if err != nil {
		return time.Time{}, errors.New("the header X-CloudScheduler-ScheduleTime is not an RFC 3339 time, as in 2026-11-21T00:15:00Z")
	}
	return at.UTC(), nil
}

// runOnce runs f and encodes its result; a panic is logged and becomes an error.
func runOnce(ctx context.Context, f ScheduledFunc, at time.Time, errorLog io.Writer) (out []byte, err error) {
	defer func() {
		if v := recover(); v != nil {
			newFailureIn(ctx, v).log(errorLog, nil)
			out, err = nil, errScheduledPanic
		}
	}()
	result, err := f(ctx, at)
	if err != nil {
		return nil, err
	}
	out, err = json.Marshal(result)
	if err != nil {
		return nil, fmt.Errorf("encoding the result of a scheduled function: %w", err)
	}
	return out, nil
}
