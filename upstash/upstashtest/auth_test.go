package upstashtest_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash/upstashtest"
)

func TestEveryRouteWantsAToken(t *testing.T) {
	c := start(t, "")
	for _, path := range []string{"/", "/get/k", "/pipeline", "/multi-exec", "/subscribe/c", "/psubscribe/*", "/monitor", "/usage", "/faults", "/health/x"} {
		for _, try := range []struct{ name, header, query string }{
			{"no token", "", ""},
			{"wrong token", "Bearer wrong", ""},
			{"token without scheme", fullToken, ""},
			{"another scheme", "Basic " + fullToken, ""},
			{"empty token", "Bearer ", ""},
			{"wrong query token", "", "?_token=wrong"},
			{"empty query token", "", "?_token="},
			{"wrong header beside a right query", "Bearer wrong", "?_token=" + fullToken},
		} {
			a := c.send(http.MethodPost, path+try.query, `["PING"]`, "Authorization", try.header)
			require.Equal(t, http.StatusUnauthorized, a.status, "%s at %s", try.name, path)
			require.Equal(t, `{"error":"WRONGPASS invalid or missing auth token"}`, a.body)
		}
	}
	for _, path := range []string{"/ping", "/pipeline", "/multi-exec"} {
		a := c.send(http.MethodPost, path+"?_token="+fullToken, `[["PING"]]`, "Authorization", "")
		require.NotEqual(t, http.StatusUnauthorized, a.status, path)
	}
	require.Equal(t, http.StatusOK, c.send(http.MethodPost, "/ping", "", "Authorization", "bearer "+fullToken).status)
}

func TestReadOnlyTokenOnlyReads(t *testing.T) {
	onBothEngines(t, func(t *testing.T, c client) {
		c.post("/set/k/v", "")
		as := func(path, body string) answer {
			return c.send(http.MethodPost, path, body, "Authorization", "Bearer "+readToken)
		}
		require.Equal(t, `{"result":"v"}`, as("/", `["GET","k"]`).body)
		for _, command := range []string{`["SET","k","w"]`, `["EVAL","return 1",0]`, `["EVALSHA","00",0]`, `["KEYS","*"]`, `["SCAN",0]`, `["PUBLISH","c","m"]`, `["SCRIPT","LOAD","return 1"]`, `["CONFIG","SET","a","b"]`, `["FLUSHALL"]`} {
			a := as("/", command)
			require.Equal(t, http.StatusBadRequest, a.status, command)
			require.Contains(t, a.body, `{"error":"NOPERM this user has no permissions to run the '`, command)
		}
		require.Equal(t, `[{"result":"v"},{"error":"NOPERM this user has no permissions to run the 'del' command or its subcommand"}]`, as("/pipeline", `[["GET","k"],["DEL","k"]]`).body)
		require.Equal(t, `{"error":"NOPERM this user has no permissions to run the 'del' command or its subcommand"}`, as("/multi-exec", `[["GET","k"],["DEL","k"]]`).body)
	})
}

func TestOtherMethodsAre405(t *testing.T) {
	c := start(t, "")
	for _, method := range []string{http.MethodDelete, http.MethodPatch, http.MethodOptions} {
		a := c.send(method, "/get/k", "")
		require.Equal(t, http.StatusMethodNotAllowed, a.status)
		require.Equal(t, "GET, HEAD, POST, PUT", a.header.Get("Allow"))
		require.Contains(t, a.body, `{"error":"ERR method `)
	}
}

func TestOptionsThatCannotWorkAreRefused(t *testing.T) {
	for _, bad := range []struct {
		name string
		o    upstashtest.Options
		want string
	}{
		{"open to the network", upstashtest.Options{Addr: "0.0.0.0:0"}, "is not loopback"},
		{"no port", upstashtest.Options{Addr: "127.0.0.1"}, "not host:port"},
		{"same tokens", upstashtest.Options{Token: "t", ReadOnlyToken: "t"}, "choose another"},
		{"another scheme", upstashtest.Options{Redis: "http://127.0.0.1:1"}, "want redis://"},
		{"TLS", upstashtest.Options{Redis: "rediss://127.0.0.1:1"}, "want redis://"},
		{"bad database", upstashtest.Options{Redis: "redis://127.0.0.1:1/x"}, "want a number"},
		{"nobody there", upstashtest.Options{Redis: "redis://127.0.0.1:1"}, "connection refused"},
	} {
		_, err := upstashtest.New(bad.o)
		require.ErrorContains(t, err, bad.want, bad.name)
	}
}

func TestAPasswordInTheURLIsNotShown(t *testing.T) {
	_, err := upstashtest.New(upstashtest.Options{Redis: "rediss://u:secret@127.0.0.1:1"})
	require.Error(t, err)
	require.NotContains(t, err.Error(), "secret")
}

func TestEngineWithPasswordAndDatabase(t *testing.T) {
	redis := realRedis(t)
	admin := start(t, redis.URL())
	_, err := admin.Redis().Do(t.Context(), "ACL", "SETUSER", "app", "on", ">pass word", "~*", "&*", "+@all")
	require.NoError(t, err)
	c := start(t, "redis://app:pass%20word@"+redis.Addr()+"/3")
	require.Equal(t, `{"result":"OK"}`, c.post("/set/k/v", ""))
	require.Equal(t, `{"result":null}`, admin.post("/get/k", ""), "another database")
	_, err = upstashtest.New(upstashtest.Options{Redis: "redis://app:wrong@" + redis.Addr()})
	require.ErrorContains(t, err, "WRONGPASS")
}
