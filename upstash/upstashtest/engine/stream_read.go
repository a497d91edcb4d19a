package engine

import (
	"slices"
	"strings"

	"github.com/alicebob/miniredis/v2/server"
	"github.com/framedle/leaderboards/upstash/upstashtest/internal/resp"
)

var streamReadCommands = map[string]native{
	"XLEN":       {2, (*Redis).xlen},
	"XRANGE":     {-4, func(e *Redis, p *server.Peer, args []string) bool { return e.xrange(p, args, false) }},
	"XREVRANGE":  {-4, func(e *Redis, p *server.Peer, args []string) bool { return e.xrange(p, args, true) }},
	"XREAD":      {-4, func(e *Redis, p *server.Peer, args []string) bool { return e.xread(p, "XREAD", args) }},
	"XREADGROUP": {-7, func(e *Redis, p *server.Peer, args []string) bool { return e.xread(p, "XREADGROUP", args) }},
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

// reading is a parsed XREAD or XREADGROUP.
type reading struct {
	group, consumer string
	byGroup, noAck  bool
	count           int64
	keys, ids       []string
}

func parseReading(name string, args []string) (r reading, problem string) {
	forGroup := name == "XREADGROUP"
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
			if !forGroup {
				return r, "ERR The GROUP option is only supported by XREADGROUP. You called XREAD instead."
			}
			r.group, r.consumer, r.byGroup = args[1], args[2], true
			args = args[2:]
		case option == "NOACK":
			if !forGroup {
				return r, "ERR The NOACK option is only supported by XREADGROUP. You called XREAD instead."
			}
			r.noAck = true
		case option == "STREAMS" && len(args) > 1:
			streams := args[1:]
			if len(streams)%2 != 0 {
				return r, "ERR Unbalanced '" + strings.ToLower(name) + "' list of streams: for each stream key an ID or '" + map[bool]string{false: "$", true: ">"}[forGroup] + "' must be specified."
			}
			r.keys, r.ids = streams[:len(streams)/2], streams[len(streams)/2:]
			if forGroup && !r.byGroup {
				return r, "ERR Missing GROUP option for XREADGROUP"
			}
			return r, ""
		default:
			return r, errSyntax
		}
	}
	return r, errSyntax
}

func (e *Redis) xread(p *server.Peer, name string, args []string) bool {
	r, problem := parseReading(name, args)
	if problem != "" {
		return e.refuse(p, problem)
	}
	streams := make([]*stream, len(r.keys))
	after := make([]streamID, len(r.keys))
	for i, key := range r.keys {
		if streams[i], problem = e.stream(key); problem == "" {
			after[i], problem = r.start(streams[i], key, r.ids[i])
		}
		if problem != "" {
			return e.refuse(p, problem)
		}
	}
	replies := []any{}
	for i, s := range streams {
		if s == nil {
			continue
		}
		if entries, ok := r.read(s, after[i], r.ids[i] == ">", e); ok {
			replies = append(replies, []any{r.keys[i], entries})
		}
	}
	if len(replies) == 0 {
		return e.answer(p, nilList{})
	}
	return e.answer(p, replies)
}

// start is the ID after which the reader wants to read.
func (r reading) start(s *stream, key, text string) (after streamID, problem string) {
	if r.byGroup && (s == nil || s.groups[r.group] == nil) {
		return after, "NOGROUP No such key '" + key + "' or consumer group '" + r.group + "' in XREADGROUP with GROUP option"
	}
	switch {
	case text == "$" && r.byGroup:
		return after, "ERR The $ ID is meaningless in the context of XREADGROUP: you want to read the history of this consumer by specifying a proper ID, or use the > ID to get new messages. The $ ID would just return an empty result set."
	case text == ">" && !r.byGroup:
		return after, "ERR The > ID can be specified only when calling XREADGROUP using the GROUP <group> <consumer> option."
	case text == ">":
		return s.groups[r.group].last, ""
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

// read returns the entries of one stream for the reader; ok is false if there are
// none.
func (r reading) read(s *stream, after streamID, onlyNew bool, e *Redis) (entries []any, ok bool) {
	now := e.now()
	from, more := after.next()
	if !r.byGroup || onlyNew {
		var found []streamEntry
		if more {
			found = atMost(s.between(from, lastID), r.count)
		}
		if r.byGroup {
			g := s.groups[r.group]
			_, known := g.consumers[r.consumer]
			s.hand(found, g, r.consumer, r.noAck, now)
			if r.noAck && !known && !e.strict {
				delete(g.consumers, r.consumer) // Upstash creates no consumer for a read like this
			}
		}
		return shownAll(found), len(found) > 0
	}
	g := s.groups[r.group]
	g.consumer(r.consumer, now)
	entries = []any{}
	for _, p := range g.pending {
		if p.owner != r.consumer || p.id.compare(after) <= 0 {
			continue
		}
		if r.count > 0 && int64(len(entries)) == r.count {
			break
		}
		entry, ok := s.get(p.id)
		if !ok {
			entries = append(entries, []any{p.id.String(), nilList{}})
			continue
		}
		p.delivered, p.count = now, p.count+1
		entries = append(entries, shown(entry))
	}
	return entries, true
}

// hand delivers new entries to a consumer.
func (s *stream) hand(entries []streamEntry, g *group, name string, noAck bool, now int64) {
	c := g.consumer(name, now)
	for _, entry := range entries {
		c.active = now
		if g.read >= 0 && !s.hasGaps(entry.id) {
			g.read++
		} else if s.added > 0 {
			g.read = s.distance(entry.id)
		}
		g.last = entry.id
		if !noAck {
			g.deliver(entry.id, name, now).count = 1
		}
	}
}

// hasGaps reports whether entries at or after from may have been deleted.
func (s *stream) hasGaps(from streamID) bool {
	return len(s.entries) > 0 && s.maxDeleted != firstID && from.compare(s.maxDeleted) <= 0
}

// distance is how many entries were ever added up to id, or -1 if that is unknown.
func (s *stream) distance(id streamID) int64 {
	switch {
	case s.added == 0:
		return 0
	case len(s.entries) == 0 && id.compare(s.last) <= 0, id == s.last:
		return s.added
	case s.last.less(id):
		return -1
	}
	first := s.entries[0].id
	if s.maxDeleted == firstID || s.maxDeleted.less(first) {
		switch before := s.added - int64(len(s.entries)); id.compare(first) {
		case -1:
			return before
		case 0:
			return before + 1
		}
	}
	return -1
}
