package engine

import (
	"strings"

	"github.com/alicebob/miniredis/v2/server"
	"github.com/framedle/leaderboards/upstash/upstashtest/internal/resp"
)

var hashExpireCommands = map[string]native{
	"HEXPIRE":      {-6, func(e *Redis, p *server.Peer, args []string) bool { return e.hexpire(p, "HEXPIRE", args) }},
	"HPEXPIRE":     {-6, func(e *Redis, p *server.Peer, args []string) bool { return e.hexpire(p, "HPEXPIRE", args) }},
	"HEXPIREAT":    {-6, func(e *Redis, p *server.Peer, args []string) bool { return e.hexpire(p, "HEXPIREAT", args) }},
	"HPEXPIREAT":   {-6, func(e *Redis, p *server.Peer, args []string) bool { return e.hexpire(p, "HPEXPIREAT", args) }},
	"HTTL":         {-5, hashExpiry(func(e *Redis, ms int64) int64 { return (ms - e.now() + 999) / 1000 })},
	"HPTTL":        {-5, hashExpiry(func(e *Redis, ms int64) int64 { return ms - e.now() })},
	"HEXPIRETIME":  {-5, hashExpiry((*Redis).expirySecond)},
	"HPEXPIRETIME": {-5, hashExpiry(func(_ *Redis, ms int64) int64 { return ms })},
	"HPERSIST":     {-5, (*Redis).hpersist},
	"HGETDEL":      {-5, (*Redis).hgetDel},
	"HGETEX":       {-5, (*Redis).hgetEx},
	"HSETEX":       {-6, (*Redis).hsetEx},
}

// The commands answer one of these for each field.
const (
	noField     = -2
	noExpiry    = -1
	unchanged   = 0
	changed     = 1
	goneAlready = 2
)

// fieldsOf reads FIELDS numfields field …, where each field takes width words.
func fieldsOf(args []string, width int) (fields []string, problem string) {
	if len(args) < 2 || !strings.EqualFold(args[0], "FIELDS") {
		return nil, "ERR Mandatory argument FIELDS is missing or not at the right position"
	}
	n, ok := resp.Integer(args[1])
	switch {
	case !ok || n < 1:
		return nil, "ERR Parameter `numFields` should be greater than 0"
	case n > int64(len(args)) || int(n)*width != len(args)-2:
		return nil, "ERR The `numfields` parameter must match the number of arguments"
	}
	return args[2:], ""
}

// expiryOf is a field's expiry: noField, noExpiry, or Unix milliseconds.
func (e *Redis) expiryOf(p *server.Peer, key, field string) int64 {
	if _, ok := e.field(p, key, field); !ok {
		return noField
	}
	left := e.mini.HTTL(key, field)
	if left <= 0 {
		return noExpiry
	}
	return e.expiry(left)
}

// endField sets the expiry of a field, and deletes the field if the moment has passed.
func (e *Redis) endField(p *server.Peer, key, field string, ms int64) (told int) {
	if ms <= e.now() {
		e.ask(p, "HDEL", key, field)
		return goneAlready
	}
	e.mini.HExpire(key, field, e.until(ms))
	return changed
}

func (e *Redis) hexpire(p *server.Peer, name string, args []string) bool {
	if _, problem := e.hash(args[0]); problem != "" {
		return e.refuse(p, problem)
	}
	if n, ok := resp.Integer(args[1]); ok && n < 0 {
		return e.refuse(p, "ERR invalid expire time, must be >= 0")
	}
	ms, problem := e.moment(name, expireUnit(name[1:]), args[1], false)
	if problem != "" {
		return e.refuse(p, problem)
	}
	rest := args[2:]
	var c condition
	if !strings.EqualFold(rest[0], "FIELDS") {
		if c, problem = parseCondition(rest[:1]); problem == "" {
			rest = rest[1:]
		}
	}
	fields, problem := fieldsOf(rest, 1)
	if problem != "" {
		return e.refuse(p, problem)
	}
	told := make([]any, len(fields))
	for i, field := range fields {
		before := e.expiryOf(p, args[0], field)
		switch {
		case before == noField:
			told[i] = noField
		case !c.holds(max(before, 0), ms):
			told[i] = unchanged
		default:
			told[i] = e.endField(p, args[0], field, ms)
		}
	}
	return e.answer(p, told)
}

