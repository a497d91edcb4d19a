package engine

import (
	"fmt"
	"math"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// jsonDepth is how deep cjson lets tables be nested.
const jsonDepth = 1000

// addJSON adds the module cjson.
func (in *interpreter) addJSON() {
	null := &lua.LUserData{}
	module := in.addModule("cjson", map[string]lua.LGFunction{
		"encode": func(l *lua.LState) int {
			if l.GetTop() != 1 {
				l.ArgError(1, "expected 1 argument")
			}
			w := jsonWriter{l: l, null: null}
			w.value(l.Get(1), 0)
			l.Push(lua.LString(w.out.String()))
			return 1
		},
		"decode": func(l *lua.LState) int {
			if l.GetTop() != 1 {
				l.ArgError(1, "expected 1 argument")
			}
			r := jsonReader{l: l, null: null, text: l.CheckString(1)}
			v := r.value(0)
			if r.token() != "T_END" {
				r.expected("the end")
			}
			l.Push(v)
			return 1
		},
	})
	for _, name := range []string{"encode_keep_buffer", "encode_max_depth", "decode_max_depth", "encode_sparse_array",
		"encode_number_precision", "encode_invalid_numbers", "decode_invalid_numbers", "decode_array_with_array_mt"} {
		module.RawSetString(name, in.state.NewFunction(func(*lua.LState) int { return 0 }))
	}
	module.RawSetString("null", null)
	module.RawSetString("_NAME", lua.LString("cjson"))
	module.RawSetString("_VERSION", lua.LString("2.1.0"))
}

type jsonWriter struct {
	l    *lua.LState
	null *lua.LUserData
	out  strings.Builder
}

func (w *jsonWriter) value(v lua.LValue, depth int) {
	switch v := v.(type) {
	case lua.LString:
		w.text(string(v))
	case lua.LNumber:
		w.number(v)
	case lua.LBool:
		fmt.Fprint(&w.out, bool(v))
	case *lua.LNilType:
		w.out.WriteString("null")
	case *lua.LTable:
		if depth++; depth > jsonDepth {
			w.l.RaiseError("Cannot serialise, excessive depth (%d)", depth)
		}
		if n := w.listLength(v); n > 0 {
			w.list(v, n, depth)
			return
		}
		w.object(v, depth)
	default:
		if v == lua.LValue(w.null) {
			w.out.WriteString("null")
			return
		}
		w.l.RaiseError("Cannot serialise %s: type not supported", v.Type())
	}
}

func (w *jsonWriter) number(n lua.LNumber) {
	if f := float64(n); math.IsNaN(f) || math.IsInf(f, 0) {
		w.l.RaiseError("Cannot serialise number: must not be NaN or Inf")
	}
	w.out.WriteString(luaText(n))
}

func (w *jsonWriter) text(s string) {
	w.out.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; c {
		case '"', '\\', '/':
			w.out.WriteByte('\\')
			w.out.WriteByte(c)
		case '\b':
			w.out.WriteString(`\b`)
		case '\f':
			w.out.WriteString(`\f`)
		case '\n':
			w.out.WriteString(`\n`)
		case '\r':
			w.out.WriteString(`\r`)
		case '\t':
			w.out.WriteString(`\t`)
		default:
			if c < ' ' || c == 127 {
				fmt.Fprintf(&w.out, `\u%04x`, c)
				continue
			}
			w.out.WriteByte(c)
		}
	}
	w.out.WriteByte('"')
}

// listLength is the highest index of a table that is a list, otherwise 0. A list may have
// holes; too many of them raise an error.
func (w *jsonWriter) listLength(t *lua.LTable) int {
	highest, count, list := 0.0, 0, true
	t.ForEach(func(k, _ lua.LValue) {
		index, ok := k.(lua.LNumber)
		if f := float64(index); !ok || f < 1 || f != math.Floor(f) {
			list = false
		}
		highest, count = max(highest, float64(index)), count+1
	})
	if !list {
		return 0
	}
	if highest > float64(count)*2 && highest > 10 {
		w.l.RaiseError("Cannot serialise table: excessively sparse array")
	}
	return int(highest)
}

func (w *jsonWriter) list(t *lua.LTable, n, depth int) {
	w.out.WriteByte('[')
	for i := 1; i <= n; i++ {
		if i > 1 {
			w.out.WriteByte(',')
		}
		w.value(t.RawGetInt(i), depth)
	}
	w.out.WriteByte(']')
}

func (w *jsonWriter) object(t *lua.LTable, depth int) {
	w.out.WriteByte('{')
	first := true
	t.ForEach(func(k, v lua.LValue) {
		if !first {
			w.out.WriteByte(',')
		}
		first = false
		switch k := k.(type) {
		case lua.LNumber:
			w.out.WriteByte('"')
			w.number(k)
			w.out.WriteByte('"')
		case lua.LString:
			w.text(string(k))
		default:
			w.l.RaiseError("Cannot serialise %s: table key must be a number or string", k.Type())
		}
		w.out.WriteByte(':')
		w.value(v, depth)
	})
	w.out.WriteByte('}')
}
