package clerk

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/framedle/leaderboards/internal/platform/wait"
)

const (
	attempts = 8
	// throttledWait is the wait after a 429 that does not say how long; Clerk's windows are 10
	// s. longestWait keeps a strange answer from stopping the run for hours.
	throttledWait = 10 * time.Second
	longestWait   = 2 * time.Minute
	firstWait     = time.Second // after a failure; doubled each time
)

// patience sends requests again that Clerk refused for lack of time. All of them are reads.
type patience struct {
	next    http.RoundTripper
	sleep   func(context.Context, time.Duration) error
	waiting func(why string, wait time.Duration)
}

func (p patience) RoundTrip(r *http.Request) (*http.Response, error) {
	for attempt := 1; ; attempt++ {
		res, err := p.next.RoundTrip(r)
		if attempt == attempts || r.Context().Err() != nil || err == nil && res.StatusCode < 500 && res.StatusCode != http.StatusTooManyRequests {
			return res, err
		}
		why, pause := "Clerk cannot be reached", wait.Backoff(attempt-1, firstWait, longestWait)
		if err == nil {
			why = fmt.Sprintf("Clerk answered %d", res.StatusCode)
			if res.StatusCode == http.StatusTooManyRequests {
				pause = throttledWait
			}
			if s, err := strconv.Atoi(res.Header.Get("Retry-After")); err == nil && s >= 0 {
				pause = time.Duration(s) * time.Second
			}
			_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 64<<10)) // so that the connection can be used again
			_ = res.Body.Close()
		}
		pause = min(pause, longestWait)
		p.waiting(why, pause)
		if err := p.sleep(r.Context(), pause); err != nil {
			return nil, err
		}
	}
}
