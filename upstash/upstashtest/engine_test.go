package upstashtest_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/alicebob/miniredis/v2/server"
	"github.com/stretchr/testify/require"
)

func calls(t *testing.T, c client) map[string]int64 {
	t.Helper()
	stats, err := c.Redis().CommandStats(t.Context())
	require.NoError(t, err)
	delete(stats, "info")
	delete(stats, "ping") // sent while the real server was started
	for name, n := range stats {
		if n == 0 {
			delete(stats, name)
		}
	}
	return stats
}

func TestCommandStatsCountWhatRan(t *testing.T) {
	onBothEngines(t, func(t *testing.T, c client) {
		c.post("/", `["ZADD","z",1,"a",2,"b",1,"a"]`)
		c.post("/", `["ZINCRBY","z",1,"a"]`)
		c.post("/pipeline", `[["ZREVRANK","z","a","WITHSCORE"],["ZUNIONSTORE","u",2,"z","none"],["NOPE"],["WATCH","k"]]`)
		c.post("/multi-exec", `[["SET","k","v","EX",10],["TTL","k"]]`)
		c.post("/", `["EVAL","redis.call('ZADD',KEYS[1],'NX',5,'c') return redis.call('ZSCORE',KEYS[1],'c')",1,"z"]`)
		require.Equal(t, map[string]int64{
			"zadd": 2, "zincrby": 1, "zrevrank": 1, "zunionstore": 1,
			"multi": 1, "exec": 1, "set": 1, "ttl": 1, "eval": 1, "zscore": 1,
		}, calls(t, c))
	})
}

func TestKeysExpireByThemselves(t *testing.T) {
	onBothEngines(t, func(t *testing.T, c client) {
		c.post("/", `["SET","short","v","PX",30]`)
		c.post("/", `["SET","long","v","EX",100]`)
		require.Eventually(t, func() bool { return c.command("EXISTS", "short") == jsonNumber(0) }, 10*time.Second, 5*time.Millisecond)
		require.Equal(t, `{"result":1}`, c.post("/exists/long", ""))
	})
}

func TestUnionReplacesItsDestinationWhole(t *testing.T) {
	onBothEngines(t, func(t *testing.T, c client) {
		c.post("/pipeline", `[["ZADD","a",1,"x"],["ZADD","w",2,"x"],["EXPIRE","w",100],["SET","s","v"]]`)
		require.Equal(t, `{"error":"WRONGTYPE Operation against a key holding the wrong kind of value"}`, c.post("/", `["ZUNIONSTORE","w",2,"a","s"]`))
		require.Equal(t, `{"result":"2"}`, c.post("/zscore/w/x", ""), "a failed union changes nothing")
		require.Equal(t, `{"result":1}`, c.post("/", `["ZUNIONSTORE","w",2,"w","a"]`))
		require.Equal(t, `{"result":-1}`, c.post("/ttl/w", ""), "the expiry goes, though the destination is a source")
		require.Equal(t, `{"result":0}`, c.post("/", `["ZINTERSTORE","w",2,"w","none"]`))
		require.Equal(t, `{"result":0}`, c.post("/exists/w", ""), "an empty result is no key")
	})
}

func TestConcurrentTransactionsAreAtomic(t *testing.T) {
	onBothEngines(t, func(t *testing.T, c client) {
		var wg sync.WaitGroup
		for i := range 16 {
			wg.Go(func() {
				for range 10 {
					key := fmt.Sprint("v", i)
					v := c.batch("/multi-exec", [][]string{{"SET", "shared", key}, {"GET", "shared"}, {"INCR", "n"}})
					if got := v.([]any)[1]; got != key {
						t.Errorf("got %v between own SET and GET, want %v", got, key)
					}
				}
			})
		}
		wg.Wait()
		require.Equal(t, `{"result":"160"}`, c.post("/get/n", ""))
	})
}

// TestRankWithScoreOverAnOlderRedis uses a stand-in for Redis 7.0, which gives this
// version and refuses the option as 7.0 does.
func TestRankWithScoreOverAnOlderRedis(t *testing.T) {
	old := miniredis.RunT(t)
	var mu sync.Mutex
	asked := map[string]int{}
	old.Server().SetPreHook(func(p *server.Peer, name string, args ...string) bool {
		mu.Lock()
		asked[name]++
		mu.Unlock()
		switch {
		case name == "INFO":
			p.WriteBulk("# Server\r\nredis_version:7.0.15\r\n")
			return true
		case strings.HasSuffix(name, "RANK") && len(args) > 2:
			p.WriteError("ERR wrong number of arguments for '" + strings.ToLower(name) + "' command")
			return true
		}
		return false
	})
	c := start(t, "redis://"+old.Addr())
	c.post("/", `["ZADD","z",1,"a",2.5,"b"]`)
	c.post("/set/s/v", "")
	for _, path := range []string{"/pipeline", "/multi-exec"} {
		require.Equal(t, `[{"result":[0,"2.5"]},{"result":[0,"1"]},{"result":null},{"result":1},`+
			`{"error":"WRONGTYPE Operation against a key holding the wrong kind of value"},{"result":"v"}]`,
			c.post(path, `[["ZREVRANK","z","b","WITHSCORE"],["zrank","z","a","withscore"],["ZRANK","z","none","WITHSCORE"],["ZRANK","z","b"],["ZRANK","s","a","WITHSCORE"],["GET","s"]]`), path)
	}
	require.Equal(t, `{"result":[0,"2.5"]}`, c.post("/", `["ZREVRANK","z","b","WITHSCORE"]`))
	mu.Lock()
	defer mu.Unlock()
	require.Equal(t, 2*4+1, asked["ZSCORE"], "one ZSCORE beside each rank")
}
