package engine

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/alicebob/miniredis/v2/server"
	"github.com/framedle/leaderboards/upstash/upstashtest/internal/resp"
)

var stringCommands = map[string]native{
	"SUBSTR":      {4, (*Redis).substr},
	"SETRANGE":    {4, (*Redis).setRange},
	"INCR":        {2, func(e *Redis, p *server.Peer, args []string) bool { return e.add(p, args[0], "1", false) }},
	"DECR":        {2, func(e *Redis, p *server.Peer, args []string) bool { return e.add(p, args[0], "1", true) }},
	"INCRBY":      {3, func(e *Redis, p *server.Peer, args []string) bool { return e.add(p, args[0], args[1], false) }},
	"DECRBY":      {3, func(e *Redis, p *server.Peer, args []string) bool { return e.add(p, args[0], args[1], true) }},
	"INCRBYFLOAT": {3, (*Redis).addFloat},
	"MSET":        {-3, func(e *Redis, p *server.Peer, args []string) bool { return e.pairs(p, "MSET", args) }},
	"MSETNX":      {-3, func(e *Redis, p *server.Peer, args []string) bool { return e.pairs(p, "MSETNX", args) }},
	"FLUSHALL":    {-1, (*Redis).flush},
	"FLUSHDB":     {-1, (*Redis).flush},
}

const errTooLong = "ERR string exceeds maximum allowed size (proto-max-bulk-len)"

// text is the string at key, "" if the key does not exist.
func (e *Redis) text(key string) (text string, exists bool, problem string) {
	switch e.mini.Type(key) {
	case "":
		return "", false, ""
	case "string":
		text, err := e.mini.Get(key)
		if err != nil {
			return "", false, "ERR " + err.Error()
		}
		return text, true, ""
	}
	return "", false, errWrongType
}

// setText writes a string and leaves the key's expiry as it is.
func (e *Redis) setText(p *server.Peer, key, text string) { e.ask(p, "SET", key, text, "KEEPTTL") }

func (e *Redis) substr(p *server.Peer, args []string) bool {
	return e.answer(p, e.value(p, append([]string{"GETRANGE"}, args...)...))
}

func (e *Redis) setRange(p *server.Peer, args []string) bool {
	at, ok := resp.Integer(args[1])
	switch {
	case !ok:
		return e.refuse(p, errInteger)
	case at < 0:
		return e.refuse(p, "ERR offset is out of range")
	}
	text, _, problem := e.text(args[0])
	switch {
	case problem != "":
		return e.refuse(p, problem)
	case args[2] == "":
		return e.answer(p, len(text))
	case at > resp.MaxBulkBytes-int64(len(args[2])):
		return e.refuse(p, errTooLong)
	}
	return false
}

// add adds delta to the integer at key. delta may have no sign but a minus, and no
// leading zeros.
func (e *Redis) add(p *server.Peer, key, delta string, negative bool) bool {
	n, ok := resp.Integer(delta)
	if !ok {
		return e.refuse(p, errInteger)
	}
	if negative && n == math.MinInt64 {
		return e.refuse(p, "ERR decrement would overflow")
	}
	if negative {
		n = -n
	}
	text, exists, problem := e.text(key)
	if problem != "" {
		return e.refuse(p, problem)
	}
	sum, problem := addIntegers(text, exists, n)
	if problem != "" {
		return e.refuse(p, problem)
	}
	e.setText(p, key, strconv.FormatInt(sum, 10))
	return e.answer(p, sum)
}

func addIntegers(text string, exists bool, delta int64) (sum int64, problem string) {
	old, ok := resp.Integer(text)
	switch {
	case !ok && exists:
		return 0, errInteger
	case delta > 0 && old > math.MaxInt64-delta, delta < 0 && old < math.MinInt64-delta:
		return 0, "ERR increment or decrement would overflow"
	}
	return old + delta, ""
}

func (e *Redis) addFloat(p *server.Peer, args []string) bool {
	text, exists, problem := e.text(args[0])
	if problem != "" {
		return e.refuse(p, problem)
	}
	sum, problem := addLong(text, exists, args[1], errFloat)
	if problem != "" {
		return e.refuse(p, problem)
	}
	e.setText(p, args[0], sum)
	return e.answer(p, sum)
}

// longPrecision is the precision, in bits, of a C long double on the platforms where
// Redis commonly runs.
const longPrecision = 64

// addLong adds floats as Redis does, with the precision of C's long double.
func addLong(text string, exists bool, delta, notFloat string) (sum, problem string) {
	old := new(big.Float).SetPrec(longPrecision)
	if exists {
		var ok bool
		if old, ok = parseLong(text); !ok {
			return "", notFloat
		}
	}
	by, ok := parseLong(delta)
	switch {
	case !ok:
		return "", errFloat
	case old.IsInf() || by.IsInf():
		return "", "ERR increment would produce NaN or Infinity"
	}
	return formatLongDouble(new(big.Float).SetPrec(longPrecision).Add(old, by)), ""
}

func parseLong(text string) (*big.Float, bool) {
	if f, ok := parseScore(text); !ok && !(math.IsInf(f, 0)) || strings.TrimSpace(text) != text {
		return nil, false
	}
	if strings.Contains(strings.ToLower(text), "0x") {
		f, _ := parseScore(text)
		return big.NewFloat(f).SetPrec(longPrecision), true
	}
	f, _, err := big.ParseFloat(strings.TrimPrefix(text, "+"), 10, longPrecision, big.ToNearestEven)
	return f, err == nil
}

// formatLongDouble prints with at most 17 decimals.
func formatLongDouble(f *big.Float) string {
	text := f.Text('f', 17)
	if strings.Contains(text, ".") {
		text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	}
	if text == "-0" {
		return "0"
	}
	return text
}

func (e *Redis) pairs(p *server.Peer, name string, args []string) bool {
	if len(args)%2 != 0 {
		return e.refuse(p, wrongNumber(name))
	}
	return false
}

func (e *Redis) flush(p *server.Peer, args []string) bool {
	if len(args) > 1 || len(args) == 1 && !isFlushMode(args[0]) {
		return e.refuse(p, errSyntax)
	}
	e.ask(p, "FLUSHALL")
	return e.answer(p, status("OK"))
}
