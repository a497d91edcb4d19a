package upstashtest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash/upstashtest/engine"
)

func TestSingleCommandsInTheBody(t *testing.T) {
	onBothEngines(t, func(t *testing.T, c client) {
		for _, step := range []struct{ name, body, want string }{
			{"status", `["SET","k","v"]`, `{"result":"OK"}`},
			{"string", `["GET","k"]`, `{"result":"v"}`},
			{"nil", `["GET","none"]`, `{"result":null}`},
			{"integer", ` [ "ZADD" , "z" , 1 , "a" ] `, `{"result":1}`},
			{"a million keeps its digits", `["SET","n",1000000]`, `{"result":"OK"}`},
			{"and comes back with them", `["GET","n"]`, `{"result":"1000000"}`},
			{"exponents stay as sent", `["SET","n",1e21]`, `{"result":"OK"}`},
			{"and come back so", `["GET","n"]`, `{"result":"1e21"}`},
			{"17 digits stay", `["SET","n",0.30000000000000004]`, `{"result":"OK"}`},
			{"and come back", `["GET","n"]`, `{"result":"0.30000000000000004"}`},
			{"booleans are their words", `["SET","n",true]`, `{"result":"OK"}`},
			{"and come back as text", `["GET","n"]`, `{"result":"true"}`},
			{"scores are strings", `["ZSCORE","z","a"]`, `{"result":"1"}`},
			{"large score", `["ZADD","z",140737488355328.03125,"b"]`, `{"result":1}`},
			{"large score comes back exact", `["ZREVRANK","z","b","WITHSCORE"]`, `{"result":[0,"140737488355328.03"]}`},
			{"array with nil", `["ZMSCORE","z","a","none"]`, `{"result":["1",null]}`},
			{"rank of nobody", `["ZREVRANK","z","none","WITHSCORE"]`, `{"result":null}`},
			{"nested arrays", `["EVAL","return {1,{2,{'x'}}}",0]`, `{"result":[1,[2,["x"]]]}`},
			{"escapes both ways", `["ECHO","\u00e4\ud83c\udfae\"\\\/\b\n\u0001"]`, `{"result":"ä🎮\"\\/\u0008\n\u0001"}`},
			{"names in any case", `["eChO","x"]`, `{"result":"x"}`},
			{"a status that is not OK", `["PING"]`, `{"result":"PONG"}`},
		} {
			a := c.send(http.MethodPost, "/", step.body)
			require.Equal(t, step.want, strings.ReplaceAll(a.body, engine.Elsewhere, ""), step.name)
			require.Equal(t, http.StatusOK, a.status, step.name)
			require.Equal(t, "application/json", a.header.Get("Content-Type"))
			require.NotEmpty(t, a.header.Get("Upstash-Sync-Token"))
		}
	})
}

func TestPathForm(t *testing.T) {
	onBothEngines(t, func(t *testing.T, c client) {
		for _, step := range []struct{ name, method, path, body, want string }{
			{"arguments in the path", "GET", "/set/k/v", "", `{"result":"OK"}`},
			{"reading", "GET", "/get/k", "", `{"result":"v"}`},
			{"body is the last argument", "POST", "/set/k", "\x00\xff{}", `{"result":"OK"}`},
			{"its bytes arrive", "GET", "/strlen/k", "", `{"result":4}`},
			{"PUT as well", "PUT", "/set/k", "w", `{"result":"OK"}`},
			{"query follows the body", "POST", "/set/k?EX=100", "x", `{"result":"OK"}`},
			{"and has its effect", "GET", "/ttl/k", "", `{"result":100}`},
			{"query without value is one argument", "POST", "/set/k?NX", "y", `{"result":null}`},
			{"escaped slash, space and percent", "GET", "/echo/a%2Fb%20c%25", "", `{"result":"a/b c%"}`},
			{"plus is a plus in a path", "GET", "/echo/a+b", "", `{"result":"a+b"}`},
			{"the token is not an argument", "GET", "/echo/a?_token=" + fullToken, "", `{"result":"a"}`},
			{"empty POST body adds nothing", "POST", "/incr/counter", "", `{"result":1}`},
			{"empty argument", "GET", "/echo/", "", `{"result":""}`},
		} {
			require.Equal(t, step.want, c.send(step.method, step.path, step.body).body, step.name)
		}
		a := c.send(http.MethodHead, "/get/k", "")
		require.Equal(t, http.StatusOK, a.status)
		require.Empty(t, a.body)
	})
}

