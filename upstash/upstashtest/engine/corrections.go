package engine

import (
	"fmt"
	"strings"

	"github.com/alicebob/miniredis/v2/server"
)

// correct answers in place of miniredis 2.40 where it differs from Redis in a detail, and
// reports whether it did. Commands that are replaced as a whole are in the table natives.
// Three differences remain: a NaN that comes out of infinite scores in a union, minus
// zero, and the choice between two errors in one command.
func (e *Redis) correct(p *server.Peer, name string, args []string) bool {
	switch name {
	case "ZADD":
		return e.zadd(p, args)
	case "ZINCRBY":
		return e.zincrby(p, args)
	case "ZCOUNT", "ZRANGEBYSCORE", "ZREVRANGEBYSCORE", "ZREMRANGEBYSCORE":
		return len(args) >= 3 && e.refuseBounds(p, args[1:3])
	case "ZRANK", "ZREVRANK":
		return len(args) > 3 && e.refuse(p, "ERR wrong number of arguments for '"+strings.ToLower(name)+"' command")
	case "ZUNIONSTORE", "ZINTERSTORE":
		return e.zstore(p, name, args)
	case "CLIENT":
		if len(args) > 0 && strings.EqualFold(args[0], "SETINFO") {
			p.WriteOK()
			return true
		}
	case "INFO":
		return len(args) == 1 && e.info(p, args[0])
	}
	if !e.Knows(name) {
		return e.refuse(p, unknownCommand(name, args))
	}
	return false
}

// lacking are the commands that miniredis has and this engine has not: no line of the
// product calls them, so nothing holds their answers against a real Redis.
var lacking = wordSet(`BITCOUNT BITOP BITPOS GETBIT SETBIT GEOADD GEODIST GEOPOS GEORADIUS
	GEORADIUS_RO GEORADIUSBYMEMBER GEORADIUSBYMEMBER_RO GEOSEARCH HEXPIRE HPERSIST HPTTL HSETEX
	HTTL PFADD PFCOUNT PFMERGE XACK XAUTOCLAIM XCLAIM XGROUP XPENDING XREADGROUP`)

// Elsewhere ends the error for a command that the engine lacks.
const Elsewhere = " (the embedded Redis lacks it: install Valkey, as with apt install valkey-server or brew install valkey, and name the server with -redis redis://127.0.0.1:6379)"

func (e *Redis) refuse(p *server.Peer, text string) bool {
	p.WriteError(text)
	return true
}

func unknownCommand(name string, args []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "ERR unknown command '%.128s', with args beginning with: ", name)
	for _, arg := range args {
		if b.Len() > 128 {
			break
		}
		fmt.Fprintf(&b, "'%.128s' ", arg)
	}
	return b.String() + Elsewhere
}

// refuseBounds refuses (nan as a bound, which miniredis takes.
func (e *Redis) refuseBounds(p *server.Peer, bounds []string) bool {
	for _, bound := range bounds {
		if _, ok := parseScore(strings.TrimPrefix(bound, "(")); !ok {
			return e.refuse(p, "ERR min or max is not a float")
		}
	}
	return false
}
