package local_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/product/app"
)

// onBoth runs a test on the product over both kinds of Redis.
func onBoth(t *testing.T, test func(t *testing.T, c *client, p *local.Product)) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		g, err := app.LoadGame("")
		require.NoError(t, err)
		if address == "" {
			address = local.RedisEmbedded
		}
		p, err := local.Start(t.Context(), local.Options{Addr: "127.0.0.1:0", Redis: address, Game: g, Log: t.Output()})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, p.Close()) })
		test(t, &client{t, p.URL}, p)
	})
}

// event is one of a stream, with its data as JSON.
type event struct {
	id, kind string
	data     map[string]any
}

// stream is one viewer's, read as a browser reads it.
type stream struct {
	t      *testing.T
	answer *http.Response
	lines  *bufio.Scanner
	leave  func()
}

func (c *client) stream(path string, header map[string]string) *stream {
	c.t.Helper()
	ctx, leave := context.WithTimeout(c.t.Context(), 2*time.Minute)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url+path, nil)
	require.NoError(c.t, err)
	for name, value := range header {
		r.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(r)
	require.NoError(c.t, err)
	c.t.Cleanup(func() { leave(); _ = answer.Body.Close() })
	return &stream{c.t, answer, bufio.NewScanner(answer.Body), leave}
}

// next is the next event of a kind; others are passed over. False: the stream has
// ended.
func (s *stream) next(kind string) (e event, ok bool) {
	s.t.Helper()
	for s.lines.Scan() {
		field, value, _ := strings.Cut(s.lines.Text(), ": ")
		switch {
		case field == "id":
			e.id = value
		case field == "event":
			e.kind = value
		case field == "data":
			e.data = map[string]any{}
			require.NoError(s.t, json.Unmarshal([]byte(value), &e.data))
		case s.lines.Text() == "" && e.kind == kind:
			return e, true
		case s.lines.Text() == "":
			e = event{}
		}
	}
	return event{}, false
}

func (s *stream) must(kind string) event {
	s.t.Helper()
	e, ok := s.next(kind)
	require.True(s.t, ok, "the stream has ended, want %s", kind)
	return e
}

// entries waits for the change, or board, that has so many rows of a player.
func (s *stream) until(kind string, shows func(map[string]any) bool) event {
	s.t.Helper()
	for {
		if e := s.must(kind); shows(e.data) {
			return e
		}
	}
}

func total(n float64) func(map[string]any) bool {
	return func(data map[string]any) bool { return data["total"] == n }
}

const liveDay = "/v1/live/daily_frame"

func (c *client) play(player string, score int) {
	c.t.Helper()
	status, answer := c.do("POST", "/v1/scores", fmt.Sprintf(`{"mode":"daily_frame","score":%d}`, score), c.token(player))
	require.Equal(c.t, 201, status, answer)
}

