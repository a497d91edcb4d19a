package engine

import (
	"encoding/binary"
	"math"

	"github.com/framedle/leaderboards/upstash/upstashtest/internal/resp"
	lua "github.com/yuin/gopher-lua"
)

// msgpackDepth is how deep tables may be nested; deeper ones become nil, as
// in Redis.
const msgpackDepth = 16

// msgpackFunctions is the module cmsgpack.
var msgpackFunctions = map[string]lua.LGFunction{
	"pack": func(l *lua.LState) int {
		if l.GetTop() == 0 {
			l.ArgError(0, "MessagePack pack needs input.")
		}
		var out []byte
		for i := 1; i <= l.GetTop(); i++ {
			out = appendMsgpack(out, l.Get(i), 0)
		}
		l.Push(lua.LString(out))
		return 1
	},
	"unpack": func(l *lua.LState) int {
		_, n := unpackMsgpack(l, l.CheckString(1), 0, math.MaxInt)
		return n
	},
	"unpack_one": func(l *lua.LState) int { return unpackFrom(l, 1, l.OptInt(2, 0)) },
	"unpack_limit": func(l *lua.LState) int {
		return unpackFrom(l, l.CheckInt(2), l.OptInt(3, 0))
	},
}

func appendMsgpack(out []byte, v lua.LValue, depth int) []byte {
	switch v := v.(type) {
	case lua.LBool:
		if v {
			return append(out, 0xc3)
		}
		return append(out, 0xc2)
	case lua.LNumber:
		return appendMsgpackNumber(out, float64(v))
	case lua.LString:
		return append(appendMsgpackHead(out, len(v), 0xa0, 32, 0xd9, 0xda, 0xdb), v...)
	case *lua.LTable:
		if depth < msgpackDepth {
			return appendMsgpackTable(out, v, depth+1)
		}
	}
	return append(out, 0xc0)
}

// appendMsgpackHead writes a type and a length; code8 is 0 if the type has no form
// with 8 bits.
func appendMsgpackHead(out []byte, n int, short byte, limit int, code8, code16, code32 byte) []byte {
	switch {
	case n < limit:
		return append(out, short|byte(n))
	case n <= math.MaxUint8 && code8 != 0:
		return append(out, code8, byte(n))
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(out, code16), uint16(n))
	}
	return binary.BigEndian.AppendUint32(append(out, code32), uint32(n))
}

func appendMsgpackNumber(out []byte, f float64) []byte {
	n := int64(f)
	switch {
	case float64(n) != f && float64(float32(f)) == f:
		return binary.BigEndian.AppendUint32(append(out, 0xca), math.Float32bits(float32(f)))
	case float64(n) != f:
		return binary.BigEndian.AppendUint64(append(out, 0xcb), math.Float64bits(f))
	case n >= 0 && n <= 127, n < 0 && n >= -32:
		return append(out, byte(n))
	case n >= 0 && n <= math.MaxUint8:
		return append(out, 0xcc, byte(n))
	case n >= 0 && n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(out, 0xcd), uint16(n))
	case n >= 0 && n <= math.MaxUint32:
		return binary.BigEndian.AppendUint32(append(out, 0xce), uint32(n))
	case n >= 0:
		return binary.BigEndian.AppendUint64(append(out, 0xcf), uint64(n))
	case n >= math.MinInt8:
		return append(out, 0xd0, byte(n))
	case n >= math.MinInt16:
		return binary.BigEndian.AppendUint16(append(out, 0xd1), uint16(n))
	case n >= math.MinInt32:
		return binary.BigEndian.AppendUint32(append(out, 0xd2), uint32(n))
	}
	return binary.BigEndian.AppendUint64(append(out, 0xd3), uint64(n))
}

func appendMsgpackTable(out []byte, t *lua.LTable, depth int) []byte {
	if n, ok := listLength(t); ok {
		out = appendMsgpackHead(out, n, 0x90, 16, 0, 0xdc, 0xdd)
		for i := 1; i <= n; i++ {
			out = appendMsgpack(out, t.RawGetInt(i), depth)
		}
		return out
	}
	n := 0
	t.ForEach(func(lua.LValue, lua.LValue) { n++ })
	out = appendMsgpackHead(out, n, 0x80, 16, 0, 0xde, 0xdf)
	t.ForEach(func(k, v lua.LValue) { out = appendMsgpack(appendMsgpack(out, k, depth), v, depth) })
	return out
}

