package app

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/host"
)

const scheduleSecret = "a-token-of-the-schedules-with-32-characters"

func TestSchedulesAreFiredByTheHolderOfAToken(t *testing.T) {
	var ran []time.Time
	now := time.Date(2026, 11, 22, 0, 20, 3, 0, time.UTC)
	jobs := map[string]host.ScheduledFunc{
		"cron-daily": func(ctx context.Context, at time.Time) (any, error) {
			deadline, ok := ctx.Deadline()
			require.True(t, ok)
			require.Greater(t, time.Until(deadline), 10*time.Minute, "a run has far more time than a request")
			require.NoError(t, ctx.Err(), "and outlives it")
			ran = append(ran, at)
			return map[string]int{"closed": 1}, nil
		},
		"cron-save": func(context.Context, time.Time) (any, error) { return nil, errors.New("run lbctl restore first") },
	}
	verify, err := scheduleToken(environment(map[string]string{"SCHEDULE_TOKEN": scheduleSecret, "OPS_TOKEN": strings.ToUpper(scheduleSecret)}))
	require.NoError(t, err)
	invalid := 0
	firing := Firing{verify, func(w http.ResponseWriter, _ *http.Request) bool {
		if invalid++; invalid > 2 {
			w.WriteHeader(http.StatusTooManyRequests)
		}
		return invalid > 2
	}, func() time.Time { return now }}
	h := WithSchedules(jobs, firing, http.NotFoundHandler())
	call := func(h http.Handler, method, path, token, body string, headers map[string]string) *httptest.ResponseRecorder {
		ctx, cancel := context.WithCancel(t.Context())
		cancel() // as when the server's time for a request is over
		r := httptest.NewRequestWithContext(ctx, method, path, strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+token)
		for name, value := range headers {
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	const daily = "/v1/ops/schedules/cron-daily"
	scheduler := map[string]string{"X-CloudScheduler-ScheduleTime": "2026-11-22T00:20:00Z"}
	w := call(h, "POST", daily, scheduleSecret, "", scheduler)
	require.Equal(t, http.StatusOK, w.Code)
	require.JSONEq(t, `{"closed":1}`, w.Body.String())
	require.Equal(t, 200, call(h, "POST", daily, strings.ToUpper(scheduleSecret), "", nil).Code, "the operator may, too")
	require.Equal(t, []time.Time{now.Truncate(time.Minute), now}, ran)

	require.Equal(t, 401, call(h, "POST", daily, "other-"+scheduleSecret, "", nil).Code)
	require.Equal(t, 401, call(h, "POST", daily, "", "", nil).Code)
	require.Equal(t, 429, call(h, "POST", daily, "other-"+scheduleSecret, "", nil).Code, "invalid tokens count")
	require.Equal(t, 404, call(h, "POST", "/v1/ops/schedules/cron-hourly", scheduleSecret, "", nil).Code)
	require.Equal(t, 405, call(h, "GET", daily, scheduleSecret, "", nil).Code)
	require.Equal(t, 400, call(h, "POST", daily, scheduleSecret, "{}", nil).Code)
	failed := call(h, "POST", "/v1/ops/schedules/cron-save", scheduleSecret, "", nil)
	require.Equal(t, 500, failed.Code)
	require.Contains(t, failed.Body.String(), "run lbctl restore first", "the holder of the token gets the reason")
	require.Len(t, ran, 2)

	none := WithSchedules(jobs, Firing{Now: time.Now}, http.NotFoundHandler())
	require.Equal(t, 401, call(none, "POST", daily, "", "", nil).Code, "without a token nobody may")
	require.Equal(t, 404, call(none, "POST", "/v1/scores", "", "", nil).Code)
	_, err = scheduleToken(environment(map[string]string{"SCHEDULE_TOKEN": "short"}))
	require.EqualError(t, err, "SCHEDULE_TOKEN: use at least 32 letters, digits and -._~+/")
}

func TestAScheduleRunsOnceAtATime(t *testing.T) {
	begun, goOn := make(chan struct{}), make(chan struct{})
	jobs := map[string]host.ScheduledFunc{
		"cron-daily": func(context.Context, time.Time) (any, error) { begun <- struct{}{}; <-goOn; return nil, nil },
		"cron-save":  func(context.Context, time.Time) (any, error) { return nil, nil },
	}
	h := WithSchedules(jobs, Firing{func(string) error { return nil }, nil, time.Now}, http.NotFoundHandler())
	fire := func(name string) int {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodPost, SchedulesPath+name, nil))
		return w.Code
	}
	first := make(chan int)
	go func() { first <- fire("cron-daily") }()
	<-begun
	require.Equal(t, http.StatusConflict, fire("cron-daily"))
	require.Equal(t, http.StatusOK, fire("cron-save"))
	close(goOn)
	require.Equal(t, http.StatusOK, <-first)
	go func() { <-begun }()
	require.Equal(t, http.StatusOK, fire("cron-daily"))
}
