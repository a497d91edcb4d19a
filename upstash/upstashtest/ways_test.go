package upstashtest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash/upstashtest/engine"
)

func jsonText(t *testing.T, text string) string {
	t.Helper()
	data, err := json.Marshal(text)
	require.NoError(t, err)
	return string(data)
}

type exchanged struct{ command, want string }

func (c client) answers(t *testing.T, all []exchanged) {
	t.Helper()
	for _, x := range all {
		require.Equal(t, x.want, show(c.command(words(t, x.command)...)), x.command)
	}
}

// The expected answers are those that the tests of Upstash's own SDKs expect.
func TestWhereUpstashDiffersItIsUpstashThatIsFollowed(t *testing.T) {
	onBothEngines(t, func(t *testing.T, c client) {
		c.answers(t, []exchanged{
			{"SET k v", `"OK"`},
			{"COPY k k", "0"},
			{"COPY k k2", "1"},
			{"COPY none none", "0"},
			{"EVALSHA ffffffffffffffffffffffffffffffffffffffff 0", "error: NOSCRIPT No matching script. Please use EVAL."},

			{"ZADD z 1 a 2 b 3 c 4 d", "4"},
			{"ZRANGESTORE d z 0 2 LIMIT 1 1", "1"},
			{"ZRANGE d 0 -1 WITHSCORES", `["b" "2"]`},
			{"ZRANGESTORE d z 0 -1 REV LIMIT 1 2", "2"},
			{"ZRANGE d 0 -1", `["b" "c"]`},
			{"ZRANGESTORE d z 1 3 LIMIT 1 -1", "2"},
			{"ZRANGE d 0 -1", `["c" "d"]`},
			{"ZRANGESTORE d z 1 2 LIMIT 0 9", "2"},
			{"ZRANGE d 0 -1", `["b" "c"]`},
			{"ZRANGESTORE d z 0 -1 LIMIT 0 0", "0"},
			{"EXISTS d", "0"},
			{"ZRANGESTORE d z 0 9 LIMIT 7 2", "0"},
			{"ZRANGESTORE d z -3 -1 LIMIT 0 1", "error: ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX"},
			{"ZRANGESTORE d z 1 3 BYSCORE LIMIT 1 1", "1"},
			{"ZRANGE d 0 -1", `["b"]`},

			{"XADD s 1-0 maxlen ~", `"1-0"`},
			{"XADD s 2-0 f v", `"2-0"`},
			{"XADD s NOMKSTREAM MAXLEN ~ 2 3-0 f v", `"3-0"`},
			{"XLEN s", "2"},
			{"XADD s 4-0 f v", `"4-0"`},
			{"XTRIM s MAXLEN ~ 1 LIMIT 10", "0"},
			{"XTRIM s maxlen ~ 1", "2"},
			{"XRANGE s - +", `[["4-0" ["f" "v"]]]`},
		})
		require.Equal(t, `[{"result":0},{"result":"v"}]`, c.post("/pipeline", `[["COPY","k","k"],["GET","k"]]`))
		require.Equal(t, `[{"result":0},{"result":"v"}]`, c.post("/multi-exec", `[["COPY","k","k"],["GET","k"]]`))
		a := c.send("POST", "/pipeline", `[["COPY","k","k"],["GET","k"]]`, "Upstash-Response-Format", "resp2")
		require.Equal(t, ":0\r\n$1\r\nv\r\n", a.body)
	})
}

// overRedis is a client of a server over a real Redis, for what the embedded one lacks.
func overRedis(t *testing.T) client { return start(t, realRedis(t).URL()) }

func TestConsumersOfAGroupThatIsNotThereAreNone(t *testing.T) {
	c := overRedis(t)
	c.answers(t, []exchanged{
		{"XADD s 1-0 f v", `"1-0"`},
		{"XINFO CONSUMERS s none", "[]"},
		{"XINFO CONSUMERS none none", "error: ERR no such key"},
		{"XINFO GROUPS s", "[]"},
	})
	for _, path := range []string{"/pipeline", "/multi-exec"} {
		require.Equal(t, `[{"result":[]},{"result":1}]`, c.post(path, `[["XINFO","CONSUMERS","s","none"],["XLEN","s"]]`))
	}
	a := c.send("POST", "/pipeline", `[["XLEN","s"],["XINFO","CONSUMERS","s","none"]]`, "Upstash-Response-Format", "resp2")
	require.Equal(t, ":1\r\n*0\r\n", a.body)
}

