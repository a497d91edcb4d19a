package upstashtest_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash/upstashtest"
)

func TestReadsAreStaleUntilTheSyncTokenIsSent(t *testing.T) {
	c := startWith(t, upstashtest.Options{ReplicaLag: time.Hour})
	with := func(token, path, body string) answer {
		return c.send(http.MethodPost, path, body, "Upstash-Sync-Token", token)
	}
	first := c.send(http.MethodPost, "/set/k/1", "").header.Get("Upstash-Sync-Token")
	second := c.send(http.MethodPost, "/pipeline", `[["INCR","k"],["RPUSH","l","x"]]`)
	require.Equal(t, `[{"result":2},{"result":1}]`, second.body, "writes see the newest")
	third := c.send(http.MethodPost, "/multi-exec", `[["INCR","k"],["GET","k"]]`)
	require.Equal(t, `[{"result":3},{"result":"3"}]`, third.body)

	stale := c.send(http.MethodPost, "/get/k", "")
	require.Equal(t, `{"result":null}`, stale.body)
	require.Equal(t, `{"result":null}`, with("", "/get/k", "").body, "an empty token asks for nothing")
	require.Equal(t, `{"result":null}`, with("not of this server!", "/get/k", "").body)
	require.Equal(t, `{"result":null}`, with(stale.header.Get("Upstash-Sync-Token"), "/get/k", "").body, "what was shown is no newer")
	require.Equal(t, `{"result":"1"}`, with(first, "/get/k", "").body)
	require.Equal(t, `[{"result":"2"},{"result":1}]`, with(second.header.Get("Upstash-Sync-Token"), "/pipeline", `[["GET","k"],["LLEN","l"]]`).body)
	require.Equal(t, `{"result":"2"}`, c.post("/get/k", ""), "a replica does not go back")
	require.Equal(t, `{"result":"3"}`, with(third.header.Get("Upstash-Sync-Token"), "/get/k", "").body)
}

func TestReplicaCatchesUpByItself(t *testing.T) {
	c := startWith(t, upstashtest.Options{ReplicaLag: 20 * time.Millisecond})
	c.post("/", `["EVAL","redis.call('SET','k',ARGV[1]) return 1",0,"v"]`)
	require.Eventually(t, func() bool { return c.post("/get/k", "") == `{"result":"v"}` }, eventually, tick)
}

func TestAReplicaOfAGivenRedisIsRefused(t *testing.T) {
	_, err := upstashtest.New(upstashtest.Options{Redis: realRedis(t).URL(), ReplicaLag: time.Second})
	require.ErrorContains(t, err, "needs the embedded engine")
}
