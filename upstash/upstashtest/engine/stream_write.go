package engine

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/alicebob/miniredis/v2/server"
	"github.com/framedle/leaderboards/upstash/upstashtest/internal/resp"
)

var streamWriteCommands = map[string]native{
	"XADD":  {-5, (*Redis).xadd},
	"XDEL":  {-3, (*Redis).xdel},
	"XTRIM": {-4, (*Redis).xtrim},
}

// nodeEntries is how many entries Redis stores in one node at most; trimming with ~
// removes only whole nodes.
const nodeEntries = 100

// trim is the limit to which XADD and XTRIM cut a stream.
type trim struct {
	strategy string // MAXLEN, MINID or ""
	about    bool
	most     int64 // entries to keep
	least    streamID
	limit    int64 // entries to remove at most, 0 for no limit
}

// addOptions are the options of XADD before the ID.
type addOptions struct {
	trim
	noMake, limited bool
}

// parseAdd reads the options of XADD up to the ID, or all options of XTRIM.
func parseAdd(args []string, add bool) (o addOptions, rest []string, problem string) {
	for len(args) > 0 {
		option := strings.ToUpper(args[0])
		switch {
		case add && args[0] == "*":
			return o, args, o.problem()
		case (option == "MAXLEN" || option == "MINID") && len(args) > 1:
			if o.strategy != "" && o.strategy != option {
				return o, nil, "ERR syntax error, MAXLEN and MINID options at the same time are not compatible"
			}
			if args, problem = o.parseTrim(option, args[1:]); problem != "" {
				return o, nil, problem
			}
			continue
		case option == "LIMIT" && len(args) > 1:
			var ok bool
			if o.limit, ok = resp.Integer(args[1]); !ok {
				return o, nil, errInteger
			}
			if o.limit < 0 {
				return o, nil, "ERR The LIMIT argument must be >= 0."
			}
			o.limited = true
			args = args[2:]
			continue
		case add && option == "NOMKSTREAM":
			o.noMake = true
		case add:
			return o, args, o.problem()
		default:
			return o, nil, errSyntax
		}
		args = args[1:]
	}
	return o, args, o.problem()
}

func (o *addOptions) problem() string {
	switch {
	case o.limited && o.strategy == "":
		return "ERR syntax error, LIMIT cannot be used without specifying a trimming strategy"
	case o.limited && !o.about:
		return "ERR syntax error, LIMIT cannot be used without the special ~ option"
	}
	if o.about && !o.limited {
		o.limit = 100 * nodeEntries
	}
	return ""
}

// parseTrim reads [=|~] threshold.
func (o *addOptions) parseTrim(strategy string, args []string) (rest []string, problem string) {
	o.strategy, o.about = strategy, false
	if len(args) > 1 && (args[0] == "~" || args[0] == "=") {
		o.about, args = args[0] == "~", args[1:]
	}
	var ok bool
	if strategy == "MINID" {
		if o.least, ok = parseStreamID(args[0], 0); !ok {
			return nil, errStreamID
		}
		return args[1:], ""
	}
	if o.most, ok = resp.Integer(args[0]); !ok {
		return nil, errInteger
	}
	if o.most < 0 {
		return nil, "ERR The MAXLEN argument must be >= 0."
	}
	return args[1:], ""
}

// trim removes the oldest entries and returns how many.
func (s *stream) trim(t trim) int {
	excess := 0
	switch t.strategy {
	case "MAXLEN":
		excess = max(0, len(s.entries)-int(min(t.most, math.MaxInt32)))
	case "MINID":
		excess, _ = s.find(t.least)
	}
	if t.about {
		excess = s.wholeNodes(excess, t.limit)
	}
	s.entries = slices.Delete(s.entries, 0, excess)
	return excess
}

// wholeNodes is how many of the first n entries can be removed in whole nodes, at most
// limit; a limit of 0 is none.
func (s *stream) wholeNodes(n int, limit int64) (whole int) {
	for at := 1; at <= n; at++ {
		if limit > 0 && int64(at) > limit {
			break
		}
		if at == len(s.entries) || s.entries[at].node != s.entries[at-1].node {
			whole = at
		}
	}
	return whole
}

func (e *Redis) xadd(p *server.Peer, args []string) bool {
	o, rest, problem := parseAdd(args[1:], true)
	if problem != "" {
		return e.refuse(p, problem)
	}
	if len(rest) == 0 {
		return e.refuse(p, wrongNumber("XADD"))
	}
	wanted := rest[0]
	base, auto := strings.CutSuffix(wanted, "-*")
	id, ok := parseStreamID(base, 0)
	if wanted != "*" && (!ok || auto && strings.Contains(base, "-")) {
		return e.refuse(p, errStreamID)
	}
	fields := rest[1:]
	if len(fields) == 0 || len(fields)%2 != 0 {
		return e.refuse(p, wrongNumber("XADD"))
	}
	if wanted != "*" && !auto && id == firstID {
		return e.refuse(p, "ERR The ID specified in XADD must be greater than 0-0")
	}
	s, problem := e.stream(args[0])
	switch {
	case problem != "":
		return e.refuse(p, problem)
	case s == nil && o.noMake:
		return e.answer(p, nil)
	}
	added := s
	if s == nil {
		added = &stream{}
	}
	if wanted == "*" {
		// The ID uses the real clock. e.now may stand still when there are many keys, and
		// a stream that was flushed must not reuse the IDs that it had.
		id = streamID{max(uint64(time.Now().UnixMilli()), added.last.ms), 0}
	}
	if (auto || wanted == "*") && id.ms == added.last.ms {
		id, ok = added.last.next()
		ok = ok && (wanted == "*" || id.ms == added.last.ms)
	} else {
		ok = added.last.less(id)
	}
	if !ok {
		return e.refuse(p, "ERR The ID specified in XADD is equal or smaller than the target stream top item")
	}
	if s == nil {
		e.newStream(args[0], added)
	}
	added.add(id, fields)
	added.trim(o.trim)
	return e.answer(p, id.String())
}

// streamIDs reads a list of IDs; - and + are none.
func streamIDs(texts []string) (ids []streamID, problem string) {
	for _, text := range texts {
		id, ok := parseStreamID(text, 0)
		if !ok {
			return nil, errStreamID
		}
		ids = append(ids, id)
	}
	return ids, ""
}

func (e *Redis) xdel(p *server.Peer, args []string) bool {
	s, problem := e.stream(args[0])
	if problem != "" {
		return e.refuse(p, problem)
	}
	if s == nil {
		return e.answer(p, 0)
	}
	ids, problem := streamIDs(args[1:])
	if problem != "" {
		return e.refuse(p, problem)
	}
	n := 0
	for _, id := range ids {
		n += boolInt(s.delete(id))
	}
	return e.answer(p, n)
}

func (e *Redis) xtrim(p *server.Peer, args []string) bool {
	o, _, problem := parseAdd(args[1:], false)
	if problem == "" && o.strategy == "" {
		problem = errSyntax
	}
	if problem != "" {
		return e.refuse(p, problem)
	}
	s, problem := e.stream(args[0])
	switch {
	case problem != "":
		return e.refuse(p, problem)
	case s == nil:
		return e.answer(p, 0)
	}
	return e.answer(p, s.trim(o.trim))
}
