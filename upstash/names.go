package upstash

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