// listLength returns the length of a table whose keys are exactly 1 to n; ok is false for
// other tables.
func listLength(t *lua.LTable) (n int, ok bool) {
	count, highest := 0, 0.0
	ok = true
	t.ForEach(func(k, _ lua.LValue) {
		index, isNumber := k.(lua.LNumber)
		if !isNumber || index < 1 || index != lua.LNumber(math.Floor(float64(index))) {
			ok = false
		}
		count, highest = count+1, max(highest, float64(index))
	})
	return count, ok && highest == float64(count)
}

func unpackFrom(l *lua.LState, limit, offset int) int {
	data := l.CheckString(1)
	if offset < 0 || limit < 0 || offset > len(data) {
		l.RaiseError("Start offset %d greater than input length %d.", offset, len(data))
	}
	l.Push(lua.LNil)
	at := l.GetTop()
	next, n := unpackMsgpack(l, data, offset, limit)
	if next == len(data) {
		next = -1
	}
	l.Replace(at, lua.LNumber(next))
	return n + 1
}

// unpackMsgpack decodes up to limit values and pushes them onto the Lua stack.
func unpackMsgpack(l *lua.LState, data string, offset, limit int) (next, n int) {
	r := msgpackReader{l: l, data: data, at: offset}
	for ; n < limit && r.at < len(data); n++ {
		l.Push(r.value(0))
	}
	return r.at, n
}

type msgpackReader struct {
	l    *lua.LState
	data string
	at   int
}

func (r *msgpackReader) bytes(n int) string {
	if n < 0 || n > len(r.data)-r.at {
		r.l.RaiseError("Missing bytes in input.")
	}
	r.at += n
	return r.data[r.at-n : r.at]
}

func (r *msgpackReader) uint(size int) (n uint64) {
	for _, b := range []byte(r.bytes(size)) {
		n = n<<8 | uint64(b)
	}
	return n
}

func (r *msgpackReader) value(depth int) lua.LValue {
	if depth > resp.MaxDepth {
		r.l.RaiseError("Bad data format in input.")
	}
	switch c := r.bytes(1)[0]; {
	case c < 0x80:
		return lua.LNumber(c)
	case c < 0x90:
		return r.table(int(c&15), true, depth)
	case c < 0xa0:
		return r.table(int(c&15), false, depth)
	case c < 0xc0:
		return lua.LString(r.bytes(int(c & 31)))
	case c == 0xc0:
		return lua.LNil
	case c == 0xc2, c == 0xc3:
		return lua.LBool(c == 0xc3)
	case c >= 0xc4 && c <= 0xc6:
		return lua.LString(r.bytes(int(r.uint(1 << (c - 0xc4)))))
	case c == 0xca:
		return lua.LNumber(math.Float32frombits(uint32(r.uint(4))))
	case c == 0xcb:
		return lua.LNumber(math.Float64frombits(r.uint(8)))
	case c >= 0xcc && c <= 0xcf:
		return lua.LNumber(r.uint(1 << (c - 0xcc)))
	case c >= 0xd0 && c <= 0xd3:
		size := 1 << (c - 0xd0)
		shift := 64 - 8*size
		return lua.LNumber(int64(r.uint(size)<<shift) >> shift)
	case c >= 0xd9 && c <= 0xdb:
		return lua.LString(r.bytes(int(r.uint(1 << (c - 0xd9)))))
	case c == 0xdc, c == 0xdd:
		return r.table(int(r.uint(2<<(c-0xdc))), false, depth)
	case c == 0xde, c == 0xdf:
		return r.table(int(r.uint(2<<(c-0xde))), true, depth)
	case c >= 0xe0:
		return lua.LNumber(int8(c))
	}
	r.l.RaiseError("Bad data format in input.")
	return lua.LNil
}

func (r *msgpackReader) table(n int, isMap bool, depth int) *lua.LTable {
	t := r.l.NewTable()
	for i := 1; i <= n; i++ {
		if !isMap {
			t.RawSetInt(i, r.value(depth+1))
			continue
		}
		k := r.value(depth + 1)
		if v := r.value(depth + 1); k != lua.LNil {
			t.RawSet(k, v)
		}
	}
	return t
}