// hashExpiry makes a command that answers each field's expiry in the form that tell
// returns.
func hashExpiry(tell func(e *Redis, ms int64) int64) func(*Redis, *server.Peer, []string) bool {
	return func(e *Redis, p *server.Peer, args []string) bool {
		return e.eachField(p, args, func(field string) any {
			ms := e.expiryOf(p, args[0], field)
			if ms < 0 {
				return ms
			}
			return tell(e, ms)
		})
	}
}

// eachField reads key FIELDS n field … and answers with f's result for each field.
func (e *Redis) eachField(p *server.Peer, args []string, f func(field string) any) bool {
	if _, problem := e.hash(args[0]); problem != "" {
		return e.refuse(p, problem)
	}
	fields, problem := fieldsOf(args[1:], 1)
	if problem != "" {
		return e.refuse(p, problem)
	}
	told := make([]any, len(fields))
	for i, field := range fields {
		told[i] = f(field)
	}
	return e.answer(p, told)
}

func (e *Redis) hpersist(p *server.Peer, args []string) bool {
	return e.eachField(p, args, func(field string) any {
		ms := e.expiryOf(p, args[0], field)
		if ms < 0 {
			return ms
		}
		e.mini.HPersist(args[0], field)
		return changed
	})
}

func (e *Redis) hgetDel(p *server.Peer, args []string) bool {
	return e.eachField(p, args, func(field string) any {
		value := e.value(p, "HGET", args[0], field)
		e.mini.HPersist(args[0], field)
		e.ask(p, "HDEL", args[0], field)
		return value
	})
}

// fieldExpiry reads one option that sets the expiry of fields. words is how many words
// the option took, 0 if it is no such option. keep is the option that has no time.
func (e *Redis) fieldExpiry(name, keep string, args []string) (option string, ms int64, words int, problem string) {
	option = strings.ToUpper(args[0])
	switch {
	case option == keep:
		return option, 0, 1, ""
	case isExpiry(option) && len(args) > 1:
		ms, problem = e.moment(name, option, args[1], true)
		return option, ms, 2, problem
	}
	return "", 0, 0, ""
}

func (e *Redis) hgetEx(p *server.Peer, args []string) bool {
	option, ms, words, problem := e.fieldExpiry("HGETEX", "PERSIST", args[1:])
	if problem != "" {
		return e.refuse(p, problem)
	}
	fields := append(args[:1:1], args[1+words:]...)
	return e.eachField(p, fields, func(field string) any {
		value, ok := e.field(p, args[0], field)
		switch {
		case !ok:
			return nil
		case option == "PERSIST":
			e.mini.HPersist(args[0], field)
		case option != "":
			e.endField(p, args[0], field, ms)
		}
		return value
	})
}

// hsetEx sets all fields or none: FNX and FXX are checked for all of them first.
func (e *Redis) hsetEx(p *server.Peer, args []string) bool {
	if _, problem := e.hash(args[0]); problem != "" {
		return e.refuse(p, problem)
	}
	rest := args[1:]
	only, option, ms := "", "", int64(0)
	for len(rest) > 0 && !strings.EqualFold(rest[0], "FIELDS") {
		if word := strings.ToUpper(rest[0]); only == "" && (word == "FNX" || word == "FXX") {
			only, rest = word, rest[1:]
			continue
		}
		given, at, words, problem := e.fieldExpiry("HSETEX", "KEEPTTL", rest)
		switch {
		case problem != "":
			return e.refuse(p, problem)
		case words == 0 || option != "":
			return e.refuse(p, errSyntax)
		}
		option, ms, rest = given, at, rest[words:]
	}
	pairs, problem := fieldsOf(rest, 2)
	if problem != "" {
		return e.refuse(p, problem)
	}
	for i := 0; i < len(pairs); i += 2 {
		if _, exists := e.field(p, args[0], pairs[i]); only == "FNX" && exists || only == "FXX" && !exists {
			return e.answer(p, unchanged)
		}
	}
	for i := 0; i < len(pairs); i += 2 {
		e.ask(p, "HSET", args[0], pairs[i], pairs[i+1])
		switch option {
		case "KEEPTTL":
		case "":
			e.mini.HPersist(args[0], pairs[i])
		default:
			e.endField(p, args[0], pairs[i], ms)
		}
	}
	return e.answer(p, changed)
}

// expirySecond is what HEXPIRETIME answers: Redis rounds up, Upstash down.
func (e *Redis) expirySecond(ms int64) int64 {
	if e.strict {
		ms += 999
	}
	return ms / 1000
}
