package upstashtest_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// A test of one's own: the server ends with it.
func ExampleStart() {
	testCounting := func(t *testing.T) {
		s := upstashtest.Start(t, upstashtest.Options{})
		client, err := upstash.New(upstash.Config{URL: s.URL(), Token: s.Token()})
		require.NoError(t, err)

		reply, err := client.Do(t.Context(), upstash.Cmd("INCR", "visits"))
		require.NoError(t, err)
		n, err := reply.Int64()
		require.NoError(t, err)
		require.EqualValues(t, 1, n)

		// What it cost, and what is in Redis.
		usage, err := s.Usage(t.Context())
		require.NoError(t, err)
		require.EqualValues(t, 1, usage.Commands)
		stored, err := s.Redis().Do(t.Context(), "GET", "visits")
		require.NoError(t, err)
		require.Equal(t, "1", stored)
	}
	_ = testCounting // func TestCounting(t *testing.T)
}

// Code that has to live with a rate limit.
func ExampleThrottled() {
	testPatience := func(t *testing.T) {
		s := upstashtest.Start(t, upstashtest.Options{})
		s.Inject(func(upstashtest.Request) upstashtest.Fault { return upstashtest.Throttled(3 * time.Second) })
		resp, err := http.Get(s.URL() + "/get/k?_token=" + s.Token())
		require.NoError(t, err)
		defer resp.Body.Close()
		require.Equal(t, http.StatusTooManyRequests, resp.StatusCode)
		require.Equal(t, "3", resp.Header.Get("Retry-After"))
	}
	_ = testPatience
}
