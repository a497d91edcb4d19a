package upstashtest_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRESPAnswersAreTheEnginesOwn(t *testing.T) {
	onBothEngines(t, func(t *testing.T, c client) {
		resp := func(path, body string) answer {
			return c.send(http.MethodPost, path, body, "Upstash-Response-Format", "resp2")
		}
		for _, step := range []struct{ path, body, want string }{
			{"/", `["SET","k","v"]`, "+OK\r\n"},
			{"/get/k", "", "$1\r\nv\r\n"},
			{"/get/none", "", "$-1\r\n"},
			{"/", `["EVAL","return {1,{'a',false}}",0]`, "*2\r\n:1\r\n*2\r\n$1\r\na\r\n$-1\r\n"},
			{"/set/b", "\x00\xff\r\n", "+OK\r\n"},
			{"/get/b", "", "$4\r\n\x00\xff\r\n\r\n"},
			{"/pipeline", `[["GET","k"],["INCR","k"],["WATCH","k"],["ZREVRANK","none","a","WITHSCORE"]]`,
				"$1\r\nv\r\n-ERR value is not an integer or out of range\r\n" +
					"-ERR Command is not available: 'WATCH'. A REST request cannot block, keep state on a connection or administer the server\r\n*-1\r\n"},
		} {
			a := resp(step.path, step.body)
			require.Equal(t, step.want, a.body, step.path+step.body)
			require.Equal(t, http.StatusOK, a.status)
			require.Equal(t, "application/octet-stream", a.header.Get("Content-Type"))
		}
		a := resp("/incr/k", "")
		require.Equal(t, http.StatusBadRequest, a.status)
		require.Equal(t, "-ERR value is not an integer or out of range\r\n", a.body)
		require.Equal(t, `[{"result":"v"}]`, resp("/multi-exec", `[["GET","k"]]`).body, "transactions answer in JSON alone")
	})
}

func TestFormatsThatCannotBeAre400(t *testing.T) {
	c := start(t, "")
	for _, bad := range []struct{ encoding, format, want string }{
		{"rot13", "", `{"error":"ERR Upstash-Encoding \"rot13\" is unknown; use base64"}`},
		{"", "resp3", `{"error":"ERR Upstash-Response-Format \"resp3\" is unknown; use json or resp2"}`},
		{"base64", "resp2", `{"error":"ERR Upstash-Encoding base64 cannot be combined with Upstash-Response-Format resp2; send one of them"}`},
	} {
		a := c.send(http.MethodPost, "/ping", "", "Upstash-Encoding", bad.encoding, "Upstash-Response-Format", bad.format)
		require.Equal(t, http.StatusBadRequest, a.status)
		require.Equal(t, bad.want, a.body)
	}
	require.Equal(t, `{"result":"UE9ORw=="}`, c.send(http.MethodPost, "/ping", "", "Upstash-Encoding", "base64", "Upstash-Response-Format", "json").body)
}
