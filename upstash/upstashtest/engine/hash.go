package engine

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/alicebob/miniredis/v2/server"
	"github.com/framedle/leaderboards/upstash/upstashtest/internal/resp"
)

var hashCommands = map[string]native{
	"HSET":         {-4, func(e *Redis, p *server.Peer, args []string) bool { return e.pairsOf(p, "HSET", args) }},
	"HMSET":        {-4, func(e *Redis, p *server.Peer, args []string) bool { return e.pairsOf(p, "HMSET", args) }},
	"HINCRBY":      {4, (*Redis).hincrBy},
	"HINCRBYFLOAT": {4, (*Redis).hincrByFloat},
	"HSTRLEN":      {3, (*Redis).hstrLen},
	"HRANDFIELD":   {-2, (*Redis).hrandField},
	"COPY":         {-3, (*Redis).copyKey},
}

// hash returns an error if the key exists and is not a hash.
func (e *Redis) hash(key string) (exists bool, problem string) {
	switch e.mini.Type(key) {
	case "":
		return false, ""
	case "hash":
		return true, ""
	}
	return false, errWrongType
}

// field is the value of a hash's field.
func (e *Redis) field(p *server.Peer, key, field string) (value string, exists bool) {
	value, exists = e.value(p, "HGET", key, field).(string)
	return value, exists
}

// pairsOf refuses a name without a value, in the order of errors that Redis has.
func (e *Redis) pairsOf(p *server.Peer, name string, args []string) bool {
	if len(args)%2 == 0 {
		return e.refuse(p, wrongNumber(name))
	}
	return false
}

func (e *Redis) hincrBy(p *server.Peer, args []string) bool {
	delta, ok := resp.Integer(args[2])
	if !ok {
		return e.refuse(p, errInteger)
	}
	if _, problem := e.hash(args[0]); problem != "" {
		return e.refuse(p, problem)
	}
	text, exists := e.field(p, args[0], args[1])
	sum, problem := addIntegers(text, exists, delta)
	if problem == errInteger {
		problem = "ERR hash value is not an integer"
	}
	if problem != "" {
		return e.refuse(p, problem)
	}
	e.ask(p, "HSET", args[0], args[1], strconv.FormatInt(sum, 10))
	return e.answer(p, sum)
}

func (e *Redis) hincrByFloat(p *server.Peer, args []string) bool {
	if f, ok := parseScore(args[2]); ok && math.IsInf(f, 0) {
		return e.refuse(p, "ERR value is NaN or Infinity")
	}
	if _, ok := parseLong(args[2]); !ok {
		return e.refuse(p, errFloat)
	}
	if _, problem := e.hash(args[0]); problem != "" {
		return e.refuse(p, problem)
	}
	text, exists := e.field(p, args[0], args[1])
	sum, problem := addLong(text, exists, args[2], "ERR hash value is not a float")
	if problem != "" {
		return e.refuse(p, problem)
	}
	e.ask(p, "HSET", args[0], args[1], sum)
	return e.answer(p, sum)
}

func (e *Redis) hstrLen(p *server.Peer, args []string) bool {
	if _, problem := e.hash(args[0]); problem != "" {
		return e.refuse(p, problem)
	}
	text, _ := e.field(p, args[0], args[1])
	return e.answer(p, len(text))
}

func (e *Redis) hrandField(p *server.Peer, args []string) bool {
	if len(args) == 1 {
		return false
	}
	n, ok := resp.Integer(args[1])
	switch {
	case !ok:
		return e.refuse(p, errInteger)
	case len(args) > 3, len(args) == 3 && !strings.EqualFold(args[2], "WITHVALUES"):
		return e.refuse(p, errSyntax)
	case n == math.MinInt64, len(args) == 3 && (n < math.MinInt64/2 || n > math.MaxInt64/2):
		return e.refuse(p, "ERR value is out of range, value must between -"+strconv.Itoa(math.MaxInt64)+" and "+strconv.Itoa(math.MaxInt64))
	}
	return false
}

func (e *Redis) copyKey(p *server.Peer, args []string) bool {
	if i := slices.IndexFunc(args[2:], func(arg string) bool { return strings.EqualFold(arg, "DB") }); i >= 0 && i+3 < len(args) {
		switch n, ok := resp.Integer(args[i+3]); {
		case !ok:
			return e.refuse(p, errInteger)
		case n < 0 || n > 15:
			return e.refuse(p, "ERR DB index is out of range")
		case n > 0:
			return false
		}
	}
	reply := e.ask(p, append([]string{"COPY"}, args...)...)
	if string(reply) == ":1\r\n" {
		e.copyStream(p, args[1])
	}
	p.WriteRaw(string(reply))
	return true
}
