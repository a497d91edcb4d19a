package upstashtest_test

import (
	"bufio"
	"context"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// listen opens a stream. next returns the data lines of the next event, joined by line
// feeds; "" at the end.
func (c client) listen(path, body string) (next func() string, leave func()) {
	c.tb.Helper()
	ctx, cancel := context.WithCancel(c.tb.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL()+path, strings.NewReader(body))
	require.NoError(c.tb, err)
	r.Header.Set("Authorization", "Bearer "+fullToken)
	r.Header.Set("Accept", "text/event-stream")
	r.Header.Set("Upstash-Encoding", "base64")
	resp, err := c.http.Do(r)
	require.NoError(c.tb, err)
	require.Equal(c.tb, http.StatusOK, resp.StatusCode)
	require.Equal(c.tb, "text/event-stream", resp.Header.Get("Content-Type"))
	leave = func() { cancel(); _ = resp.Body.Close() }
	c.tb.Cleanup(leave)
	lines := bufio.NewReader(resp.Body)
	return func() string {
		var data []string
		for {
			line, err := lines.ReadString('\n')
			if err != nil || line == "\n" {
				return strings.Join(data, "\n")
			}
			text, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "data: ")
			require.True(c.tb, ok, "line %q", line)
			data = append(data, text)
		}
	}, leave
}

func TestSubscribersGetWhatIsPublished(t *testing.T) {
	onBothEngines(t, func(t *testing.T, c client) {
		chat, leave := c.listen("/subscribe/chat/a%2Fb", "[]")
		require.Equal(t, "subscribe,chat,1", chat())
		require.Equal(t, "subscribe,a/b,2", chat())
		pattern, _ := c.listen("/psubscribe/ch*", "")
		require.Equal(t, "psubscribe,ch*,1", pattern())

		require.Equal(t, `{"result":2}`, c.post("/publish/chat", "hello, you"))
		require.Equal(t, "message,chat,hello, you", chat())
		require.Equal(t, "pmessage,ch*,chat,hello, you", pattern())
		c.post("/", `["PUBLISH","a/b","{\"n\":1,\"text\":\"ä\\n\"}"]`)
		require.Equal(t, `message,a/b,{"n":1,"text":"ä\n"}`, chat())
		c.post("/publish/chat", "two\nlines\r\n\xff")
		require.Equal(t, "message,chat,two\nlines\n\ufffd", chat())
		require.Equal(t, "pmessage,ch*,chat,two\nlines\n\ufffd", pattern())

		leave()
		require.Eventually(t, func() bool { return c.post("/publish/a%2Fb/x", "") == `{"result":0}` }, eventually, tick)
		require.Equal(t, `{"result":1}`, c.post("/publish/chat/still-there", ""))
		require.Equal(t, "pmessage,ch*,chat,still-there", pattern())
	})
}

func TestStreamsRefuseWhatTheyCannotServe(t *testing.T) {
	c := start(t, "")
	for _, bad := range []struct{ path, token, want string }{
		{"/subscribe", fullToken, "ERR wrong number of arguments for 'subscribe' command"},
		{"/subscribe/", fullToken, "ERR wrong number of arguments for 'subscribe' command"},
		{"/psubscribe", fullToken, "ERR wrong number of arguments for 'psubscribe' command"},
		{"/monitor/x", fullToken, "ERR wrong number of arguments for 'monitor' command"},
		{"/subscribe/c", readToken, "NOPERM this user has no permissions to run the 'subscribe' command or its subcommand"},
		{"/monitor", readToken, "NOPERM this user has no permissions to run the 'monitor' command or its subcommand"},
	} {
		a := c.send(http.MethodPost, bad.path, "", "Authorization", "Bearer "+bad.token)
		require.Equal(t, http.StatusBadRequest, a.status, bad.path)
		require.JSONEq(t, `{"error":"`+bad.want+`"}`, a.body)
	}
}

func TestClosingTheServerEndsItsStreams(t *testing.T) {
	onBothEngines(t, func(t *testing.T, c client) {
		next, _ := c.listen("/subscribe/c", "")
		require.Equal(t, "subscribe,c,1", next())
		require.NoError(t, c.Close())
		require.Empty(t, next())
	})
}

func TestMonitorShowsWhatRuns(t *testing.T) {
	onBothEngines(t, func(t *testing.T, c client) {
		next, _ := c.listen("/monitor", "")
		require.Equal(t, `"OK"`, next())
		c.post("/pipeline", `[["SET","k","a \"b\"\\\n\u0001ä"],["WATCH","k"],["get","k"]]`)
		c.post("/multi-exec", `[["EXEC"],["GET","not run"]]`)
		c.send(http.MethodGet, "/dbsize", "")
		line := regexp.MustCompile(`^\d{10}\.\d{6} \[0 0\.0\.0\.0:0\] `)
		for _, want := range []string{`"SET" "k" "a \"b\"\\\n\x01\xc3\xa4"`, `"get" "k"`, `"dbsize"`} {
			text := next()
			require.Regexp(t, line, text)
			require.Equal(t, want, line.ReplaceAllString(text, ""))
		}
	})
}

func TestASubscriberWhoseEngineGoesIsTold(t *testing.T) {
	redis := realRedis(t)
	c := start(t, redis.URL())
	next, _ := c.listen("/subscribe/c", "")
	require.Equal(t, "subscribe,c,1", next())
	_, err := c.Redis().Do(t.Context(), "CLIENT", "KILL", "TYPE", "pubsub")
	require.NoError(t, err)
	require.Empty(t, next(), "the stream ends")
}

func TestAHEADRequestToAStreamEndsAtOnce(t *testing.T) {
	c := start(t, "")
	a := c.send(http.MethodHead, "/subscribe/c", "")
	require.Equal(t, http.StatusOK, a.status)
	require.Empty(t, a.body)
}
