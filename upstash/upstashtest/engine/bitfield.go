package engine

import (
	"math"
	"strings"

	"github.com/alicebob/miniredis/v2/server"
	"github.com/framedle/leaderboards/upstash/upstashtest/internal/resp"
)

var bitfieldCommands = map[string]native{
	"BITFIELD":    {-2, func(e *Redis, p *server.Peer, args []string) bool { return e.bitfield(p, args, false) }},
	"BITFIELD_RO": {-2, func(e *Redis, p *server.Peer, args []string) bool { return e.bitfield(p, args, true) }},
}

const errBitOffset = "ERR bit offset is not an integer or out of range"

// bitOp is one operation of a BITFIELD.
type bitOp struct {
	name     string // GET, SET or INCRBY
	signed   bool
	width    int
	offset   int64
	value    int64
	overflow string // WRAP, SAT or FAIL
}

func parseBitOps(args []string) (ops []bitOp, problem string) {
	overflow := "WRAP"
	for len(args) > 0 {
		op := bitOp{name: strings.ToUpper(args[0]), overflow: overflow}
		words := map[string]int{"GET": 3, "SET": 4, "INCRBY": 4, "OVERFLOW": 2}[op.name]
		if words == 0 || len(args) < words {
			return nil, errSyntax
		}
		switch op.name {
		case "OVERFLOW":
			overflow = strings.ToUpper(args[1])
			if overflow != "WRAP" && overflow != "SAT" && overflow != "FAIL" {
				return nil, "ERR Invalid OVERFLOW type specified"
			}
		default:
			if problem := op.parse(args[1:words]); problem != "" {
				return nil, problem
			}
			ops = append(ops, op)
		}
		args = args[words:]
	}
	return ops, ""
}

// parse reads type, offset and value.
func (op *bitOp) parse(args []string) (problem string) {
	kind := args[0]
	if kind == "" {
		kind = "?"
	}
	op.signed = kind[0] == 'i'
	width, ok := resp.Integer(kind[1:])
	if !ok || kind[0] != 'i' && kind[0] != 'u' || width < 1 || width > 64 || !op.signed && width > 63 {
		return "ERR Invalid bitfield type. Use something like i16 u8. Note that u64 is not supported but i64 is."
	}
	op.width = int(width)
	digits, byWidth := strings.CutPrefix(args[1], "#")
	op.offset, ok = resp.Integer(digits)
	if byWidth && op.offset > resp.MaxBulkBytes*8 {
		ok = false
	}
	if byWidth {
		op.offset *= width
	}
	if !ok || op.offset < 0 || op.offset>>3 >= resp.MaxBulkBytes {
		return errBitOffset
	}
	if len(args) == 3 {
		if op.value, ok = resp.Integer(args[2]); !ok {
			return errInteger
		}
	}
	return ""
}

// fit adds incr to value and brings the sum into the range of the type. ok is false if
// the sum does not fit and the overflow rule is FAIL. Sums wrap around as they do in
// Redis, so a value far below the range saturates at the top of the range.
func (op *bitOp) fit(value, incr int64) (bits uint64, ok bool) {
	low, high := uint64(0), uint64(1)<<op.width-1
	var over, under bool
	if op.signed {
		top := int64(math.MaxInt64) >> (64 - op.width)
		bottom := -top - 1
		low, high = uint64(bottom), uint64(top)
		up, down := top-value, bottom-value
		over = value > top || op.width < 64 && incr > up || value >= 0 && incr > 0 && incr > up
		under = value < bottom || op.width < 64 && incr < down || value < 0 && incr < 0 && incr < down
	} else {
		over = uint64(value) > high || incr > 0 && incr > int64(high-uint64(value))
		under = incr < 0 && incr < -value
	}
	switch {
	case !over && !under || op.overflow == "WRAP":
		return uint64(value + incr), true
	case op.overflow == "FAIL":
		return 0, false
	case over:
		return high, true
	}
	return low, true
}

func (op *bitOp) get(data []byte) (bits uint64) {
	for i := range int64(op.width) {
		at := op.offset + i
		bit := byte(0)
		if at>>3 < int64(len(data)) {
			bit = data[at>>3] >> (7 - at&7) & 1
		}
		bits = bits<<1 | uint64(bit)
	}
	return bits
}

func (op *bitOp) put(data []byte, bits uint64) {
	for i := range int64(op.width) {
		at := op.offset + i
		mask := byte(1) << (7 - at&7)
		if bits>>(int64(op.width)-1-i)&1 == 1 {
			data[at>>3] |= mask
		} else {
			data[at>>3] &^= mask
		}
	}
}

// number reads bits as the type says.
func (op *bitOp) number(bits uint64) int64 {
	shift := 64 - op.width
	if op.signed {
		return int64(bits<<shift) >> shift
	}
	return int64(bits << shift >> shift)
}

func (e *Redis) bitfield(p *server.Peer, args []string, readOnly bool) bool {
	ops, problem := parseBitOps(args[1:])
	if problem != "" {
		return e.refuse(p, problem)
	}
	end := int64(0)
	for _, op := range ops {
		if op.name == "GET" {
			continue
		}
		if readOnly {
			return e.refuse(p, "ERR BITFIELD_RO only supports the GET subcommand")
		}
		end = max(end, (op.offset+int64(op.width)-1)>>3+1)
	}
	text, _, problem := e.text(args[0])
	if problem != "" {
		return e.refuse(p, problem)
	}
	data := []byte(text)
	if missing := end - int64(len(data)); missing > 0 {
		data = append(data, make([]byte, missing)...)
	}
	results := []any{}
	for _, op := range ops {
		old := op.number(op.get(data))
		if op.name == "GET" {
			results = append(results, old)
			continue
		}
		value, incr := op.value, int64(0)
		if op.name == "INCRBY" {
			value, incr = old, op.value
		}
		bits, ok := op.fit(value, incr)
		switch {
		case !ok:
			results = append(results, nil)
			continue
		case op.name == "SET":
			results = append(results, old)
		default:
			results = append(results, op.number(bits))
		}
		op.put(data, bits)
	}
	if end > 0 {
		e.setText(p, args[0], string(data))
	}
	return e.answer(p, results)
}