func TestBase64LeavesOnlyTheBareOK(t *testing.T) {
	onBothEngines(t, func(t *testing.T, c client) {
		encoded := func(body string) string {
			return c.send(http.MethodPost, "/", body, "Upstash-Encoding", "base64").body
		}
		c.send(http.MethodPost, "/set/k", "\xff\x00")
		require.Equal(t, `{"result":"/wA="}`, encoded(`["GET","k"]`))
		require.Equal(t, `{"result":"`+"\ufffd"+`\u0000"}`, c.post("/", `["GET","k"]`), "without it bytes are lost")
		require.Equal(t, `{"result":"OK"}`, encoded(`["SET","k","OK"]`))
		require.Equal(t, `{"result":"T0s="}`, encoded(`["GET","k"]`), "a stored OK is data")
		require.Equal(t, `{"result":"UE9ORw=="}`, encoded(`["PING"]`))
		require.Equal(t, `{"result":["YQ==","MQ=="]}`, encoded(`["EVAL","return {'a','1'}",0]`))
		require.Equal(t, `{"result":7}`, encoded(`["EVAL","return 7",0]`))
		require.Equal(t, `{"result":null}`, encoded(`["GET","none"]`))
		require.Contains(t, encoded(`["INCR","k"]`), `{"error":"ERR value is not an integer`)
		a := c.send(http.MethodPost, "/", `["PING"]`, "Upstash-Encoding", "rot13")
		require.Equal(t, http.StatusBadRequest, a.status)
	})
}

func TestPipelineAnswersEachCommand(t *testing.T) {
	onBothEngines(t, func(t *testing.T, c client) {
		a := c.send(http.MethodPost, "/pipeline", `[["SET","k","x"],["INCR","k"],["NOPE"],["GET"],["WATCH","k"],["GET","k"]]`)
		require.Equal(t, http.StatusOK, a.status)
		require.Equal(t, `[{"result":"OK"},{"error":"ERR value is not an integer or out of range"},`+
			`{"error":"ERR unknown command 'NOPE', with args beginning with: "},{"error":"ERR wrong number of arguments for 'get' command"},`+
			`{"error":"ERR Command is not available: 'WATCH'. A REST request cannot block, keep state on a connection or administer the server"},{"result":"x"}]`, strings.ReplaceAll(a.body, engine.Elsewhere, ""))
	})
}

func TestAPipelineOfNothingThatMayRunIsAnswered(t *testing.T) {
	onBothEngines(t, func(t *testing.T, c client) {
		refused := `{"error":"ERR Command is not available: 'WATCH'. A REST request cannot block, keep state on a connection or administer the server"}`
		require.Equal(t, `[`+refused+`]`, c.post("/pipeline", `[["WATCH","k"]]`))
		require.Equal(t, `[`+refused+`,`+refused+`]`, c.post("/pipeline", `[["WATCH","k"],["WATCH","k"]]`))
		require.Equal(t, `{"result":"PONG"}`, c.post("/ping", ""))
	})
}

func TestTransactionRunsWholeOrNot(t *testing.T) {
	onBothEngines(t, func(t *testing.T, c client) {
		for _, step := range []struct {
			name, body string
			status     int
			want       string
		}{
			{"errors at run time spoil no other", `[["SET","k","x"],["INCR","k"],["ZADD","z","no","a"],["GET","k"]]`, 200,
				`[{"result":"OK"},{"error":"ERR value is not an integer or out of range"},{"error":"ERR value is not a valid float"},{"result":"x"}]`},
			{"unknown command discards", `[["SET","k","lost"],["NOPE"]]`, 400, `{"error":"ERR unknown command 'NOPE', with args beginning with: "}`},
			{"wrong arity discards", `[["SET","k","lost"],["GET"]]`, 400, `{"error":"ERR wrong number of arguments for 'get' command"}`},
			{"a refused command discards", `[["SET","k","lost"],["EXEC"]]`, 400,
				`{"error":"ERR Command is not available: 'EXEC'. A REST request cannot block, keep state on a connection or administer the server"}`},
			{"an odd HSET fails alone", `[["HSET","h","a",1,"b"],["SET","k","y"]]`, 200, `[{"error":"ERR wrong number of arguments for 'hset' command"},{"result":"OK"}]`},
			{"nothing was lost", `[["GET","k"],["ZCARD","z"]]`, 200, `[{"result":"y"},{"result":0}]`},
		} {
			a := c.send(http.MethodPost, "/multi-exec", step.body)
			require.Equal(t, step.want, strings.ReplaceAll(a.body, engine.Elsewhere, ""), step.name)
			require.Equal(t, step.status, a.status, step.name)
		}
	})
}

