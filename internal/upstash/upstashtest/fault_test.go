package upstashtest_test

import (
	"net/http"
	"sync"
	"testing"

	"github.com/alicebob/miniredis/v2"
	"github.com/alicebob/miniredis/v2/server"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/upstash/upstashtest"
)

func TestFaults(t *testing.T) {
	onBothEngines(t, func(t *testing.T, c client) {
		fail := func(f upstashtest.Fault) { c.Inject(func(upstashtest.Request) upstashtest.Fault { return f }) }
		length := func() string {
			c.Inject(nil)
			return c.post("/llen/l", "")
		}
		push := func() error {
			_, err := c.try(http.MethodPost, "/rpush/l/x", "")
			return err
		}
		fail(upstashtest.Fault{CutBefore: true})
		require.Error(t, push())
		require.Equal(t, `{"result":0}`, length(), "cut before: no effect")

		fail(upstashtest.Fault{CutAfter: true})
		require.Error(t, push())
		require.Equal(t, `{"result":1}`, length(), "cut after: one effect")

		fail(upstashtest.Fault{Status: http.StatusBadGateway, Body: `{"error":"down"}`})
		a := c.send(http.MethodPost, "/rpush/l/x", "")
		require.Equal(t, http.StatusBadGateway, a.status)
		require.Equal(t, `{"error":"down"}`, a.body)
		require.Equal(t, `{"result":1}`, length(), "status: no effect")
	})
}

func TestAFaultFunctionSeesTheRequest(t *testing.T) {
	c := start(t, "")
	var mu sync.Mutex
	var seen []upstashtest.Request
	c.Inject(func(r upstashtest.Request) upstashtest.Fault {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, r)
		return upstashtest.Fault{}
	})
	c.send(http.MethodPost, "/pipeline", `[["SET","k",1],["GET","k"]]`, "Upstash-Sync-Token", "abc")
	c.post("/get/k?_token=x", "")
	c.post("/", `not a command`)
	mu.Lock()
	defer mu.Unlock()
	require.Len(t, seen, 2, "malformed requests are answered before")
	require.Equal(t, "/pipeline", seen[0].Path)
	require.Equal(t, [][]string{{"SET", "k", "1"}, {"GET", "k"}}, seen[0].Commands)
	require.Equal(t, "abc", seen[0].Header.Get("Upstash-Sync-Token"))
	require.Equal(t, [][]string{{"get", "k"}}, seen[1].Commands)
}

func TestAnEngineThatDiesIs503AndMayComeBack(t *testing.T) {
	engine := miniredis.RunT(t)
	engine.Server().SetPreHook(func(p *server.Peer, name string, _ ...string) bool {
		if name == "INFO" {
			p.WriteBulk("redis_version:7.2.4\r\n")
		}
		return name == "INFO"
	})
	c := start(t, "redis://"+engine.Addr())
	require.Equal(t, `{"result":"OK"}`, c.post("/set/k/v", ""))
	engine.Close()
	for range 2 {
		a := c.send(http.MethodPost, "/get/k", "")
		require.Equal(t, http.StatusServiceUnavailable, a.status)
		require.Contains(t, a.body, `{"error":"ERR engine unreachable`)
	}
	require.NoError(t, engine.Restart())
	require.Equal(t, `{"result":"v"}`, c.post("/get/k", ""))
}
