package engine

import (
	"strings"

	"github.com/alicebob/miniredis/v2/server"
)

var streamInfoCommands = map[string]native{"XINFO": {-2, (*Redis).xinfo}}

func (e *Redis) xinfo(p *server.Peer, args []string) bool {
	sub := strings.ToUpper(args[0])
	words := map[string]int{"STREAM": 2, "GROUPS": 2, "CONSUMERS": 3}[sub]
	switch {
	case words == 0:
		return e.refuse(p, "ERR unknown subcommand '"+args[0]+"'. Try XINFO HELP.")
	case sub == "STREAM" && len(args) > 2:
		return e.refuse(p, "ERR XINFO STREAM FULL is not available here; ask for XINFO STREAM, GROUPS and CONSUMERS")
	case len(args) != words:
		return e.refuse(p, wrongNumber("xinfo|"+sub))
	}
	s, problem := e.stream(args[1])
	switch {
	case problem != "":
		return e.refuse(p, problem)
	case s == nil:
		return e.refuse(p, errNoKey)
	case sub == "STREAM":
		return e.answer(p, s.info())
	case sub == "GROUPS":
		list := []any{}
		for _, name := range sortedKeys(s.groups) {
			g := s.groups[name]
			list = append(list, []any{"name", name, "consumers", len(g.consumers), "pending", len(g.pending),
				"last-delivered-id", g.last.String(), "entries-read", known(g.read), "lag", known(s.lag(g))})
		}
		return e.answer(p, list)
	}
	g := s.groups[args[2]]
	if g == nil {
		return e.refuse(p, "NOGROUP No such consumer group '"+args[2]+"' for key name '"+args[1]+"'")
	}
	return e.answer(p, g.consumerList(e.now()))
}

// known turns -1, which stands for unknown, into nil.
func known(n int64) any {
	if n < 0 {
		return nil
	}
	return n
}

// lag is how many entries a group has yet to read, or -1 if that is unknown.
func (s *stream) lag(g *group) int64 {
	switch {
	case s.added == 0:
		return 0
	case g.read >= 0 && !s.hasGaps(g.last):
		return s.added - g.read
	}
	read := s.distance(g.last)
	if read < 0 {
		return -1
	}
	return s.added - read
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
		"entries-added", s.added, "recorded-first-entry-id", recorded.String(), "groups", len(s.groups),
		"first-entry", first, "last-entry", last}
}

func (g *group) consumerList(now int64) []any {
	list := []any{}
	for _, name := range sortedKeys(g.consumers) {
		c := g.consumers[name]
		waiting, inactive := 0, int64(-1)
		for _, p := range g.pending {
			waiting += boolInt(p.owner == name)
		}
		if c.active >= 0 {
			inactive = now - c.active
		}
		list = append(list, []any{"name", name, "pending", waiting, "idle", now - c.seen, "inactive", inactive})
	}
	return list
}
