package upstashtest_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash/upstashtest"
)

func usage(t *testing.T, c client) upstashtest.Usage {
	t.Helper()
	var u upstashtest.Usage
	require.NoError(t, json.Unmarshal([]byte(c.send(http.MethodGet, "/usage", "").body), &u))
	return u
}

func TestUsageCountsWhatIsBilled(t *testing.T) {
	onBothEngines(t, func(t *testing.T, c client) {
		require.Equal(t, upstashtest.Usage{ByName: map[string]int64{}}, usage(t, c))
		c.post("/", `["ZADD","z",1,"a",2,"b",3,"c"]`)
		c.post("/ping", "")
		c.post("/pipeline", `[["ZREVRANK","z","a","WITHSCORE"],["INFO"],["NOPE"],["WATCH","k"],["INCR","z"],["GET"]]`)
		c.post("/multi-exec", `[["SET","k","v"],["GET","k"]]`)
		c.post("/multi-exec", `[["SET","k","v"],["GET"]]`)
		c.post("/", `["EVAL","for i=1,3 do redis.call('INCR',KEYS[1]) end return redis.call('GET',KEYS[1])",1,"n"]`)
		c.send(http.MethodPost, "/", `["GET","k"]`, "Authorization", "Bearer wrong")
		c.post("/", `not a command`)
		_, err := c.Redis().Do(t.Context(), "GET", "k")
		require.NoError(t, err)
		want := map[string]int64{
			"zadd": 1, "zrevrank": 1, "nope": 1, "watch": 1, "incr": 1 + 3, "get": 1 + 1 + 1 + 1,
			"multi": 2, "exec": 2, "set": 2, "eval": 1,
		}
		u := usage(t, c)
		require.Equal(t, want, u.ByName)
		require.EqualValues(t, 19, u.Commands)
		require.EqualValues(t, 6, u.RoundTrips)

		require.Equal(t, http.StatusOK, c.send(http.MethodDelete, "/usage", "").status)
		require.Equal(t, upstashtest.Usage{ByName: map[string]int64{}}, usage(t, c))
		c.post("/", `["EVAL","return redis.call('GET',KEYS[1])",1,"n"]`)
		require.Equal(t, map[string]int64{"eval": 1, "get": 1}, usage(t, c).ByName)
	})
}

func TestUsageOfAGivenRedisBeginsWithTheServer(t *testing.T) {
	redis := realRedis(t)
	start(t, redis.URL()).post("/", `["EVAL","return redis.call('GET',KEYS[1])",1,"n"]`)
	require.Empty(t, usage(t, start(t, redis.URL())).ByName)
}

func TestUsageIsNotForTheReadOnlyToken(t *testing.T) {
	c := start(t, "")
	for _, path := range []string{"/usage", "/faults"} {
		a := c.send(http.MethodGet, path, "", "Authorization", "Bearer "+readToken)
		require.Equal(t, http.StatusBadRequest, a.status)
		require.Contains(t, a.body, "NOPERM")
		require.Equal(t, http.StatusUnauthorized, c.send(http.MethodGet, path, "", "Authorization", "").status)
	}
}

func TestACostHeaderOnRequest(t *testing.T) {
	c := startWith(t, upstashtest.Options{TellCost: true})
	require.Equal(t, "1", c.send(http.MethodPost, "/get/k", "").header.Get("X-Billed-Commands"))
	require.Equal(t, "0", c.send(http.MethodPost, "/ping", "").header.Get("X-Billed-Commands"))
	require.Equal(t, "4", c.send(http.MethodPost, "/multi-exec", `[["GET","a"],["GET","b"]]`).header.Get("X-Billed-Commands"))
	require.Equal(t, "4", c.send(http.MethodPost, "/", `["EVAL","redis.call('GET','a') redis.call('GET','b') return redis.call('GET','c')",0]`).header.Get("X-Billed-Commands"))
	require.Empty(t, start(t, "").send(http.MethodPost, "/get/k", "").header.Values("X-Billed-Commands"))
}

func TestHealthWantsNoTokenAndTellsNothing(t *testing.T) {
	onBothEngines(t, func(t *testing.T, c client) {
		a := c.send(http.MethodGet, "/health", "", "Authorization", "")
		require.Equal(t, http.StatusOK, a.status)
		require.Equal(t, `{"result":"OK"}`, a.body)
	})
}
