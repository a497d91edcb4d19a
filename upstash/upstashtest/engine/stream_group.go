package engine

import (
	"slices"
	"strconv"
	"strings"

	"github.com/alicebob/miniredis/v2/server"
	"github.com/framedle/leaderboards/upstash/upstashtest/internal/resp"
)

var streamGroupCommands = map[string]native{
	"XGROUP":   {-2, (*Redis).xgroup},
	"XACK":     {-4, (*Redis).xack},
	"XPENDING": {-3, (*Redis).xpending},
}

// xgroupArity is the arity, as native counts it, of XGROUP with each subcommand.
var xgroupArity = map[string]int{"CREATE": -5, "SETID": -5, "DESTROY": 4, "CREATECONSUMER": 5, "DELCONSUMER": 5}

const errGroupKey = "ERR The XGROUP subcommand requires the key to exist. Note that for CREATE you may want to use the MKSTREAM option to create an empty stream automatically."

func (e *Redis) xgroup(p *server.Peer, args []string) bool {
	sub := strings.ToUpper(args[0])
	arity, words := xgroupArity[sub], len(args)+1
	switch {
	case arity == 0:
		return e.refuse(p, "ERR unknown subcommand '"+args[0]+"'. Try XGROUP HELP.")
	case arity > 0 && words != arity, words < -arity:
		return e.refuse(p, wrongNumber("xgroup|"+sub))
	}
	key, name := args[1], args[2]
	makeStream, read, problem := parseGroupOptions(sub, args)
	if problem != "" {
		return e.refuse(p, problem)
	}
	s, problem := e.stream(key)
	switch {
	case problem != "":
		return e.refuse(p, problem)
	case s == nil && !makeStream:
		return e.refuse(p, errGroupKey)
	}
	if sub == "CREATE" {
		return e.createGroup(p, s, key, name, args[3], read)
	}
	g := s.groups[name]
	if g == nil && sub == "DESTROY" {
		return e.answer(p, 0)
	}
	if g == nil {
		return e.refuse(p, "NOGROUP No such consumer group '"+name+"' for key name '"+key+"'")
	}
	switch sub {
	case "SETID":
		last, problem := s.groupStart(args[3])
		if problem != "" {
			return e.refuse(p, problem)
		}
		g.last, g.read = last, read
		return e.answer(p, status("OK"))
	case "DESTROY":
		delete(s.groups, name)
		return e.answer(p, 1)
	case "CREATECONSUMER":
		if g.consumers[args[3]] != nil {
			return e.answer(p, 0)
		}
		g.consumer(args[3], e.now())
		return e.answer(p, 1)
	}
	before := len(g.pending)
	g.pending = slices.DeleteFunc(g.pending, func(p *pending) bool { return p.owner == args[3] })
	delete(g.consumers, args[3])
	return e.answer(p, before-len(g.pending))
}

func parseGroupOptions(sub string, args []string) (makeStream bool, read int64, problem string) {
	read = -1
	if sub != "CREATE" && sub != "SETID" {
		return false, read, ""
	}
	for rest := args[4:]; len(rest) > 0; rest = rest[1:] {
		switch {
		case strings.EqualFold(rest[0], "MKSTREAM") && sub == "CREATE":
			makeStream = true
		case strings.EqualFold(rest[0], "ENTRIESREAD") && len(rest) > 1:
			var ok bool
			if read, ok = resp.Integer(rest[1]); !ok {
				return false, 0, errInteger
			}
			if read < -1 {
				return false, 0, "ERR value for ENTRIESREAD must be positive or -1"
			}
			rest = rest[1:]
		default:
			return false, 0, "ERR unknown subcommand or wrong number of arguments for '" + args[0] + "'. Try XGROUP HELP."
		}
	}
	return makeStream, read, ""
}

// groupStart reads the ID after which a group starts; $ is the last ID of the stream.
func (s *stream) groupStart(text string) (id streamID, problem string) {
	if text == "$" {
		if s != nil {
			id = s.last
		}
		return id, ""
	}
	id, ok := parseStreamID(text, 0)
	if !ok {
		return id, errStreamID
	}
	return id, ""
}

func (e *Redis) createGroup(p *server.Peer, s *stream, key, name, start string, read int64) bool {
	last, problem := s.groupStart(start)
	if problem != "" {
		return e.refuse(p, problem)
	}
	if s == nil {
		s = e.newStream(key, newStream())
	}
	if s.groups[name] != nil {
		return e.refuse(p, "BUSYGROUP Consumer Group name already exists")
	}
	s.groups[name] = &group{last: last, read: read, consumers: map[string]*consumer{}}
	return e.answer(p, status("OK"))
}

// groupAt finds a group; problem is the error if it does not exist.
func (e *Redis) groupAt(key, name string) (s *stream, g *group, problem string) {
	s, problem = e.stream(key)
	if problem != "" {
		return nil, nil, problem
	}
	if s == nil || s.groups[name] == nil {
		return nil, nil, "NOGROUP No such key '" + key + "' or consumer group '" + name + "'"
	}
	return s, s.groups[name], ""
}

func (e *Redis) xack(p *server.Peer, args []string) bool {
	s, problem := e.stream(args[0])
	if problem != "" {
		return e.refuse(p, problem)
	}
	if s == nil || s.groups[args[1]] == nil {
		return e.answer(p, 0)
	}
	ids, problem := streamIDs(args[2:])
	if problem != "" {
		return e.refuse(p, problem)
	}
	n := 0
	for _, id := range ids {
		n += boolInt(s.groups[args[1]].acknowledge(id))
	}
	return e.answer(p, n)
}

func (e *Redis) xpending(p *server.Peer, args []string) bool {
	idle, rest := int64(0), args[2:]
	if len(rest) > 0 && strings.EqualFold(rest[0], "IDLE") && len(rest) > 1 {
		var ok bool
		if idle, ok = resp.Integer(rest[1]); !ok {
			return e.refuse(p, errInteger)
		}
		rest = rest[2:]
	}
	if len(args) > 2 && (len(rest) < 3 || len(rest) > 4) {
		return e.refuse(p, errSyntax)
	}
	var first, last streamID
	count := int64(0)
	if len(rest) > 0 {
		var ok bool
		if count, ok = resp.Integer(rest[2]); !ok {
			return e.refuse(p, errInteger)
		}
		var problem string
		if first, last, problem = parseInterval(rest[0], rest[1]); problem != "" {
			return e.refuse(p, problem)
		}
	}
	_, g, problem := e.groupAt(args[0], args[1])
	if problem != "" {
		return e.refuse(p, problem)
	}
	if len(rest) == 0 {
		return e.answer(p, g.summary())
	}
	list := []any{}
	for _, entry := range g.pending {
		waited := e.now() - entry.delivered
		if int64(len(list)) >= count || waited < idle || entry.id.less(first) || last.less(entry.id) || len(rest) == 4 && entry.owner != rest[3] {
			continue
		}
		list = append(list, []any{entry.id.String(), entry.owner, waited, entry.count})
	}
	return e.answer(p, list)
}

// summary is the reply to XPENDING without a range.
func (g *group) summary() []any {
	if len(g.pending) == 0 {
		return []any{0, nil, nil, nilList{}}
	}
	counts := map[string]int64{}
	for _, entry := range g.pending {
		counts[entry.owner]++
	}
	owners := []any{}
	for _, name := range sortedKeys(counts) {
		owners = append(owners, []any{name, strconv.FormatInt(counts[name], 10)})
	}
	return []any{len(g.pending), g.pending[0].id.String(), g.pending[len(g.pending)-1].id.String(), owners}
}
