package engine

// Reads lists the commands that change nothing, except KEYS and SCAN.
const Reads = `
	bitcount bitfield_ro bitpos dbsize dump echo eval_ro evalsha_ro exists
	expiretime fcall_ro geodist geohash geopos georadius_ro georadiusbymember_ro
	geosearch get getbit getrange hexists hexpiretime hget hgetall hkeys hlen
	hmget hpexpiretime hpttl hrandfield hstrlen httl hvals json.arrindex
	json.arrlen json.get json.mget json.objkeys json.objlen json.resp
	json.strlen json.type lcs lindex llen lolwut lpos lrange mget pexpiretime
	pfcount ping pttl randomkey scard sdiff sinter sintercard sismember smembers
	smismember srandmember strlen substr sunion time touch ttl type xinfo xlen
	xpending xrange xread xrevrange zcard zcount zdiff zinter zintercard
	zlexcount zmscore zrandmember zrange zrangebylex zrangebyscore zrank
	zrevrange zrevrangebylex zrevrangebyscore zrevrank zscore zunion`

// NoScript is the error for an unknown script. Valkey leaves out its second sentence.
const NoScript = "NOSCRIPT No matching script. Please use EVAL."
