package engine

import (
	"math"
	"strings"

	"github.com/framedle/leaderboards/upstash/upstashtest/internal/resp"
	lua "github.com/yuin/gopher-lua"
)

// structFunctions is the module struct, which packs C values into strings.
var structFunctions = map[string]lua.LGFunction{
	"pack":   structPack,
	"unpack": structUnpack,
	"size":   structSize,
}

// layout reads a format, one field at a time.
type layout struct {
	l      *lua.LState
	format string
	big    bool
	align  int
}

// next returns the next field: its letter, its size, and how many padding bytes come
// before it at position at. ok is false at the end.
func (f *layout) next(at int) (letter byte, size, pad int, ok bool) {
	for f.format != "" {
		letter, f.format = f.format[0], f.format[1:]
		switch letter {
		case ' ':
		case '<', '=':
			f.big = false
		case '>':
			f.big = true
		case '!':
			f.align = f.number(8)
			if f.align == 0 || f.align&(f.align-1) != 0 {
				f.l.RaiseError("alignment is not a power of 2")
			}
		case 'b', 'B', 'x':
			return letter, 1, 0, true
		case 'h', 'H':
			return letter, 2, f.pad(2, at), true
		case 'f':
			return letter, 4, f.pad(4, at), true
		case 'l', 'L', 'T', 'd':
			return letter, 8, f.pad(8, at), true
		case 'i', 'I':
			size = f.number(4)
			if size < 1 || size > 8 {
				f.l.RaiseError("integral size %d is larger than limit of %d", size, 8)
			}
			return letter, size, f.pad(size, at), true
		case 'c':
			return letter, f.number(1), 0, true
		case 's':
			return letter, 0, 0, true
		default:
			f.l.ArgError(1, "invalid format option '"+string(letter)+"'")
		}
	}
	return 0, 0, 0, false
}

func (f *layout) number(otherwise int) int {
	digits := f.format[:len(f.format)-len(strings.TrimLeft(f.format, "0123456789"))]
	if digits == "" {
		return otherwise
	}
	f.format = f.format[len(digits):]
	n, ok := resp.Integer(strings.TrimLeft(digits, "0") + strings.Repeat("0", boolInt(strings.Trim(digits, "0") == "")))
	if !ok || n > resp.MaxBulkBytes {
		f.l.RaiseError("integral size overflow")
	}
	return int(n)
}

func (f *layout) pad(size, at int) int {
	size = min(size, f.align)
	if size <= 1 {
		return 0
	}
	return (size - at&(size-1)) & (size - 1)
}

func (f *layout) put(out []byte, n uint64, size int) []byte {
	for i := range size {
		shift := 8 * i
		if f.big {
			shift = 8 * (size - 1 - i)
		}
		out = append(out, byte(n>>shift))
	}
	return out
}

func (f *layout) get(data string) (n uint64) {
	for i := range len(data) {
		at := i
		if !f.big {
			at = len(data) - 1 - i
		}
		n = n<<8 | uint64(data[at])
	}
	return n
}

func structPack(l *lua.LState) int {
	f := layout{l: l, format: l.CheckString(1), align: 1}
	var out []byte
	for arg := 2; ; {
		letter, size, pad, ok := f.next(len(out))
		if !ok {
			break
		}
		out = append(out, make([]byte, pad)...)
		switch letter {
		case 'x':
			out = append(out, 0)
			continue
		case 'f':
			out = f.put(out, uint64(math.Float32bits(float32(l.CheckNumber(arg)))), size)
		case 'd':
			out = f.put(out, math.Float64bits(float64(l.CheckNumber(arg))), size)
		case 'c', 's':
			text := l.CheckString(arg)
			if size == 0 {
				size = len(text)
			}
			if len(text) < size {
				l.ArgError(arg, "string too short")
			}
			out = append(out, text[:size]...)
			if letter == 's' {
				out = append(out, 0)
			}
		default:
			v := float64(l.CheckNumber(arg))
			n := uint64(int64(v))
			if v >= math.MaxInt64 {
				n = uint64(v)
			}
			out = f.put(out, n, size)
		}
		arg++
	}
	l.Push(lua.LString(out))
	return 1
}

func structUnpack(l *lua.LState) int {
	f := layout{l: l, format: l.CheckString(1), align: 1}
	data, at := l.CheckString(2), l.OptInt(3, 1)-1
	if at < 0 {
		l.ArgError(3, "offset must be 1 or greater")
	}
	n := 0
	for {
		letter, size, pad, ok := f.next(at)
		if !ok {
			break
		}
		at += pad
		if letter == 'c' && size == 0 { // as long as the number before it tells
			length, ok := l.Get(-1).(lua.LNumber)
			if n == 0 || !ok {
				l.RaiseError("format 'c0' needs a previous size")
			}
			size = int(length)
			l.Pop(1)
			n--
		}
		if letter == 's' {
			end := strings.IndexByte(data[min(at, len(data)):], 0)
			if end < 0 {
				l.RaiseError("unfinished string in data")
			}
			l.Push(lua.LString(data[at : at+end]))
			at += end + 1
			n++
			continue
		}
		if size < 0 || at > len(data)-size {
			l.ArgError(2, "data string too short")
		}
		field := data[at : at+size]
		at += size
		if letter != 'x' {
			l.Push(f.value(letter, field))
			n++
		}
	}
	l.Push(lua.LNumber(at + 1))
	return n + 1
}

func (f *layout) value(letter byte, field string) lua.LValue {
	switch letter {
	case 'c':
		return lua.LString(field)
	case 'f':
		return lua.LNumber(math.Float32frombits(uint32(f.get(field))))
	case 'd':
		return lua.LNumber(math.Float64frombits(f.get(field)))
	case 'b', 'h', 'l', 'i':
		shift := 64 - 8*len(field)
		return lua.LNumber(int64(f.get(field)<<shift) >> shift)
	}
	return lua.LNumber(f.get(field))
}

func structSize(l *lua.LState) int {
	f := layout{l: l, format: l.CheckString(1), align: 1}
	total := 0
	for {
		letter, size, pad, ok := f.next(total)
		if !ok {
			break
		}
		if letter == 's' {
			l.ArgError(1, "variable-size format in struct.size")
		}
		if letter == 'c' && size == 0 {
			l.ArgError(1, "variable-length format in struct.size")
		}
		total += pad + size
	}
	l.Push(lua.LNumber(total))
	return 1
}
