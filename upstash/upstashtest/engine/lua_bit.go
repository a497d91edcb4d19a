package engine

import (
	"fmt"
	"math"
	"math/bits"

	lua "github.com/yuin/gopher-lua"
)

// bitFunctions is the module bit: operations on 32 bits with signed results.
var bitFunctions = map[string]lua.LGFunction{
	"tobit":   func(l *lua.LState) int { return pushBits(l, bitArg(l, 1)) },
	"bnot":    func(l *lua.LState) int { return pushBits(l, ^bitArg(l, 1)) },
	"bswap":   func(l *lua.LState) int { return pushBits(l, bits.ReverseBytes32(bitArg(l, 1))) },
	"band":    foldBits(func(a, b uint32) uint32 { return a & b }),
	"bor":     foldBits(func(a, b uint32) uint32 { return a | b }),
	"bxor":    foldBits(func(a, b uint32) uint32 { return a ^ b }),
	"lshift":  shiftBits(func(a uint32, n int) uint32 { return a << n }),
	"rshift":  shiftBits(func(a uint32, n int) uint32 { return a >> n }),
	"arshift": shiftBits(func(a uint32, n int) uint32 { return uint32(int32(a) >> n) }),
	"rol":     shiftBits(func(a uint32, n int) uint32 { return bits.RotateLeft32(a, n) }),
	"ror":     shiftBits(func(a uint32, n int) uint32 { return bits.RotateLeft32(a, -n) }),
	"tohex":   bitsToHex,
}

func bitArg(l *lua.LState, i int) uint32 {
	f := math.RoundToEven(float64(l.CheckNumber(i)))
	return uint32(int64(math.Mod(f, 1<<32)))
}

func pushBits(l *lua.LState, b uint32) int {
	l.Push(lua.LNumber(int32(b)))
	return 1
}

func foldBits(f func(a, b uint32) uint32) lua.LGFunction {
	return func(l *lua.LState) int {
		b := bitArg(l, 1)
		for i := 2; i <= l.GetTop(); i++ {
			b = f(b, bitArg(l, i))
		}
		return pushBits(l, b)
	}
}

func shiftBits(f func(a uint32, n int) uint32) lua.LGFunction {
	return func(l *lua.LState) int { return pushBits(l, f(bitArg(l, 1), int(bitArg(l, 2)&31))) }
}

// bitsToHex prints capitals if the number of digits is negative.
func bitsToHex(l *lua.LState) int {
	b, n, verb := bitArg(l, 1), int32(8), "%0*x"
	if l.GetTop() > 1 {
		n = int32(bitArg(l, 2))
	}
	if n < 0 {
		n, verb = -n, "%0*X"
	}
	n = min(n, 8)
	if n < 8 {
		b &= 1<<(4*n) - 1
	}
	l.Push(lua.LString(fmt.Sprintf(verb, n, b)))
	return 1
}
