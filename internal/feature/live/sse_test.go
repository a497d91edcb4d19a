package live_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/live"
	"github.com/framedle/leaderboards/internal/platform/host"
)

// A stream reads the same whether it is written through net/http or on a connection that
// was taken from it.
func TestAStreamIsWrittenInBothWays(t *testing.T) {
	say := func(s live.EventStream) {
		require.NoError(t, s.Begin())
		require.NoError(t, s.Send(live.AppendEvent(nil, "board", "7", []byte(`{"a":1}`))))
		require.NoError(t, s.Send(live.AppendEvent(nil, "stale", "", []byte(`{}`))))
		require.NoError(t, s.Beat())
		require.NoError(t, s.GoAway())
	}
	for name, serve := range map[string]http.HandlerFunc{
		"through net/http": func(w http.ResponseWriter, _ *http.Request) { say(live.NewEventStream(w, time.Minute)) },
		"taken": func(w http.ResponseWriter, r *http.Request) {
			taken, ok := host.Take(w, r)
			require.True(t, ok)
			c := live.HijackedStream{HijackedConn: taken}
			say(live.NewTaken(c, w.Header(), time.Now(), time.Minute))
			c.End(true)
		},
	} {
		t.Run(name, func(t *testing.T) {
			ln, err := net.Listen("tcp", "127.0.0.1:0")
			require.NoError(t, err)
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan error)
			go func() { ended <- host.Serve(ctx, ln, serve, time.Minute, io.Discard) }()
			defer func() { stop(); require.NoError(t, <-ended) }()
			answer, err := http.Get("http://" + ln.Addr().String())
			require.NoError(t, err)
			defer answer.Body.Close()
			require.Equal(t, "text/event-stream", answer.Header.Get("Content-Type"))
			require.Equal(t, "no-cache, no-transform", answer.Header.Get("Cache-Control"))
			text := new(strings.Builder)
			_, err = io.Copy(text, answer.Body)
			require.NoError(t, err)
			require.Regexp(t, regexp.MustCompile(`^retry: 2000\n\nid: 7\nevent: board\ndata: {"a":1}\n\nevent: stale\ndata: {}\n\n: hb\n\nretry: \d{4}\n\n$`), text.String())
		})
	}
}
