package local_test

import (
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/product/app"
)

func TestLimitsHoldForThisMachineOnRequest(t *testing.T) {
	g, err := app.LoadGame("")
	require.NoError(t, err)
	for name, test := range map[string]struct {
		limits bool
		want   int
	}{
		"as it comes":  {false, http.StatusNotFound},
		"with -limits": {true, http.StatusTooManyRequests},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := local.Start(t.Context(), local.Options{Addr: "127.0.0.1:0", Redis: local.RedisEmbedded, Game: g, Log: io.Discard, Limits: test.limits})
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, p.Close()) })
			c := &client{t, p.URL}
			p.Clock.Set(time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC))
			for range 300 { // framedle's limit
				status, _ := c.do("GET", "/v1/leaderboards/nothing", "", nil)
				require.Equal(t, http.StatusNotFound, status)
			}
			status, _ := c.do("GET", "/v1/leaderboards/nothing", "", nil)
			require.Equal(t, test.want, status)
			status, _ = c.do("GET", "/v1/leaderboards/nothing", "", map[string]string{"X-Forwarded-For": "198.51.100.7"})
			require.Equal(t, http.StatusNotFound, status, "another caller")
			status, _ = c.do("GET", "/v1/me", "", c.token("ana"))
			require.Equal(t, http.StatusOK, status, "a player counts as a player")
		})
	}
}
