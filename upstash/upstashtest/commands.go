package upstashtest

import "strings"

// refused lists the commands that a stateless REST request cannot carry: those that
// block, those that change a connection's state, and those that administer a server.
// XREAD and XREADGROUP are refused only with BLOCK; SUBSCRIBE, PSUBSCRIBE and MONITOR
// have paths of their own.
const refused = `
	blpop brpop blmove blmpop brpoplpush bzpopmin bzpopmax bzmpop wait waitaof
	multi exec discard watch unwatch
	subscribe psubscribe ssubscribe unsubscribe punsubscribe sunsubscribe monitor
	auth hello select client quit reset asking readonly readwrite
	shutdown debug save bgsave bgrewriteaof sync psync replconf replicaof slaveof
	failover cluster migrate restore-asking module swapdb latency slowlog
	pfdebug pfselftest object sort sort_ro`

// frees lists the commands that Upstash does not bill.
const frees = `auth command config info ping`

// scripts lists the commands that run code; the commands that this code calls are billed
// too.
const scripts = `eval evalsha eval_ro evalsha_ro fcall fcall_ro`

// grows lists the commands that make the record at their first key larger.
const grows = `
	append bitfield geoadd hincrby hincrbyfloat hmset hset hsetex hsetnx json.set linsert lpush
	lpushx pfadd rpush rpushx sadd set setbit setrange xadd zadd zincrby`

// vet returns why a command may not reach the engine, or "".
func vet(c command, may access) string {
	switch {
	case c.kind.name == "client" && isSub(c.args, "SETINFO") && may == accessFull:
		// SDKs send their name on any connection; the answer makes no difference to them.
	case c.kind.refused, c.kind.blocks && hasBlock(c.args), c.kind.name == "script" && isSub(c.args, "DEBUG"):
		return "ERR Command is not available: '" + string(c.args[0]) + "'. A REST request cannot block, keep state on a connection or administer the server"
	case may != accessFull && !c.kind.read:
		return noPermission(strings.ToLower(string(c.args[0])))
	}
	return ""
}

func noPermission(name string) string {
	return "NOPERM this user has no permissions to run the '" + name + "' command or its subcommand"
}

func isSub(args [][]byte, name string) bool {
	return len(args) > 1 && strings.EqualFold(string(args[1]), name)
}

// hasBlock looks for BLOCK among the options of XREAD and XREADGROUP, which end at the
// word STREAMS.
func hasBlock(args [][]byte) bool {
	for _, arg := range args[1:] {
		if strings.EqualFold(string(arg), "BLOCK") {
			return true
		}
		if strings.EqualFold(string(arg), "STREAMS") {
			return false
		}
	}
	return false
}

func appendLower(dst, name []byte) []byte {
	for _, c := range name {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst
}
