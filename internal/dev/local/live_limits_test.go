package local_test

import (
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/product/app"
)

// One address that opens 200 streams of 200 boards, all of which change, costs what an address
// may cost. The clock stands still, so the limit's minute does not end.
func TestStreamsOfOneAddressCostWhatAnAddressMay(t *testing.T) {
	g, err := app.LoadGame("")
	require.NoError(t, err)
	g.Limits.Boards = game.Rate{}
	p, err := local.Start(t.Context(), local.Options{Addr: "127.0.0.1:0", Redis: local.RedisEmbedded, Game: g, Log: io.Discard, Limits: true})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.Close()) })
	c := &client{t, p.URL}
	c.clock("2026-11-18T12:00:00Z")
	open := func(from, scope string) int {
		s := c.stream("/v1/live/daily_frame?period=week&limit=5&scope="+scope, map[string]string{"X-Forwarded-For": from})
		return s.answer.StatusCode
	}
	seats := 0
	for n := range 200 {
		if open("203.0.113.7", fmt.Sprintf("group:g%d", n)) == http.StatusOK {
			seats++
		}
	}
	require.Equal(t, 16, seats)
	// The process asks for changes of keys, and proves that it hears of them, on nobody's account.
	const own = 30
	cost := func() int64 {
		spent := p.Usage().ByFunction
		return spent["background"].Commands + spent["leaderboard"].Commands
	}
	for n := range 20 {
		c.play(fmt.Sprintf("user_%d", n), 100+n)
		time.Sleep(500 * time.Millisecond)
		require.LessOrEqual(t, cost(), int64(300+own))
	}
	require.Equal(t, http.StatusOK, open("198.51.100.9", "global"), "others are served")
}
