package engine

import (
	"math/bits"
	"strings"

	"github.com/alicebob/miniredis/v2/server"
	"github.com/framedle/leaderboards/upstash/upstashtest/internal/resp"
)

func (e *Redis) setBit(p *server.Peer, args []string) bool {
	at, ok := resp.Integer(args[1])
	if !ok || at < 0 || at>>3 >= resp.MaxBulkBytes {
		return e.refuse(p, errBitOffset)
	}
	return false
}

// bitOp deletes the destination when all sources are empty.
func (e *Redis) bitOp(p *server.Peer, args []string) bool {
	op := strings.ToUpper(args[0])
	switch op {
	case "AND", "OR", "XOR", "NOT", "ONE":
	case "DIFF", "DIFF1", "ANDOR":
		if len(args) < 4 {
			return e.refuse(p, "ERR BITOP "+op+" must be called with at least two source keys.")
		}
	default:
		return e.refuse(p, errSyntax)
	}
	if op == "NOT" && len(args) != 3 {
		return e.refuse(p, "ERR BITOP NOT must be called with a single source key.")
	}
	sources := make([]string, len(args)-2)
	for i, key := range args[2:] {
		text, _, problem := e.text(key)
		if problem != "" {
			return e.refuse(p, problem)
		}
		sources[i] = text
	}
	out := combineBits(op, sources)
	if e.ask(p, "DEL", args[1]); len(out) > 0 {
		e.setText(p, args[1], string(out))
	}
	return e.answer(p, len(out))
}

// combineBits treats shorter sources as if zeros followed them.
func combineBits(op string, sources []string) []byte {
	length := 0
	for _, source := range sources {
		length = max(length, len(source))
	}
	out := make([]byte, length)
	for at := range out {
		// For each byte: the bits of the first source, and the bits that are set in any
		// source, in all, in an odd number, in two or more, and in any but the first.
		var first, some, odd, twice, rest byte
		all := byte(0xff)
		for i, source := range sources {
			var c byte
			if at < len(source) {
				c = source[at]
			}
			if i == 0 {
				first = c
			} else {
				rest |= c
			}
			twice |= some & c
			some |= c
			all &= c
			odd ^= c
		}
		switch op {
		case "AND":
			out[at] = all
		case "OR":
			out[at] = some
		case "XOR":
			out[at] = odd
		case "NOT":
			out[at] = ^first
		case "DIFF":
			out[at] = first &^ rest
		case "DIFF1":
			out[at] = rest &^ first
		case "ANDOR":
			out[at] = first & rest
		case "ONE":
			out[at] = some &^ twice
		}
	}
	return out
}

// bitRange is the range that BITCOUNT and BITPOS look at. last is less than first if
// the range is empty.
type bitRange struct {
	first, last int64
	endGiven    bool
}

// parseBitRange reads [start [end [BYTE|BIT]]].
func parseBitRange(args []string, length int64) (r bitRange, problem string) {
	start, end, byBit := int64(0), int64(-1), false
	var ok bool
	if len(args) > 3 {
		return r, errSyntax
	}
	if len(args) == 3 {
		byBit = strings.EqualFold(args[2], "BIT")
		if !byBit && !strings.EqualFold(args[2], "BYTE") {
			return r, errSyntax
		}
	}
	if len(args) > 0 {
		if start, ok = resp.Integer(args[0]); !ok {
			return r, errInteger
		}
	}
	if len(args) > 1 {
		if end, ok = resp.Integer(args[1]); !ok {
			return r, errInteger
		}
		r.endGiven = true
	}
	total := length
	if byBit {
		total *= 8
	}
	if start < 0 && end < 0 && start > end {
		return bitRange{0, -1, r.endGiven}, ""
	}
	if start < 0 {
		start = max(0, start+total)
	}
	if end < 0 {
		end = max(0, end+total)
	}
	end = min(end, total-1)
	if byBit {
		r.first, r.last = start, end
		return r, ""
	}
	r.first, r.last = start*8, end*8+7
	if start > end {
		r.last = r.first - 1
	}
	return r, ""
}

func (e *Redis) bitCount(p *server.Peer, args []string) bool {
	text, _, problem := e.text(args[0])
	if problem != "" {
		return e.refuse(p, problem)
	}
	r, problem := parseBitRange(args[1:], int64(len(text)))
	if problem != "" {
		return e.refuse(p, problem)
	}
	n := 0
	for at := r.first; at <= r.last; at++ {
		if at&7 == 0 && at+7 <= r.last {
			n += bits.OnesCount8(text[at>>3])
			at += 7
			continue
		}
		n += int(text[at>>3] >> (7 - at&7) & 1)
	}
	return e.answer(p, n)
}

// bitPos treats a string as followed by zeros without end, unless the command gives an
// end.
func (e *Redis) bitPos(p *server.Peer, args []string) bool {
	bit, ok := resp.Integer(args[1])
	switch {
	case !ok:
		return e.refuse(p, errInteger)
	case bit != 0 && bit != 1:
		return e.refuse(p, "ERR The bit argument must be 1 or 0.")
	}
	text, exists, problem := e.text(args[0])
	if problem != "" {
		return e.refuse(p, problem)
	}
	r, problem := parseBitRange(args[2:], int64(len(text)))
	if problem != "" {
		return e.refuse(p, problem)
	}
	if !exists {
		return e.answer(p, -bit)
	}
	for at := r.first; at <= r.last; at++ {
		if int64(text[at>>3]>>(7-at&7)&1) == bit {
			return e.answer(p, at)
		}
	}
	if bit == 0 && !r.endGiven && r.first <= r.last {
		return e.answer(p, r.last+1)
	}
	return e.answer(p, -1)
}