func TestBadRequestsSayWhatWouldBeRight(t *testing.T) {
	onBothEngines(t, func(t *testing.T, c client) {
		before := calls(t, c)
		for _, bad := range []struct{ name, method, path, body, want string }{
			{"no body", "POST", "/", ``, `body ends at byte 0, want a command as an array`},
			{"GET of nothing", "GET", "/", ``, `want a command as an array`},
			{"object", "POST", "/", `{"a":1}`, `want a command as an array`},
			{"empty command", "POST", "/", `[]`, `want a command name`},
			{"empty name", "POST", "/", `[""]`, `empty command name`},
			{"null", "POST", "/", `["SET","k",null]`, `null, arrays and objects cannot be arguments`},
			{"nested array", "POST", "/", `["SET","k",["v"]]`, `cannot be arguments`},
			{"nested object", "POST", "/", `["SET","k",{}]`, `cannot be arguments`},
			{"deep nesting", "POST", "/", strings.Repeat("[", 100000), `want`},
			{"trailing comma", "POST", "/", `["GET","k",]`, `want a string or a number`},
			{"unclosed", "POST", "/", `["GET","k"`, `want a comma or ]`},
			{"more after the end", "POST", "/", `["PING"] x`, `nothing after the closing ]`},
			{"leading zero", "POST", "/", `["SET","k",007]`, `want a comma or ]`},
			{"bad escape", "POST", "/", `["GET","\x"]`, `after a backslash`},
			{"raw newline", "POST", "/", "[\"GET\",\"a\nb\"]", `escape`},
			{"not UTF-8", "POST", "/", "[\"GET\",\"\xff\"]", `UTF-8`},
			{"NaN", "POST", "/", `["SET","k",NaN]`, `want a string or a number`},
			{"flat pipeline", "POST", "/pipeline", `["GET","k"]`, `command 1: `},
			{"empty pipeline", "POST", "/pipeline", `[]`, `at least one command`},
			{"pipeline of one good, one bad", "POST", "/pipeline", `[["SET","k","v"],[]]`, `command 2: `},
			{"transaction of nothing", "POST", "/multi-exec", `[]`, `at least one command`},
			{"path without command", "POST", "//pipeline", `[]`, `empty command name`},
		} {
			a := c.send(bad.method, bad.path, bad.body)
			require.Equal(t, http.StatusBadRequest, a.status, bad.name)
			require.Contains(t, a.body, `{"error":"ERR failed to parse the request: `, bad.name)
			require.Contains(t, a.body, bad.want, bad.name)
		}
		require.Equal(t, before, calls(t, c), "none of them reached the engine")
	})
}

func TestOversizedRequestsAre413(t *testing.T) {
	onBothEngines(t, func(t *testing.T, c client) {
		exact := strings.Repeat("x", 10<<20)
		require.Equal(t, http.StatusOK, c.send(http.MethodPost, "/set/k", exact).status)
		a := c.send(http.MethodPost, "/set/k", exact+"x")
		require.Equal(t, http.StatusRequestEntityTooLarge, a.status)
		require.JSONEq(t, `{"error":"ERR max request size exceeded. Limit: 10485760 bytes, Actual: 10485761 bytes"}`, a.body)
		require.Equal(t, `{"result":10485760}`, c.post("/strlen/k", ""))
		require.Len(t, c.post("/get/k", ""), len(exact)+len(`{"result":""}`))
	})
}

func TestLargePipelinesDoNotBlock(t *testing.T) {
	onBothEngines(t, func(t *testing.T, c client) {
		c.post("/set/k", strings.Repeat("v", 1000))
		const n = 5000
		body := "[" + strings.Repeat(`["GET","k"],`, n-1) + `["GET","k"]]`
		for _, path := range []string{"/pipeline", "/multi-exec"} {
			require.Equal(t, n, strings.Count(c.post(path, body), `{"result":"vvv`), path)
		}
	})
}

func TestCommandsThatRESTCannotCarryAreRefused(t *testing.T) {
	onBothEngines(t, func(t *testing.T, c client) {
		for _, command := range []string{
			`["BLPOP","l",0]`, `["bzpopmin","z",0]`, `["MULTI"]`, `["EXEC"]`, `["WATCH","k"]`, `["SUBSCRIBE","c"]`, `["PSUBSCRIBE","c"]`,
			`["MONITOR"]`, `["SELECT",1]`, `["AUTH","x"]`, `["HELLO",3]`, `["CLIENT","LIST"]`, `["QUIT"]`, `["SHUTDOWN"]`, `["DEBUG","SLEEP",1]`,
			`["XREAD","COUNT",1,"BLOCK",0,"STREAMS","s","$"]`, `["SCRIPT","debug","YES"]`,
		} {
			a := c.send(http.MethodPost, "/", command)
			require.Equal(t, http.StatusBadRequest, a.status, command)
			require.Contains(t, a.body, "ERR Command is not available", command)
		}
		require.Equal(t, `{"result":null}`, c.post("/", `["XREAD","STREAMS","BLOCK","0"]`), "a stream named BLOCK may be read")
		require.Equal(t, `{"result":"OK"}`, c.post("/", `["CLIENT","SETINFO","LIB-NAME","sdk"]`))
	})
}
