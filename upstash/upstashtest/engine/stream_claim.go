package engine

import (
	"math"
	"slices"
	"strings"

	"github.com/alicebob/miniredis/v2/server"
	"github.com/framedle/leaderboards/upstash/upstashtest/internal/resp"
)

var streamClaimCommands = map[string]native{
	"XCLAIM":     {-6, (*Redis).xclaim},
	"XAUTOCLAIM": {-6, (*Redis).xautoClaim},
}

// claim is a parsed XCLAIM.
type claim struct {
	idle          int64 // least idle time, in ms
	ids           []streamID
	delivered     int64
	retries       int64 // new delivery count; -1 adds one to the old
	force, justID bool
	last          streamID
}

func parseClaim(args []string, now int64) (c claim, problem string) {
	var ok bool
	if c.idle, ok = resp.Integer(args[0]); !ok {
		return c, "ERR Invalid min-idle-time argument for XCLAIM"
	}
	c.delivered, c.retries = now, -1
	rest := args[1:]
	for len(rest) > 0 {
		id, ok := parseStreamID(rest[0], 0)
		if !ok {
			break
		}
		c.ids, rest = append(c.ids, id), rest[1:]
	}
	for ; len(rest) > 0; rest = rest[1:] {
		option := strings.ToUpper(rest[0])
		switch {
		case option == "FORCE":
			c.force = true
			continue
		case option == "JUSTID":
			c.justID = true
			continue
		case len(rest) < 2 || !slices.Contains([]string{"IDLE", "TIME", "RETRYCOUNT", "LASTID"}, option):
			return c, "ERR Unrecognized XCLAIM option '" + rest[0] + "'"
		case option == "LASTID":
			if c.last, ok = parseStreamID(rest[1], 0); !ok {
				return c, errStreamID
			}
		default:
			n, ok := resp.Integer(rest[1])
			if !ok {
				return c, "ERR Invalid " + option + " option argument for XCLAIM"
			}
			switch option {
			case "IDLE":
				c.delivered = now - n
			case "TIME":
				c.delivered = n
			case "RETRYCOUNT":
				c.retries = n
			}
		}
		rest = rest[1:]
	}
	if c.delivered < 0 || c.delivered > now {
		c.delivered = now
	}
	return c, ""
}

func (e *Redis) xclaim(p *server.Peer, args []string) bool {
	s, g, problem := e.groupAt(args[0], args[1])
	var c claim
	if problem == "" {
		c, problem = parseClaim(args[3:], e.now())
	}
	if problem != "" {
		return e.refuse(p, problem)
	}
	if g.last.less(c.last) {
		g.last = c.last
	}
	by := g.consumer(args[2], e.now())
	claimed := []any{}
	for _, id := range c.ids {
		entry, exists := s.get(id)
		at, waiting := g.find(id)
		switch {
		case !exists:
			g.acknowledge(id)
			continue
		case !waiting && !c.force, waiting && e.now()-g.pending[at].delivered < c.idle:
			continue
		}
		by.active = e.now()
		claimed = append(claimed, g.take(entry, args[2], c))
	}
	return e.answer(p, claimed)
}

// take gives an entry to another consumer and returns its part of the reply.
func (g *group) take(entry streamEntry, owner string, c claim) any {
	p := g.deliver(entry.id, owner, c.delivered)
	switch {
	case c.retries >= 0:
		p.count = c.retries
	case !c.justID:
		p.count++
	}
	if c.justID {
		return entry.id.String()
	}
	return shown(entry)
}

func (e *Redis) xautoClaim(p *server.Peer, args []string) bool {
	c := claim{delivered: e.now(), retries: -1}
	idle, ok := resp.Integer(args[3])
	if !ok {
		return e.refuse(p, "ERR Invalid min-idle-time argument for XAUTOCLAIM")
	}
	first, _, problem := parseInterval(args[4], "+")
	if problem != "" {
		return e.refuse(p, problem)
	}
	count := int64(100)
	for rest := args[5:]; len(rest) > 0; rest = rest[1:] {
		switch {
		case strings.EqualFold(rest[0], "JUSTID"):
			c.justID = true
		case strings.EqualFold(rest[0], "COUNT") && len(rest) > 1:
			if count, ok = resp.Integer(rest[1]); !ok || count < 1 || count > math.MaxInt64/16 {
				return e.refuse(p, "ERR COUNT must be > 0")
			}
			rest = rest[1:]
		default:
			return e.refuse(p, errSyntax)
		}
	}
	s, g, problem := e.groupAt(args[0], args[1])
	if problem != "" {
		return e.refuse(p, problem)
	}
	by := g.consumer(args[2], e.now())
	at, _ := g.find(first)
	claimed, deleted := []any{}, []any{}
	for tries := 10 * count; tries > 0 && count > 0 && at < len(g.pending); tries-- {
		waiting := g.pending[at]
		entry, exists := s.get(waiting.id)
		switch {
		case !exists:
			deleted = append(deleted, waiting.id.String())
			g.acknowledge(waiting.id)
			count--
			continue
		case e.now()-waiting.delivered >= idle:
			by.active = e.now()
			claimed = append(claimed, g.take(entry, args[2], c))
			count--
		}
		at++
	}
	next := firstID
	if at < len(g.pending) {
		next = g.pending[at].id
	}
	return e.answer(p, []any{next.String(), claimed, deleted})
}
