package engine

import (
	"strings"

	"github.com/alicebob/miniredis/v2/server"
	"github.com/framedle/leaderboards/upstash/upstashtest/internal/resp"
)

// streamRefCommands delete entries together with the references that groups hold to them.
var streamRefCommands = map[string]native{
	"XDELEX":  {-5, (*Redis).xdelEx},
	"XACKDEL": {-6, (*Redis).xackDel},
}

// parseIDs reads [KEEPREF|DELREF|ACKED] IDS numids id ….
func parseIDs(args []string) (mode string, ids []streamID, problem string) {
	mode = "KEEPREF"
	for len(args) > 0 && !strings.EqualFold(args[0], "IDS") {
		mode = strings.ToUpper(args[0])
		if mode != "KEEPREF" && mode != "DELREF" && mode != "ACKED" {
			return "", nil, errSyntax
		}
		args = args[1:]
	}
	if len(args) < 3 {
		return "", nil, errSyntax
	}
	n, ok := resp.Integer(args[1])
	switch {
	case !ok || n < 1:
		return "", nil, "ERR Number of IDs must be a positive integer"
	case n != int64(len(args)-2):
		return "", nil, "ERR The `numids` parameter must match the number of arguments"
	}
	ids, problem = streamIDs(args[2:])
	return mode, ids, problem
}

// XDELEX and XACKDEL answer one of these for each ID.
const (
	idMissing    = -1
	idDeleted    = 1
	idReferenced = 2 // kept, since a group has not acknowledged it yet
)

// remove deletes an entry. With DELREF it also deletes the groups' references to the
// entry; with ACKED it keeps the entry if a group still refers to it.
func (s *stream) remove(id streamID, mode string) int {
	if mode == "ACKED" {
		for _, g := range s.groups {
			if _, ok := g.find(id); ok || g.last.less(id) {
				return idReferenced
			}
		}
	}
	if !s.delete(id) {
		return idMissing
	}
	if mode == "DELREF" {
		for _, g := range s.groups {
			g.acknowledge(id)
		}
	}
	return idDeleted
}

func (e *Redis) xdelEx(p *server.Peer, args []string) bool {
	mode, ids, problem := parseIDs(args[1:])
	if problem != "" {
		return e.refuse(p, problem)
	}
	s, problem := e.stream(args[0])
	if problem != "" {
		return e.refuse(p, problem)
	}
	told := make([]any, len(ids))
	for i, id := range ids {
		told[i] = idMissing
		if s == nil {
			continue
		}
		if _, ok := s.get(id); ok {
			told[i] = s.remove(id, mode)
		}
	}
	return e.answer(p, told)
}

func (e *Redis) xackDel(p *server.Peer, args []string) bool {
	mode, ids, problem := parseIDs(args[2:])
	if problem != "" {
		return e.refuse(p, problem)
	}
	s, problem := e.stream(args[0])
	if problem != "" {
		return e.refuse(p, problem)
	}
	told := make([]any, len(ids))
	for i, id := range ids {
		told[i] = idMissing
		if s == nil || s.groups[args[1]] == nil || !e.letsGo(s, s.groups[args[1]], id) {
			continue
		}
		if told[i] = idDeleted; s.remove(id, mode) == idReferenced {
			told[i] = idReferenced
		}
	}
	return e.answer(p, told)
}

// letsGo acknowledges an entry for XACKDEL, and reports whether XACKDEL may delete it. In
// Redis the entry must still be pending; Upstash also deletes one that was acknowledged
// before.
func (e *Redis) letsGo(s *stream, g *group, id streamID) bool {
	if g.acknowledge(id) {
		return true
	}
	_, there := s.get(id)
	return there && !e.strict && !g.last.less(id)
}
