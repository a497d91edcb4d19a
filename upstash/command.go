package upstash

import (
	"strconv"
	"strings"
)

// shownKey is how much of a key an error contains, in bytes.
const shownKey = 160

// Command is one Redis command. The zero value is refused when sent.
type Command struct {
	script *Script
	// args is the whole command; for a script only what follows the digest or source: the
	// number of keys, the keys, the arguments.
	args       []string
	idempotent bool
}

// Cmd makes a command from its words: Cmd("ZADD", key, "NX", "800", "user_a"). Words travel as
// JSON, so they must be valid UTF-8; otherwise the call is refused before it is sent
// (KindArgument). The slice is not copied.
func Cmd(args ...string) Command { return Command{args: args} }

// Idempotent declares that applying the command twice has the same effect as applying it once,
// so that it may be sent again after a lost answer. Declare it for ZADD NX or GT, SADD,
// EXPIREAT, DEL and the like, never for INCR. Commands that only read need no declaration:
// they are known by name.
func (c Command) Idempotent() Command {
	c.idempotent = true
	return c
}

// name is the command's upper-case name, "" for the zero Command.
func (c Command) name() string {
	switch {
	case c.script != nil:
		return "EVALSHA"
	case len(c.args) == 0:
		return ""
	}
	return strings.ToUpper(c.args[0])
}

// key returns the first key, if it is certain where the command has it; else "".
func (c Command) key() string {
	switch {
	case c.script != nil:
		if len(c.args) > 1 && c.args[0] != "0" {
			return c.args[1]
		}
		return ""
	case len(c.args) < 2 || keyless(c.name()):
		return ""
	}
	return c.args[1]
}

// String shows the name and the first key, and no other argument: arguments may be secret or
// personal.
func (c Command) String() string {
	key := c.key()
	if key == "" {
		return c.name()
	}
	if len(key) > shownKey {
		key = key[:shownKey]
	}
	return c.name() + " " + strconv.Quote(key)
}

// safe reports whether applying the command twice has the same effect as applying it once.
func (c Command) safe() bool { return c.idempotent || c.script == nil && reads(c.name()) }

// runsCode reports whether the command runs a script, which can fail half-way.
func (c Command) runsCode() bool {
	return c.script != nil || hasPrefix(c.name(), "EVAL", "FCALL")
}

func allSafe(cmds []Command) bool {
	for _, c := range cmds {
		if !c.safe() {
			return false
		}
	}
	return true
}

// reads reports whether a command of this upper-case name changes nothing.
// Names that read or write depending on a subcommand are not listed.
func reads(name string) bool {
	switch name {
	case "BITCOUNT", "BITFIELD_RO", "BITPOS", "COMMAND", "DBSIZE", "DUMP", "ECHO",
		"EVALSHA_RO", "EVAL_RO", "EXISTS", "EXPIRETIME", "FCALL_RO", "GEODIST", "GEOHASH",
		"GEOPOS", "GEORADIUSBYMEMBER_RO", "GEORADIUS_RO", "GEOSEARCH", "GET", "GETBIT",
		"GETRANGE", "HEXISTS", "HEXPIRETIME", "HGET", "HGETALL", "HKEYS", "HLEN", "HMGET",
		"HPEXPIRETIME", "HPTTL", "HRANDFIELD", "HSCAN", "HSTRLEN", "HTTL", "HVALS", "INFO",
		"KEYS", "LCS", "LINDEX", "LLEN", "LPOS", "LRANGE", "MGET", "PEXPIRETIME", "PFCOUNT",
		"PING", "PTTL", "RANDOMKEY", "SCAN", "SCARD", "SDIFF", "SINTER", "SINTERCARD",
		"SISMEMBER", "SMEMBERS", "SMISMEMBER", "SRANDMEMBER", "SSCAN", "STRLEN", "SUBSTR",
		"SUNION", "TIME", "TTL", "TYPE", "XINFO", "XLEN", "XPENDING", "XRANGE", "XREAD",
		"XREVRANGE", "ZCARD", "ZCOUNT", "ZDIFF", "ZINTER", "ZINTERCARD", "ZLEXCOUNT",
		"ZMSCORE", "ZRANDMEMBER", "ZRANGE", "ZRANGEBYLEX", "ZRANGEBYSCORE", "ZRANK",
		"ZREVRANGE", "ZREVRANGEBYLEX", "ZREVRANGEBYSCORE", "ZREVRANK", "ZSCAN", "ZSCORE",
		"ZUNION":
		return true
	}
	return false
}

// heavy reports whether a command of this upper-case name takes longer the more its keys hold,
// and not only the more it names or answers. A script is not heavy: most do little, and jobs
// that run others set WithTimeout.
func heavy(name string) bool {
	switch name {
	case "BITOP", "COPY", "DUMP", "FLUSHALL", "FLUSHDB", "KEYS", "LCS", "RESTORE", "SDIFF",
		"SDIFFSTORE", "SINTER", "SINTERCARD", "SINTERSTORE", "SORT", "SORT_RO", "SUNION",
		"SUNIONSTORE", "ZDIFF", "ZDIFFSTORE", "ZINTER", "ZINTERCARD", "ZINTERSTORE",
		"ZRANGESTORE", "ZREMRANGEBYLEX", "ZREMRANGEBYRANK", "ZREMRANGEBYSCORE", "ZUNION",
		"ZUNIONSTORE":
		return true
	}
	return false
}

// free reports whether Upstash bills nothing for a command of this name.
func free(name string) bool {
	switch name {
	case "AUTH", "COMMAND", "CONFIG", "INFO", "PING":
		return true
	}
	return false
}

// keyless reports whether the first word after this name is not a key, and must therefore not
// be shown: it may be a password, a script or a value.
func keyless(name string) bool {
	switch name {
	case "ACL", "AUTH", "BITOP", "CLIENT", "COMMAND", "CONFIG", "DEBUG", "ECHO", "EVAL",
		"EVALSHA", "EVALSHA_RO", "EVAL_RO", "FCALL", "FCALL_RO", "FUNCTION", "HELLO", "INFO",
		"MEMORY", "OBJECT", "PING", "SCAN", "SCRIPT", "SINTERCARD", "XGROUP", "XINFO", "XREAD",
		"XREADGROUP", "ZDIFF", "ZINTER", "ZINTERCARD", "ZUNION":
		return true
	}
	return false
}
