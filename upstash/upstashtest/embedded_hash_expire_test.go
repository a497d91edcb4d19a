package upstashtest_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestFieldsOfHashesExpireAsDocumented expects the answers of the Redis documentation,
// since no Valkey has these commands.
func TestFieldsOfHashesExpireAsDocumented(t *testing.T) {
	const far = "4000000000" // 2096
	cases := []struct{ command, want string }{
		{"HSET h a 1 b 2 c 3", "3"},
		{"HEXPIREAT h " + far + " FIELDS 2 a none", "[1 -2]"},
		{"HEXPIRETIME h FIELDS 3 a b none", "[4000000000 -1 -2]"},
		{"HPEXPIRETIME h FIELDS 1 a", "[4000000000000]"},
		{"HEXPIREAT h 4000000001 NX FIELDS 2 a b", "[0 1]"},
		{"HEXPIREAT h 4000000002 XX FIELDS 2 a c", "[1 0]"},
		{"HEXPIREAT h 4000000001 GT FIELDS 2 a c", "[0 0]"},
		{"HEXPIREAT h 4000000003 GT FIELDS 1 a", "[1]"},
		{"HPEXPIREAT h 4000000003500 LT FIELDS 2 a c", "[0 1]"},
		{"HEXPIRETIME h FIELDS 1 c", "[4000000004]"},
		{"HPERSIST h FIELDS 3 a none b", "[1 -2 1]"},
		{"HPERSIST h FIELDS 1 a", "[-1]"},
		{"HEXPIRE h 0 FIELDS 1 b", "[2]"},
		{"HEXISTS h b", "0"},
		{"HPEXPIREAT h 1 FIELDS 1 none", "[-2]"},
		{"HEXPIRE h 100 FIELDS 1 a", "[1]"},
		{"HTTL h FIELDS 1 a", "[100]"},
		{"HSET h a 5", "0"},
		{"HTTL h FIELDS 1 a", "[-1]"},
		{"HEXPIREAT h " + far + " FIELDS 1 a", "[1]"},
		{"HINCRBY h a 1", "6"},
		{"HEXPIRETIME h FIELDS 1 a", "[4000000000]"},
		{"RENAME h i", `"OK"`},
		{"COPY i h", "1"},
		{"HEXPIRETIME i FIELDS 1 a", "[4000000000]"},
		{"HEXPIRETIME h FIELDS 1 a", "[4000000000]"},
		{"HTTL none FIELDS 2 a b", "[-2 -2]"},
		{"HEXPIRE none 10 FIELDS 1 a", "[-2]"},
		{"HPERSIST none FIELDS 1 a", "[-2]"},

		{"HGETEX h EXAT 4000000005 FIELDS 2 a none", `["6" nil]`},
		{"HEXPIRETIME h FIELDS 1 a", "[4000000005]"},
		{"HGETEX h PERSIST FIELDS 1 a", `["6"]`},
		{"HTTL h FIELDS 1 a", "[-1]"},
		{"HGETEX h FIELDS 1 a", `["6"]`},
		{"HGETEX none FIELDS 1 a", "[nil]"},
		{"HGETDEL h FIELDS 2 a none", `["6" nil]`},
		{"HGETDEL h FIELDS 1 c", `["3"]`},
		{"EXISTS h", "0"},
		{"HGETDEL none FIELDS 1 a", "[nil]"},

		{"HSETEX e EXAT 4000000000 FIELDS 2 a 1 b 2", "1"},
		{"HEXPIRETIME e FIELDS 2 a b", "[4000000000 4000000000]"},
		{"HSETEX e FNX FIELDS 2 b 9 c 9", "0"},
		{"HSETEX e FXX FIELDS 2 b 9 c 9", "0"},
		{"HSETEX e FNX FIELDS 1 c 3", "1"},
		{"HSETEX e FXX KEEPTTL FIELDS 1 a 7", "1"},
		{"HMGET e a b c", `["7" "2" "3"]`},
		{"HEXPIRETIME e FIELDS 1 a", "[4000000000]"},
		{"HSETEX e FIELDS 1 a 8", "1"},
		{"HTTL e FIELDS 1 a", "[-1]"},

		{"SET s v", `"OK"`},
		{"HTTL s FIELDS 1 a", "error: WRONGTYPE Operation against a key holding the wrong kind of value"},
		{"HEXPIRE s 10 FIELDS 1 a", "error: WRONGTYPE Operation against a key holding the wrong kind of value"},
		{"HEXPIRE e x FIELDS 1 a", "error: ERR value is not an integer or out of range"},
		{"HEXPIRE e -1 FIELDS 1 a", "error: ERR invalid expire time, must be >= 0"},
		{"HEXPIRE e 9223372036854775807 FIELDS 1 a", "error: ERR invalid expire time in 'hexpire' command"},
		{"HEXPIRE e 10 FIELDS 2 a", "error: ERR The `numfields` parameter must match the number of arguments"},
		{"HEXPIRE e 10 FIELDS 0 a", "error: ERR Parameter `numFields` should be greater than 0"},
		{"HEXPIRE e 10 a b c", "error: ERR Mandatory argument FIELDS is missing or not at the right position"},
		{"HEXPIRE e 10", "error: ERR wrong number of arguments for 'hexpire' command"},
	}
	c := startStrict(t, "")
	for _, test := range cases {
		require.Equal(t, test.want, show(c.command(words(t, test.command)...)), test.command)
	}
}