func TestABoardIsStreamedAndEndsWithItsDay(t *testing.T) {
	onBoth(t, func(t *testing.T, c *client, p *local.Product) {
		c.clock("2026-11-18T12:00:00Z")
		ana := c.token("user_ana")
		s := c.stream(liveDay+"?limit=2", ana)
		require.Equal(t, http.StatusOK, s.answer.StatusCode)
		require.Equal(t, "text/event-stream", s.answer.Header.Get("Content-Type"))
		require.Equal(t, "no-cache, no-transform", s.answer.Header.Get("Cache-Control"))
		require.Equal(t, "no", s.answer.Header.Get("X-Accel-Buffering"))
		require.True(t, s.lines.Scan())
		require.Equal(t, "retry: 2000", s.lines.Text())

		first := s.must("board")
		require.Equal(t, 1.0, first.data["version"])
		require.Empty(t, first.data["entries"])
		require.Equal(t, "2026-11-18", first.data["key"])
		c.play("user_ben", 500)
		c.play("user_ana", 600)
		c.play("user_cid", 400)
		change := s.until("change", total(3))
		require.Equal(t, []any{}, change.data["gone"])
		own := c.stream(liveDay, ana).until("me", func(card map[string]any) bool { return card["rank"] == 1.0 })
		require.Equal(t, true, own.data["me"])

		again := c.stream(liveDay+"?limit=2", map[string]string{"Last-Event-ID": first.id})
		seen := again.until("change", total(3))
		require.Equal(t, change.id, seen.id, "it goes on where it was")
		elsewhere := c.stream(liveDay+"?limit=2&last_event_id=of-another-9", nil).must("board")
		require.Equal(t, change.id, elsewhere.id)
		require.Len(t, elsewhere.data["entries"], 2)

		status, answer := c.do("PUT", "/v1/ops/bans/user_ben", `{"reason":"plays with a script"}`, map[string]string{"Authorization": "Bearer " + p.Secrets.OpsToken})
		require.Equal(t, 200, status, answer)
		gone := s.until("change", total(2))
		require.Contains(t, gone.data["gone"], "user_ben")

		c.clock("2026-11-19T12:00:00Z")
		last := s.must("closed")
		require.Equal(t, true, last.data["closed"])
		require.Len(t, last.data["entries"], 2)
		_, more := s.next("board")
		require.False(t, more, "nothing follows")

		final := c.stream(liveDay+"?date=2026-11-18", nil).must("closed")
		require.Equal(t, last.data["entries"], final.data["entries"])
		status, _ = c.do("GET", liveDay+"?date=2026-11-18", "", map[string]string{"Last-Event-ID": final.id})
		require.Equal(t, http.StatusNoContent, status)
	})
}

func TestAWeekIsStreamed(t *testing.T) {
	onBoth(t, func(t *testing.T, c *client, _ *local.Product) {
		s := c.stream(liveDay+"?period=week", nil)
		s.must("board")
		c.play("user_ana", 600)
		s.until("change", total(1))
	})
}

func TestWhatCannotBeStreamedIsRefused(t *testing.T) {
	c, _ := start(t)
	for path, want := range map[string]int{
		"/v1/live/nothing": 404, liveDay + "?limit=101": 400, liveDay + "?limit=0": 400, liveDay + "?cursor=x": 400,
		liveDay + "?period=year": 400, liveDay + "?date=2026-02-30": 400, liveDay + "?last_event_id=": 400, "/v1/live": 404, "/v1/live/": 404,
	} {
		status, answer := c.do("GET", path, "", nil)
		require.Equal(t, want, status, "%s %v", path, answer)
	}
	status, _ := c.do("POST", liveDay, "", nil)
	require.Equal(t, http.StatusMethodNotAllowed, status)
	res, err := http.Head(c.url + liveDay)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, http.StatusOK, res.StatusCode)
}

// Viewers who have opened a stream and never read it take nothing from those who play.
func TestViewersWhoDoNotReadHurtNobody(t *testing.T) {
	c, _ := start(t)
	for range 300 {
		conn, err := net.Dial("tcp", strings.TrimPrefix(c.url, "http://"))
		require.NoError(t, err)
		t.Cleanup(func() { _ = conn.Close() })
		_, err = fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", liveDay)
		require.NoError(t, err)
	}
	reader := c.stream(liveDay, nil)
	reader.must("board")
	for n := range 20 {
		c.play(fmt.Sprint("user_", n), 100+n)
	}
	reader.until("change", total(20))
}

func TestStreamsEndWithTheProduct(t *testing.T) {
	g, err := app.LoadGame("")
	require.NoError(t, err)
	p, err := local.Start(t.Context(), local.Options{Addr: "127.0.0.1:0", Redis: local.RedisEmbedded, Game: g, Log: t.Output()})
	require.NoError(t, err)
	s := (&client{t, p.URL}).stream(liveDay, nil)
	s.must("board")
	require.NoError(t, p.Close())
	_, more := s.next("change")
	require.False(t, more)
}