// library has functions that do not say whether they write, and one that says that it
// does not.
const library = `#!lua name=lib
local read = 'GET'
redis.register_function('plain', function(keys, args) return {redis.call(read, keys[1]), args[1]} end)
redis.register_function{function_name='put', callback=function(keys) return redis.call('SET', keys[1], 'w') end}
redis.register_function{function_name='careful', callback=function(keys) return redis.call('GET', keys[1]) end, flags={'no-writes'}}
redis.register_function('fails', function() return redis.error_reply('MINE own words') end)
redis.register_function('broken', function() error('torn') end) -- the last line`

func TestFunctionsThatDoNotSaySoCanBeCalledToRead(t *testing.T) {
	const refusal = "ERR Write commands are not allowed from read-only scripts. script: put, on @user_function:4."
	c := overRedis(t)
	c.command("FUNCTION", "LOAD", library)
	c.answers(t, []exchanged{
		{"SET k v", `"OK"`},
		{"FCALL_RO plain 1 k a", `["v" "a"]`},
		{"fcall_ro careful 1 k", `"v"`},
		{"FCALL_RO put 1 k", "error: " + refusal},
		{"GET k", `"v"`},
		{"FCALL put 1 k", `"OK"`},
		{"FCALL_RO fails 0", "error: MINE own words"},
		{"FCALL_RO none 0", "error: ERR Function not found"},
		{"FCALL_RO plain x", "error: ERR Bad number of keys provided"},
		{"FCALL_RO plain -1", "error: ERR Number of keys can't be negative"},
		{"FCALL_RO plain 2 k", "error: ERR Number of keys can't be greater than number of args"},
		{"FCALL_RO plain", "error: ERR wrong number of arguments for 'fcall_ro' command"},
	})
	require.Regexp(t, `^error: ERR user_function:7: torn script: broken, on @user_function:7\.$`, show(c.command("FCALL_RO", "broken", "0")))
	for _, path := range []string{"/pipeline", "/multi-exec"} {
		require.Equal(t,
			`[{"result":"OK"},{"result":["before","y"]},{"error":"`+refusal+`"},{"result":"OK"},{"result":["after","x"]}]`,
			c.post(path, `[["SET","k","before"],["FCALL_RO","plain",1,"k","y"],["FCALL_RO","put",1,"k"],["SET","k","after"],["FCALL_RO","plain",1,"k","x"]]`))
	}

	c.send(http.MethodDelete, "/usage", "")
	c.post("/", `["FCALL_RO","plain",1,"k"]`)
	c.post("/multi-exec", `[["FCALL_RO","plain",1,"k"],["FCALL_RO","careful",1,"k"]]`)
	require.Equal(t, `{"error":"ERR wrong number of arguments for 'get' command"}`, c.post("/multi-exec", `[["FCALL_RO","plain",1,"k"],["GET"]]`))
	require.Equal(t, map[string]int64{"fcall_ro": 4, "get": 4, "multi": 2, "exec": 2}, usage(t, c).ByName, "one for the call and one for what it calls")

	require.Equal(t, `[{"result":"OK"},{"error":"ERR Function not found"},{"result":"lib"},{"result":[null,"z"]}]`,
		c.post("/pipeline", `[["FUNCTION","FLUSH"],["FCALL_RO","plain",1,"none"],["FUNCTION","LOAD",`+jsonText(t, library)+`],["FCALL_RO","plain",1,"none","z"]]`),
		"a library that came in the same request")
}

