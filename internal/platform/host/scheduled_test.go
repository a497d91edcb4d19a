package host_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/host"
)

var fired = time.Date(2026, 11, 21, 0, 15, 0, 0, time.UTC)

func scheduledEvent(t *testing.T, at time.Time) []byte {
	t.Helper()
	event, err := host.NewScheduledEvent("daily", at)
	require.NoError(t, err)
	return event
}

func answerTime(_ context.Context, at time.Time) (any, error) { return at, nil }

func TestNewScheduledEventIsWhatEventBridgeSends(t *testing.T) {
	var e events.EventBridgeEvent
	dec := json.NewDecoder(bytes.NewReader(scheduledEvent(t, fired.Add(time.Millisecond).In(time.FixedZone("", 3600)))))
	dec.DisallowUnknownFields()
	require.NoError(t, dec.Decode(&e))
	require.Equal(t, fired, e.Time)
	require.Equal(t, "Scheduled Event", e.DetailType)
	require.Equal(t, "aws.events", e.Source)
	require.JSONEq(t, "{}", string(e.Detail))
}

func TestScheduledAdapterGivesTheTimeOfTheEvent(t *testing.T) {
	var got time.Time
	f := func(_ context.Context, at time.Time) (any, error) {
		got = at
		return map[string]int{"closed": 3}, nil
	}
	out, err := host.ScheduledAdapter(f, io.Discard).Invoke(t.Context(), scheduledEvent(t, fired))
	require.NoError(t, err)
	require.JSONEq(t, `{"closed":3}`, string(out))
	require.Equal(t, fired, got)
}

func TestScheduledAdapterRefusesOtherEvents(t *testing.T) {
	for name, event := range map[string]string{
		"nothing":        ``,
		"no time":        `{"detail-type":"Scheduled Event"}`,
		"a date":         `{"time":"2026-11-21"}`,
		"a number":       `{"time":1795219200}`,
		"another source": `{"detail-type":"EC2 Instance State-change Notification","time":"2026-11-21T00:15:00Z"}`,
		"a web request":  string(newEvent(nil)),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := host.ScheduledAdapter(answerTime, io.Discard).Invoke(t.Context(), []byte(event))
			var eventErr *host.EventError
			require.ErrorAs(t, err, &eventErr)
		})
	}
}

func TestScheduledAdapterReportsFailures(t *testing.T) {
	failure := errors.New("redis is down")
	_, err := host.ScheduledAdapter(func(context.Context, time.Time) (any, error) { return nil, failure }, io.Discard).
		Invoke(t.Context(), scheduledEvent(t, fired))
	require.ErrorIs(t, err, failure)

	var log bytes.Buffer
	_, err = host.ScheduledAdapter(func(context.Context, time.Time) (any, error) { panic("secret") }, &log).
		Invoke(t.Context(), scheduledEvent(t, fired))
	require.Error(t, err)
	require.NotContains(t, err.Error(), "secret")
	require.Contains(t, log.String(), `"error":"secret"`)

	_, err = host.ScheduledAdapter(func(context.Context, time.Time) (any, error) { return func() {}, nil }, io.Discard).
		Invoke(t.Context(), scheduledEvent(t, fired))
	require.ErrorContains(t, err, "encoding the result")
}

func TestScheduledHandlerTakesWhatSchedulersSend(t *testing.T) {
	now := fired.Add(time.Hour)
	tests := []struct {
		name, method, path, header, body string
		status                           int
		want                             time.Time
	}{
		{name: "empty body", method: "POST", path: "/", status: 200, want: now},
		{name: "scheduler's header", method: "POST", path: "/", header: "2026-11-21T01:15:00+01:00", status: 200, want: fired},
		{name: "event", method: "POST", path: "/", body: `{"time":"2026-11-21T00:15:00Z"}`, status: 200, want: fired},
		{name: "event before header", method: "POST", path: "/", header: "2020-01-01T00:00:00Z", body: `{"time":"2026-11-21T00:15:00Z"}`, status: 200, want: fired},
		{name: "broken header", method: "POST", path: "/", header: "yesterday", status: 400},
		{name: "broken body", method: "POST", path: "/", body: `{}`, status: 400},
		{name: "huge body", method: "POST", path: "/", body: strings.Repeat(" ", 300<<10), status: 413},
		{name: "GET", method: "GET", path: "/", status: 405},
		{name: "a path of its own", method: "POST", path: "/x", status: 200, want: now},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req := httptest.NewRequest(tt.method, tt.path, strings.NewReader(tt.body))
			if tt.header != "" {
				req.Header.Set("X-CloudScheduler-ScheduleTime", tt.header)
			}
			rec := httptest.NewRecorder()
			host.ScheduledHandler(answerTime, func() time.Time { return now }, io.Discard, false).ServeHTTP(rec, req)
			require.Equal(t, tt.status, rec.Code)
			if tt.status != http.StatusOK {
				require.Equal(t, "application/problem+json", rec.Header().Get("Content-Type"))
				return
			}
			var got time.Time
			require.NoError(t, json.Unmarshal(rec.Body.Bytes(), &got))
			require.Equal(t, tt.want, got)
		})
	}
}

func TestScheduledHandlerHidesWhyItFailed(t *testing.T) {
	var log bytes.Buffer
	rec := httptest.NewRecorder()
	host.ScheduledHandler(func(context.Context, time.Time) (any, error) { return nil, errors.New("secret") }, time.Now, &log, false).
		ServeHTTP(rec, httptest.NewRequest(http.MethodPost, "/", nil))
	require.Equal(t, http.StatusInternalServerError, rec.Code)
	require.NotContains(t, rec.Body.String(), "secret")
	require.Contains(t, log.String(), "secret")
}

func FuzzScheduledAdapter(f *testing.F) {
	f.Add([]byte(`{"detail-type":"Scheduled Event","time":"2026-11-21T00:15:00Z"}`))
	f.Add([]byte(`{"time":"0001-01-01T00:00:00Z"}`))
	f.Fuzz(func(t *testing.T, event []byte) {
		_, err := host.ScheduledAdapter(answerTime, io.Discard).Invoke(t.Context(), event)
		var eventErr *host.EventError
		if err != nil && !errors.As(err, &eventErr) {
			t.Fatalf("want an EventError, got %v", err)
		}
	})
}

func ExampleScheduledAdapter() {
	closeDay := func(_ context.Context, at time.Time) (any, error) {
		return map[string]string{"closed": at.AddDate(0, 0, -1).Format(time.DateOnly)}, nil
	}
	event, _ := host.NewScheduledEvent("daily", time.Date(2026, 11, 21, 0, 15, 0, 0, time.UTC))
	out, err := host.ScheduledAdapter(closeDay, io.Discard).Invoke(context.Background(), event)
	fmt.Println(string(out), err)
	// Output: {"closed":"2026-11-20"} <nil>
}
