package upstashtest_test

import (
	"context"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/alicebob/miniredis/v2/server"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash/upstashtest"
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

		fail(upstashtest.Fault{Status: http.StatusOK, Body: `<html>`, Applied: true})
		require.Equal(t, `<html>`, c.post("/rpush/l/x", ""))
		require.Equal(t, `{"result":2}`, length(), "applied: one effect")
	})
}

func TestADelayedRequestRunsThoughItsClientIsGone(t *testing.T) {
	onBothEngines(t, func(t *testing.T, c client) {
		ctx, cancel := context.WithCancel(t.Context())
		c.Inject(func(upstashtest.Request) upstashtest.Fault {
			cancel()
			return upstashtest.Fault{Delay: time.Hour}
		})
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL()+"/incr/n?_token="+fullToken, nil)
		require.NoError(t, err)
		_, err = c.http.Do(r)
		require.ErrorIs(t, err, context.Canceled)
		c.Inject(nil)
		require.Eventually(t, func() bool { return c.post("/get/n", "") == `{"result":"1"}` }, eventually, tick)
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

func TestConnectionsAreRefusedForAWhile(t *testing.T) {
	onBothEngines(t, func(t *testing.T, c client) {
		next, _ := c.listen("/subscribe/c", "")
		require.Equal(t, "subscribe,c,1", next())
		c.post("/set/k/v", "")
		require.NoError(t, c.Refuse(true))
		require.NoError(t, c.Refuse(true))
		require.Empty(t, next(), "streams end")
		_, err := net.Dial("tcp", strings.TrimPrefix(c.URL(), "http://"))
		require.ErrorContains(t, err, "connection refused")
		require.NoError(t, c.Refuse(false))
		require.NoError(t, c.Refuse(false))
		c.http.CloseIdleConnections()
		require.Equal(t, `{"result":"v"}`, c.post("/get/k", ""))
	})
}

func TestThrottledTellsWhenToComeBack(t *testing.T) {
	c := start(t, "")
	c.Inject(func(upstashtest.Request) upstashtest.Fault { return upstashtest.Throttled(1500 * time.Millisecond) })
	a := c.send(http.MethodPost, "/get/k", "")
	require.Equal(t, http.StatusTooManyRequests, a.status)
	require.Equal(t, "2", a.header.Get("Retry-After"))
	require.Equal(t, `{"error":"ERR max requests per second exceeded"}`, a.body)
}

func TestFaultsOverHTTP(t *testing.T) {
	c := start(t, "")
	set := func(rule string) {
		t.Helper()
		a := c.send(http.MethodPost, "/faults", rule)
		require.Equal(t, http.StatusOK, a.status, a.body)
	}
	set(`{"command":"incr","times":1,"cut":"after"}`)
	require.Equal(t, `{"result":"OK"}`, c.post("/set/k/1", ""))
	_, err := c.try(http.MethodPost, "/", `["INCR","k"]`)
	require.Error(t, err)
	require.Equal(t, `{"result":3}`, c.post("/incr/k", ""), "once, and it had its effect")

	set(`{"status":503,"body":{"error":"down"},"delay_ms":1}`)
	a := c.send(http.MethodPost, "/pipeline", `[["INCR","k"]]`)
	require.Equal(t, http.StatusServiceUnavailable, a.status)
	require.Equal(t, `{"error":"down"}`, a.body)
	set(`{"cut":"before"}`)
	_, err = c.try(http.MethodPost, "/incr/k", "")
	require.Error(t, err)
	require.Equal(t, http.StatusOK, c.send(http.MethodDelete, "/faults", "").status)
	require.Equal(t, `{"result":"3"}`, c.post("/get/k", ""))

	for _, bad := range []string{``, `[]`, `{"cut":"off"}`, `{"status":200}`, `{"times":-1}`, `{"delay_ms":60001}`, `{"body":{}}`, `{"unknown":1}`} {
		require.Equal(t, http.StatusBadRequest, c.send(http.MethodPost, "/faults", bad).status, bad)
	}
}