// A read without acknowledgement creates no consumer, and removes none that existed.
func TestReadersThatDoNotAcknowledgeAreNoConsumers(t *testing.T) {
	c := overRedis(t)
	c.answers(t, []exchanged{
		{"XADD s 1-0 f v", `"1-0"`},
		{"XADD other 1-0 f v", `"1-0"`},
		{"XGROUP CREATE s g 0", `"OK"`},
		{"XGROUP CREATE other g 0", `"OK"`},
		{"XGROUP CREATECONSUMER other g c", "1"},
		{"XREADGROUP GROUP g c NOACK STREAMS s other > >", `[["s" [["1-0" ["f" "v"]]]] ["other" [["1-0" ["f" "v"]]]]]`},
		{"XINFO CONSUMERS s g", "[]"},
		{"XGROUP DELCONSUMER other g c", "0"},
		{"xreadgroup noack group g c streams s >", "nil"},
		{"XINFO CONSUMERS s g", "[]"},
		{"XGROUP CREATECONSUMER s g c", "1"},
		{"XADD s 2-0 f v", `"2-0"`},
		{"XADD s 3-0 f v", `"3-0"`},
		{"XREADGROUP GROUP g c COUNT 1 NOACK STREAMS s >", `[["s" [["2-0" ["f" "v"]]]]]`},
		{"XGROUP CREATECONSUMER s g c", "0"},
		{"XREADGROUP GROUP g c NOACK STREAMS s 0", `[["s" []]]`},
		{"XREADGROUP GROUP g reader STREAMS s >", `[["s" [["3-0" ["f" "v"]]]]]`},
		{"XPENDING s g", `[1 "3-0" "3-0" [["reader" "1"]]]`},
		{"XREADGROUP GROUP none c NOACK STREAMS s >", "error: NOGROUP No such key 's' or consumer group 'none' in XREADGROUP with GROUP option"},
		{"XREADGROUP GROUP g c NOACK STREAMS none >", "error: NOGROUP No such key 'none' or consumer group 'g' in XREADGROUP with GROUP option"},
		{"XREADGROUP GROUP g c NOACK STREAMS s none >", "error: ERR Unbalanced 'xreadgroup' list of streams: for each stream key an ID or '>' must be specified."},
		{"XREADGROUP GROUP g c COUNT x NOACK STREAMS s >", "error: ERR value is not an integer or out of range"},
		{"XGROUP SETID s g 0", `"OK"`},
	})
	c.send(http.MethodDelete, "/usage", "")
	for _, path := range []string{"/pipeline", "/multi-exec"} {
		require.Equal(t,
			`[{"result":[["s",[["1-0",["f","v"]],["2-0",["f","v"]],["3-0",["f","v"]]]]]},{"result":1},{"result":"OK"}]`,
			c.post(path, `[["XREADGROUP","GROUP","g","new","NOACK","STREAMS","s",">"],["XGROUP","CREATECONSUMER","s","g","new"],["XGROUP","SETID","s","g","0"]]`))
		c.command("XGROUP", "DELCONSUMER", "s", "g", "new")
	}
	require.Equal(t, map[string]int64{"xreadgroup": 2, "xgroup": 6, "multi": 1, "exec": 1}, usage(t, c).ByName, "what stands in for the command is not billed")
	const none = `["XREADGROUP","GROUP","g","new","NOACK","STREAMS","s",">"]`
	c.command("XGROUP", "SETID", "s", "g", "$")
	require.Equal(t, "*-1\r\n", c.send(http.MethodPost, "/", none, "Upstash-Response-Format", "resp2").body)
	require.Equal(t, `{"result":null}`, c.post("/", none))
}

