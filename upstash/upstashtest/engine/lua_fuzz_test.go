package engine

import (
	"strings"
	"testing"

	"github.com/framedle/leaderboards/upstash/upstashtest/internal/resp"
	"github.com/stretchr/testify/require"
	lua "github.com/yuin/gopher-lua"
)

// callLua calls a function of a module. It may raise a Lua error, but must not panic.
func callLua(t *testing.T, in *interpreter, module, name string, args ...string) []lua.LValue {
	t.Helper()
	table, ok := in.base.RawGetString(module).(*lua.LTable)
	require.True(t, ok)
	l := in.state
	top := l.GetTop()
	l.Push(l.GetField(table, name))
	for _, arg := range args {
		l.Push(lua.LString(arg))
	}
	err := l.PCall(len(args), lua.MultRet, nil)
	if err != nil {
		require.NotContains(t, err.Error(), "runtime error")
		return nil
	}
	results := make([]lua.LValue, l.GetTop()-top)
	for i := range results {
		results[i] = l.Get(top + 1 + i)
	}
	l.SetTop(top)
	return results
}

// FuzzLuaLibraries: no text that scripts decode breaks the engine, and what was decoded
// can be encoded again.
func FuzzLuaLibraries(f *testing.F) {
	f.Add("HH", "\x01\x02\x03\x04")
	f.Add("Bc0", "\x03abc")
	f.Add(">!4i3sd", `{"a":[1,2.5e3,"\u00e4\ud83d\ude00",null]}`)
	f.Add("", "\x93\x01\xa1x\x81\xa1k\xcb\x3f\xf0\x00\x00\x00\x00\x00\x00")
	f.Fuzz(func(t *testing.T, format, data string) {
		if strings.ContainsAny(format, "0123456789") && len(format) > 8 {
			return // a size this large is only slow
		}
		in := newInterpreter(nil, "fuzz")
		defer in.state.Close()
		callLua(t, in, "struct", "unpack", format, data)
		callLua(t, in, "struct", "size", format)
		callLua(t, in, "cmsgpack", "unpack", data)
		if decoded := callLua(t, in, "cjson", "decode", data); len(decoded) == 1 && decoded[0].Type() == lua.LTString {
			encoded := callLua(t, in, "cjson", "encode", decoded[0].String())
			require.Len(t, encoded, 1)
			require.Equal(t, decoded, callLua(t, in, "cjson", "decode", encoded[0].String()))
		}
	})
}

// FuzzEmbeddedScript: no script breaks the engine.
func FuzzEmbeddedScript(f *testing.F) {
	f.Add("return 1 .. 'x'")
	f.Add("#!lua flags=no-writes\nreturn redis.call('GET', KEYS[1])")
	f.Add("#!lua name=x\nredis.register_function('f', function() end)")
	f.Fuzz(func(t *testing.T, text string) {
		_, _ = compileScript(text)
		_, _ = libraryName(text)
	})
}

func FuzzBitField(f *testing.F) {
	f.Add("SET u8 0 255 INCRBY i64 #1 -1 OVERFLOW FAIL GET u63 7")
	f.Fuzz(func(t *testing.T, text string) {
		ops, _ := parseBitOps(strings.Fields(text))
		for _, op := range ops {
			require.LessOrEqual(t, op.offset>>3, int64(resp.MaxBulkBytes))
		}
	})
}