func TestFieldsAndStreamsExpireByThemselves(t *testing.T) {
	c := start(t, "")
	c.command("HSET", "h", "short", "1", "long", "2")
	c.command("HPEXPIRE", "h", "30", "FIELDS", "1", "short")
	c.command("HSET", "only", "short", "1")
	c.command("HPEXPIRE", "only", "30", "FIELDS", "1", "short")
	c.command("XADD", "x", "1-0", "f", "v")
	c.command("PEXPIRE", "x", "30")
	require.Eventually(t, func() bool {
		return show(c.command("HKEYS", "h")) == `["long"]` && c.command("EXISTS", "only", "x") == json.Number("0")
	}, eventually, tick)
	require.Equal(t, `[]`, show(c.command("XRANGE", "x", "-", "+")))
	require.Equal(t, `"1-0"`, show(c.command("XADD", "x", "1-0", "f", "v")), "a new stream, which knows nothing of the old one")
}

// TestTheClockOfExpiriesIsExact reads the expiries that were set.
func TestTheClockOfExpiriesIsExact(t *testing.T) {
	onBothEngines(t, func(t *testing.T, c client) {
		at := time.Now().Add(time.Hour).UnixMilli()
		for range 20 {
			at++
			text := json.Number(jsonNumber(int(at)))
			require.Equal(t, json.Number("0"), c.command("DEL", "none"))
			c.command("SET", "k", "v", "PXAT", text.String())
			require.Equal(t, text, c.command("PEXPIRETIME", "k"))
		}
	})
}

func TestReadOnlyScriptsAndFunctionsListTheirFlags(t *testing.T) {
	c := start(t, "")
	library := strings.Join([]string{"#!lua name=lib",
		"redis.register_function('plain', function(keys, args) return args[1] end)",
		"redis.register_function{function_name='reads', callback=function(keys) return redis.call('GET', keys[1]) end, flags={'no-writes'}, description='d'}",
	}, "\n")
	require.Equal(t, "lib", c.command("FUNCTION", "LOAD", library))
	require.Equal(t, `[["library_name" "lib" "engine" "LUA" "functions" [["name" "plain" "description" nil "flags" []] `+
		`["name" "reads" "description" "d" "flags" ["no-writes"]]] "library_code" `+show(library)+`]]`,
		show(c.command("FUNCTION", "LIST", "LIBRARYNAME", "l*", "WITHCODE")))
}
