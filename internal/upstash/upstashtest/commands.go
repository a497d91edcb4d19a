package upstashtest

import "strings"

// refused lists what a stateless REST request cannot carry: blocking commands,
// state of a connection, and the administration of a server. XREAD and
// XREADGROUP are refused only with BLOCK.
var refused = wordSet(`
	blpop brpop blmove blmpop brpoplpush bzpopmin bzpopmax bzmpop wait waitaof
	multi exec discard watch unwatch
	subscribe psubscribe ssubscribe unsubscribe punsubscribe sunsubscribe monitor
	auth hello select client quit reset asking readonly readwrite
	shutdown debug save bgsave bgrewriteaof sync psync replconf replicaof slaveof
	failover cluster migrate restore-asking module swapdb latency slowlog
	pfdebug pfselftest object sort sort_ro`)

// reads lists what a read-only token may call; KEYS and SCAN are held back as
// Upstash does.
var reads = wordSet(`
	bitcount bitfield_ro bitpos dbsize dump echo eval_ro evalsha_ro exists
	expiretime fcall_ro geodist geohash geopos georadius_ro georadiusbymember_ro
	geosearch get getbit getrange hexists hget hgetall hkeys hlen hmget
	hrandfield hstrlen httl hvals lcs lindex llen lolwut lpos lrange mget
	pexpiretime pfcount ping pttl randomkey scard sdiff sinter sintercard
	sismember smembers smismember srandmember strlen substr sunion time touch
	ttl type xinfo xlen xpending xrange xread xrevrange zcard zcount zdiff
	zinter zintercard zlexcount zmscore zrandmember zrange zrangebylex
	zrangebyscore zrank zrevrange zrevrangebylex zrevrangebyscore zrevrank
	zscore zunion`)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

// vet returns why a command shall not reach the engine, or "".
func vet(c command, may access) string {
	var buf [32]byte
	name := appendLower(buf[:0], c.args[0])
	switch {
	case refused[string(name)], isBlockingRead(name, c.args):
		return "ERR Command is not available: '" + string(c.args[0]) + "'. A REST request cannot block, keep state on a connection or administer the server"
	case may != accessFull && !reads[string(name)]:
		return "NOPERM this user has no permissions to run the '" + string(name) + "' command"
	}
	return ""
}

func isBlockingRead(name []byte, args [][]byte) bool {
	if string(name) != "xread" && string(name) != "xreadgroup" {
		return false
	}
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
