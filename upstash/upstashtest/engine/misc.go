package engine

import (
	"slices"
	"strings"

	"github.com/alicebob/miniredis/v2/server"
	"github.com/framedle/leaderboards/upstash/upstashtest/internal/resp"
)

var miscCommands = map[string]native{
	"SINTERSTORE": {-3, func(e *Redis, p *server.Peer, args []string) bool { return e.storeSet(p, "SINTERSTORE", args) }},
	"SDIFFSTORE":  {-3, func(e *Redis, p *server.Peer, args []string) bool { return e.storeSet(p, "SDIFFSTORE", args) }},
	"SUNIONSTORE": {-3, func(e *Redis, p *server.Peer, args []string) bool { return e.storeSet(p, "SUNIONSTORE", args) }},
	"LPOP":        {-2, (*Redis).popCount},
	"RPOP":        {-2, (*Redis).popCount},
	"SPOP":        {-2, (*Redis).popCount},
	"SCAN":        {-2, (*Redis).scan},
	"HSCAN":       {-3, (*Redis).hscan},
	"SSCAN":       {-3, (*Redis).sscan},
	"ZSCAN":       {-3, (*Redis).scanCount},
	"MEMORY":      {-2, (*Redis).memory},
}

// storeSet deletes the destination if the result is empty.
func (e *Redis) storeSet(p *server.Peer, name string, args []string) bool {
	n := e.value(p, append([]string{name}, args...)...)
	if n == int64(0) {
		e.ask(p, "DEL", args[0])
	}
	return e.answer(p, n)
}

// popCount refuses every wrong count with the same text, as Redis does.
func (e *Redis) popCount(p *server.Peer, args []string) bool {
	if len(args) != 2 {
		return false
	}
	if n, ok := resp.Integer(args[1]); !ok || n < 0 {
		return e.refuse(p, "ERR value is out of range, must be positive")
	}
	return false
}

func (e *Redis) scanCount(p *server.Peer, args []string) bool {
	for i, arg := range args[:len(args)-1] {
		if n, ok := resp.Integer(args[i+1]); i > 1 && strings.EqualFold(arg, "COUNT") && ok && n < 1 {
			return e.refuse(p, errSyntax)
		}
	}
	return false
}

// sscan answers everything in one page, as HSCAN and ZSCAN do. miniredis counts the pages
// of a set from its beginning. So it skips a member when an earlier one is removed
// between two pages, and without COUNT a cursor that is not its own leads back to itself.
func (e *Redis) sscan(p *server.Peer, args []string) bool {
	if e.scanCount(p, args) {
		return true
	}
	args = slices.Clone(args)
	for i := 2; i+1 < len(args); i += 2 {
		if _, ok := resp.Integer(args[i+1]); ok && strings.EqualFold(args[i], "COUNT") {
			args = slices.Delete(args, i, i+2)
			break
		}
	}
	cursor, ok := resp.Integer(args[1])
	behind := ok && cursor != 0
	if behind {
		args[1] = "0"
	}
	reply := e.value(p, append([]string{"SSCAN"}, args...)...)
	if page, ok := reply.([]any); behind && ok && len(page) == 2 {
		page[1] = []any{}
	}
	return e.answer(p, reply)
}

// hscan adds the option NOVALUES, which leaves out the values.
func (e *Redis) hscan(p *server.Peer, args []string) bool {
	if e.scanCount(p, args) {
		return true
	}
	i := slices.IndexFunc(args, func(arg string) bool { return strings.EqualFold(arg, "NOVALUES") })
	if i < 2 {
		return false
	}
	reply := e.value(p, append([]string{"HSCAN"}, slices.Delete(slices.Clone(args), i, i+1)...)...)
	if page, ok := reply.([]any); ok && len(page) == 2 {
		pairs, _ := page[1].([]any)
		fields := []any{}
		for i := 0; i < len(pairs); i += 2 {
			fields = append(fields, pairs[i])
		}
		page[1] = fields
	}
	return e.answer(p, reply)
}

// memory answers MEMORY USAGE of streams: miniredis does not know their contents.
func (e *Redis) memory(p *server.Peer, args []string) bool {
	if len(args) < 2 || !strings.EqualFold(args[0], "USAGE") || e.mini.Type(args[1]) != "stream" {
		return false
	}
	s, problem := e.stream(args[1])
	if problem != "" {
		return e.refuse(p, problem)
	}
	const perStream, perEntry = 96, 16
	bytes := perStream + len(args[1])
	for _, entry := range s.entries {
		bytes += perEntry
		for _, field := range entry.fields {
			bytes += len(field)
		}
	}
	return e.answer(p, bytes)
}
