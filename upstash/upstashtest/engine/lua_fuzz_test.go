package engine

import (
	"testing"

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

// FuzzLuaJSON: no text that scripts decode breaks the engine, and what was decoded
// can be encoded again.
func FuzzLuaJSON(f *testing.F) {
	f.Add(`{"a":[1,2.5e3,"\u00e4\ud83d\ude00",null]}`)
	f.Fuzz(func(t *testing.T, data string) {
		in := newInterpreter(nil, "fuzz")
		defer in.state.Close()
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
	f.Fuzz(func(t *testing.T, text string) {
		_, _ = compileScript(text)
	})
}
