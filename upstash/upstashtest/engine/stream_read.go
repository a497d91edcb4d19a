package engine

import (
	"slices"
	"strings"

	"github.com/alicebob/miniredis/v2/server"
	"github.com/framedle/leaderboards/upstash/upstashtest/internal/resp"
)

var streamReadCommands = map[string]native{
	"XLEN":      {2, (*Redis).xlen},
	"XRANGE":    {-4, func(e *Redis, p *server.Peer, args []string) bool { return e.xrange(p, args, false) }},
	"XREVRANGE": {-4, func(e *Redis, p *server.Peer, args []string) bool { return e.xrange(p, args, true) }},
	"XREAD":     {-4, (*Redis).xread},
	"XINFO":     {-2, (*Redis).xinfo},
}

func (e *Redis) xlen(p *server.Peer, args []string) bool {
	s, problem := e.stream(args[0])
	switch {
	case problem != "":
		return e.refuse(p, problem)
	case s == nil:
		return e.answer(p, 0)
	}
	return e.answer(p, len(s.entries))
}

// parseInterval reads both ends of a range, including -, + and (.
func parseInterval(low, high string) (first, last streamID, problem string) {
	end := func(text string, seq uint64) (id streamID, open, ok bool) {
		switch text {
		case "-":
			return firstID, false, true
		case "+":
			return lastID, false, true
		}
		text, open = strings.CutPrefix(text, "(")
		id, ok = parseStreamID(text, seq)
		return id, open, ok
	}
	first, openFirst, ok1 := end(low, 0)
	last, openLast, ok2 := end(high, lastID.seq)
	if !ok1 || !ok2 {
		return first, last, errStreamID
	}
	if openFirst {
		if first, ok1 = first.next(); !ok1 {
			return first, last, "ERR invalid start ID for the interval"
		}
	}
	if openLast {
		if last, ok2 = last.previous(); !ok2 {
			return first, last, "ERR invalid end ID for the interval"
		}
	}
	return first, last, ""
}

func (e *Redis) xrange(p *server.Peer, args []string, reverse bool) bool {
	low, high := args[1], args[2]
	if reverse {
		low, high = high, low
	}
	first, last, problem := parseInterval(low, high)
	count := int64(-1)
	for rest := args[3:]; problem == "" && len(rest) > 0; rest = rest[2:] {
		if len(rest) < 2 || !strings.EqualFold(rest[0], "COUNT") {
			problem = errSyntax
			break
		}
		var ok bool
		if count, ok = resp.Integer(rest[1]); !ok {
			problem = errInteger
		}
		count = max(count, 0)
	}
	if problem != "" {
		return e.refuse(p, problem)
	}
	s, problem := e.stream(args[0])
	switch {
	case problem != "":
		return e.refuse(p, problem)
	case s == nil:
		return e.answer(p, []any{})
	case count == 0:
		return e.answer(p, nilList{})
	}
	entries := slices.Clone(s.between(first, last))
	if reverse {
		slices.Reverse(entries)
	}
	return e.answer(p, shownAll(atMost(entries, count)))
}

// atMost returns the first count items; a count below 1 means no limit.
func atMost[T any](list []T, count int64) []T {
	if count > 0 && int64(len(list)) > count {
		return list[:count]
	}
	return list
}

// reading is a parsed XREAD.
type reading struct {
	count     int64
	keys, ids []string
}

func parseReading(args []string) (r reading, problem string) {
	for ; len(args) > 0; args = args[1:] {
		option := strings.ToUpper(args[0])
		switch {
		case option == "COUNT" && len(args) > 1, option == "BLOCK" && len(args) > 1:
			n, ok := resp.Integer(args[1])
			if !ok && option == "BLOCK" {
				return r, "ERR timeout is not an integer or out of range"
			}
			if !ok {
				return r, errInteger
			}
			if option == "COUNT" {
				r.count = n
			}
			args = args[1:]
		case option == "GROUP" && len(args) > 2:
			return r, "ERR The GROUP option is only supported by XREADGROUP. You called XREAD instead."
		case option == "NOACK":
			return r, "ERR The NOACK option is only supported by XREADGROUP. You called XREAD instead."
		case option == "STREAMS" && len(args) > 1:
			streams := args[1:]
			if len(streams)%2 != 0 {
				return r, "ERR Unbalanced 'xread' list of streams: for each stream key an ID or '$' must be specified."
			}
			r.keys, r.ids = streams[:len(streams)/2], streams[len(streams)/2:]
			return r, ""
		default:
			return r, errSyntax
		}
	}
	return r, errSyntax
}

func (e *Redis) xread(p *server.Peer, args []string) bool {
	r, problem := parseReading(args)
	if problem != "" {
		return e.refuse(p, problem)
	}
	streams := make([]*stream, len(r.keys))
	after := make([]streamID, len(r.keys))
	for i, key := range r.keys {
		if streams[i], problem = e.stream(key); problem == "" {
			after[i], problem = startOf(streams[i], r.ids[i])
		}
		if problem != "" {
			return e.refuse(p, problem)
		}
	}
	replies := []any{}
	for i, s := range streams {
		from, ok := after[i].next()
		if s == nil || !ok {
			continue
		}
		if entries := atMost(s.between(from, lastID), r.count); len(entries) > 0 {
			replies = append(replies, []any{r.keys[i], shownAll(entries)})
		}
	}
	if len(replies) == 0 {
		return e.answer(p, nilList{})
	}
	return e.answer(p, replies)
}

// startOf is the ID after which an XREAD reads; $ is the last ID of the stream.
func startOf(s *stream, text string) (after streamID, problem string) {
	switch {
	case text == ">":
		return after, "ERR The > ID can be specified only when calling XREADGROUP using the GROUP <group> <consumer> option."
	case text == "$" && s == nil:
		return after, ""
	case text == "$":
		return s.last, ""
	}
	after, ok := parseStreamID(text, 0)
	if !ok {
		return after, errStreamID
	}
	return after, ""
}

// xinfo answers XINFO STREAM. The engine has no consumer groups, so no stream has any.
func (e *Redis) xinfo(p *server.Peer, args []string) bool {
	sub := strings.ToUpper(args[0])
	switch {
	case sub == "GROUPS", sub == "CONSUMERS", sub == "STREAM" && len(args) > 2:
		return e.refuse(p, unknownCommand("XINFO", args))
	case sub != "STREAM":
		return e.refuse(p, "ERR unknown subcommand '"+args[0]+"'. Try XINFO HELP.")
	case len(args) != 2:
		return e.refuse(p, wrongNumber("xinfo|"+sub))
	}
	s, problem := e.stream(args[1])
	switch {
	case problem != "":
		return e.refuse(p, problem)
	case s == nil:
		return e.refuse(p, errNoKey)
	}
	return e.answer(p, s.info())
}

func (s *stream) info() []any {
	var first, last any = nilList{}, nilList{}
	recorded := firstID
	if n := len(s.entries); n > 0 {
		first, last, recorded = shown(s.entries[0]), shown(s.entries[n-1]), s.entries[0].id
	}
	nodes := (len(s.entries) + nodeEntries - 1) / nodeEntries
	return []any{"length", len(s.entries), "radix-tree-keys", nodes, "radix-tree-nodes", nodes + 1,
		"last-generated-id", s.last.String(), "max-deleted-entry-id", s.maxDeleted.String(),
		"entries-added", s.added, "recorded-first-entry-id", recorded.String(), "groups", 0,
		"first-entry", first, "last-entry", last}
}