func TestStrictlyRedis(t *testing.T) {
	const noLimit = "error: ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX"
	common := []exchanged{
		{"SET k v", `"OK"`},
		{"COPY k k", "error: ERR source and destination objects are the same"},
		{"ZADD z 1 a 2 b 3 c 4 d", "4"},
		{"ZRANGESTORE d z 0 2 LIMIT 1 1", noLimit},
		{"XADD s 1-0 f v", `"1-0"`},
		{"XADD s MAXLEN ~ 1 2-0 f v", `"2-0"`},
		{"XLEN s", "2"},
	}
	startStrict(t, "").answers(t, common)
	startStrict(t, realRedis(t).URL()).answers(t, append(common,
		exchanged{"XINFO CONSUMERS s none", "error: NOGROUP No such consumer group 'none' for key name 's'"},
		exchanged{"XGROUP CREATE s g 0", `"OK"`},
		exchanged{"XREADGROUP GROUP g c COUNT 1 NOACK STREAMS s >", `[["s" [["1-0" ["f" "v"]]]]]`},
		exchanged{"XGROUP CREATECONSUMER s g c", "0"},
		exchanged{"FUNCTION LOAD \"#!lua name=lib\\nredis.register_function('plain', function() return 1 end)\"", `"lib"`},
		exchanged{"FCALL_RO plain 0", "error: ERR Can not execute a script with write flag using *_ro command."},
	))
}

// Whoever asks the embedded engine for what it has not, alone, in a transaction or from a
// script, learns how to have it.
func TestWhatTheEmbeddedEngineLacksItSaysWhereToGet(t *testing.T) {
	c := start(t, "")
	c.command("XADD", "s", "1-0", "f", "v")
	for _, lacked := range []string{
		"GEOADD g 1 1 m", "GEOSEARCH g FROMLONLAT 1 1 BYRADIUS 1 km", "SETBIT b 0 1", "BITFIELD b GET u8 0", "LCS a b",
		"HEXPIRE h 10 FIELDS 1 f", "HTTL h FIELDS 1 f", "FUNCTION LIST", "FCALL f 0", "PFADD p a", "JSON.GET j",
		"XGROUP CREATE s g 0", "XREADGROUP GROUP g c STREAMS s >", "XACK s g 1-0", "XINFO GROUPS s", "XINFO STREAM s FULL", "NOPE",
	} {
		answer := show(c.command(words(t, lacked)...))
		require.Contains(t, answer, "ERR unknown command '"+strings.Fields(lacked)[0]+"'", lacked)
		require.Contains(t, answer, engine.Elsewhere, lacked)
	}
	require.Contains(t, c.post("/multi-exec", `[["SET","k","v"],["GEOADD","g","1","1","m"]]`), engine.Elsewhere)
	require.Nil(t, c.command("GET", "k"), "the whole transaction is refused")
	for _, script := range []string{"return redis.call('GEOADD', 'g', 1, 1, 'm')", "return bit.band(1, 1)", "return struct.pack('b', 1)", "return cmsgpack.pack(1)"} {
		require.Contains(t, show(c.command("EVAL", script, "0")), engine.Elsewhere, script)
	}
}

// A scan in pages finds each key once that exists all the time, whatever other keys come
// and go.
func TestScanComesInPages(t *testing.T) {
	onBothEngines(t, func(t *testing.T, c client) {
		var sets [][]string
		for i := range 500 {
			sets = append(sets, []string{"SET", fmt.Sprint("stays", i), "v"})
		}
		c.batch("/pipeline", sets)
		seen := map[string]int{}
		pages, most := 0, 0
		for cursor := "0"; ; pages++ {
			pair := c.command("SCAN", cursor, "COUNT", "50", "MATCH", "stays*").([]any)
			keys := pair[1].([]any)
			most = max(most, len(keys))
			for _, key := range keys {
				seen[key.(string)]++
			}
			if cursor = pair[0].(string); cursor == "0" {
				break
			}
			c.command("SET", fmt.Sprint("comes", pages), "v")
			c.command("DEL", fmt.Sprint("comes", pages-1))
		}
		require.Len(t, seen, 500)
		require.GreaterOrEqual(t, pages, 5)
		require.Less(t, most, 200)
	})
	c := start(t, "")
	c.command("MSET", "a", "1", "b", "2")
	require.Equal(t, `["0" []]`, show(c.command("SCAN", "281474976710657")), "behind the last key")
	require.True(t, strings.HasPrefix(show(c.command("SCAN", "0", "COUNT", "1")), `["`))
}
