package engine

import (
	"bytes"
	"crypto/sha1"
	"encoding/hex"
	"math"
	"strconv"
	"strings"

	"github.com/alicebob/miniredis/v2/fpconv"
	"github.com/alicebob/miniredis/v2/server"
	"github.com/framedle/leaderboards/upstash/upstashtest/internal/resp"
)

const (
	errSyntax = "ERR syntax error"
	errFloat  = "ERR value is not a valid float"
)

// parseScore reads a float as Redis does: what C's strtod reads, if it is the whole text
// and not NaN. So hexadecimal without an exponent is accepted, and Go's own syntax
// (1_000) is not.
func parseScore(text string) (float64, bool) {
	if strings.Contains(text, "_") {
		return 0, false
	}
	if lower := strings.ToLower(text); strings.Contains(lower, "0x") && !strings.Contains(lower, "p") {
		text += "p0"
	}
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil && !math.IsNaN(f)
}

func formatScore(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// formatReplyScore prints a score as Redis answers it: no exponent below 21 digits.
func formatReplyScore(f float64) string { return fpconv.Dtoa(f) }

// zaddFlags are ZADD's options.
type zaddFlags struct{ nx, xx, gt, lt, ch, incr bool }

// parseZAdd splits ZADD's arguments after the key. problem is Redis' error.
func parseZAdd(args []string) (f zaddFlags, options, pairs []string, problem string) {
	n := 0
scan:
	for ; n < len(args); n++ {
		switch strings.ToUpper(args[n]) {
		case "NX":
			f.nx = true
		case "XX":
			f.xx = true
		case "GT":
			f.gt = true
		case "LT":
			f.lt = true
		case "CH":
			f.ch = true
		case "INCR":
			f.incr = true
		default:
			break scan
		}
	}
	options, pairs = args[:n], args[n:]
	switch {
	case len(pairs) == 0 || len(pairs)%2 != 0:
		problem = errSyntax
	case f.nx && f.xx:
		problem = "ERR XX and NX options at the same time are not compatible"
	case f.gt && f.nx, f.lt && f.nx, f.gt && f.lt:
		problem = "ERR GT, LT, and/or NX options at the same time are not compatible"
	case f.incr && len(pairs) > 2:
		problem = "ERR INCR option supports a single increment-element pair"
	}
	return f, options, pairs, problem
}

// zadd replaces miniredis' ZADD, which accepts NaN, ignores GT and LT with INCR, and sees
// only the last of several scores for one member.
func (e *Redis) zadd(p *server.Peer, args []string) bool {
	if len(args) < 3 {
		return false
	}
	key := args[0]
	flags, options, pairs, problem := parseZAdd(args[1:])
	if problem != "" {
		return e.refuse(p, problem)
	}
	rewritten := append([]string{"ZADD", key}, options...)
	members := map[string]bool{}
	for i := 0; i < len(pairs); i += 2 {
		score, ok := parseScore(pairs[i])
		if !ok {
			return e.refuse(p, errFloat)
		}
		if flags.incr {
			return e.increment(p, key, flags, score, pairs[1])
		}
		rewritten = append(rewritten, formatScore(score), pairs[i+1])
		members[pairs[i+1]] = true
	}
	if len(members) == len(pairs)/2 {
		p.WriteRaw(string(e.ask(p, rewritten...)))
		return true
	}
	return e.zaddOneByOne(p, rewritten, len(options))
}

func (e *Redis) zaddOneByOne(p *server.Peer, zadd []string, options int) bool {
	head, pairs := zadd[:2+options], zadd[2+options:]
	total := 0
	for ; len(pairs) > 0; pairs = pairs[2:] {
		one := append(head[:len(head):len(head)], pairs[:2]...)
		reply := string(e.ask(p, one...))
		n, err := strconv.Atoi(strings.Trim(reply, ":\r\n"))
		if err != nil {
			p.WriteRaw(reply)
			return true
		}
		total += n
	}
	p.WriteInt(total)
	return true
}

func (e *Redis) zincrby(p *server.Peer, args []string) bool {
	if len(args) != 3 {
		return false
	}
	delta, ok := parseScore(args[1])
	if !ok {
		return e.refuse(p, errFloat)
	}
	return e.increment(p, args[0], zaddFlags{}, delta, args[2])
}

func (e *Redis) increment(p *server.Peer, key string, f zaddFlags, delta float64, member string) bool {
	before := e.ask(p, "ZSCORE", key, member)
	if before[0] == resp.ErrorKind {
		p.WriteRaw(string(before))
		return true
	}
	score, exists := delta, !bytes.HasPrefix(before, []byte("$-1"))
	if exists {
		_, text, _ := strings.Cut(strings.TrimSpace(string(before)), "\r\n")
		old, ok := parseScore(text)
		if !ok {
			return e.refuse(p, "ERR stored score is not a number")
		}
		score = old + delta
		if !f.nx && math.IsNaN(score) {
			return e.refuse(p, "ERR resulting score is not a number (NaN)")
		}
		if f.nx || f.gt && score <= old || f.lt && score >= old {
			p.WriteNull()
			return true
		}
	} else if f.xx {
		p.WriteNull()
		return true
	}
	if reply := e.ask(p, "ZADD", key, formatScore(score), member); reply[0] == resp.ErrorKind {
		p.WriteRaw(string(reply))
		return true
	}
	p.WriteRaw(string(e.ask(p, "ZSCORE", key, member)))
	return true
}

// unionScratch is the key that holds a union until the union replaces its destination. No
// client uses this key by accident.
const unionScratch = "\x00upstashtest:union\x00"

// zstore replaces a miniredis command that accepts NaN weights, deletes the destination
// before it looks at the sources, keeps the destination's expiry when the destination is
// also a source, and leaves an empty set where Redis leaves no key.
func (e *Redis) zstore(p *server.Peer, name string, args []string) bool {
	if len(args) < 3 {
		return false
	}
	keys, options, problem := keysBefore(name, args[1:])
	if problem != "" {
		return e.refuse(p, problem)
	}
	union, numKeys := args[1:], len(keys)
	badWeight := false
	if len(options) > numKeys && strings.EqualFold(options[0], "WEIGHTS") {
		for _, weight := range options[1 : 1+numKeys] {
			_, ok := parseScore(weight)
			badWeight = badWeight || !ok
		}
	}
	if badWeight { // Redis reports a source of the wrong type first
		union = args[1 : 2+numKeys]
	}
	reply := e.ask(p, append([]string{name, unionScratch}, union...)...)
	if badWeight && reply[0] != resp.ErrorKind {
		reply = []byte("-ERR weight value is not a float\r\n")
	}
	if reply[0] != resp.ErrorKind {
		e.ask(p, "DEL", args[0])
		if !bytes.Equal(reply, []byte(":0\r\n")) {
			e.ask(p, "RENAME", unionScratch, args[0])
		}
	}
	e.ask(p, "DEL", unionScratch)
	p.WriteRaw(string(reply))
	return true
}

// ScriptSHA is the digest by which EVALSHA names a script.
func ScriptSHA(script string) string {
	sum := sha1.Sum([]byte(script))
	return hex.EncodeToString(sum[:])
}
