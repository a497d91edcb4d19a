package upstashtest_test

import (
	"math/rand/v2"
	"strconv"
)

// randomCommand draws a command of those that the product uses, over so few keys and
// members that commands often use the same ones; now and then it draws a wrong type or
// argument.
func randomCommand(r *rand.Rand) []string {
	pick := func(options ...string) string { return options[r.IntN(len(options))] }
	some := func(args ...string) []string {
		var out []string
		for _, a := range args {
			if r.IntN(3) == 0 {
				out = append(out, a)
			}
		}
		return out
	}
	zset := func() string { return pick("z1", "z1", "z2", "z2", "z3", "z1", "z2", "z1", "z2", "s1") }
	hash := func() string { return pick("h1", "h1", "h1", "h1", "h1", "h1", "h1", "h1", "h1", "s1") }
	member := func() string { return pick("a", "b", "c", "d", "e", "user_ä", "f:1", "g", "h") }
	field := func() string { return pick("name", "score", "x") }
	score := func() string {
		return pick("1", "2", "3", "-1", "0", "0.5", "100", "1000000", "1e21", "12345678901234567", "9007199254740991",
			"9007199254740993", "0.1", "3.0000000000000004", "1234567.890625", "281474976710656.03125",
			"1e300", "nan", "x", "", " 1", "0x10", "1e400", "1_0", "1e-7", "0.00001", "123456789.123456789")
	}
	bound := func() string { return pick("-inf", "+inf", "0", "1", "(1", "2.5", "(100", "1e21", "x", "(nan") }
	index := func() string { return pick("0", "1", "2", "-1", "-2", "5", "-100", "100", "x") }
	cmd := func(name string, args ...string) []string { return append([]string{name}, args...) }

	switch r.IntN(32) {
	case 0, 1, 2, 3, 4:
		c := cmd("ZADD", zset())
		c = append(c, some("NX", "CH")...)
		if r.IntN(2) == 0 {
			c = append(c, some("XX", "GT", "LT", "INCR")...)
		}
		for range 1 + r.IntN(3) {
			c = append(c, score(), member())
		}
		return c
	case 5:
		return cmd("ZINCRBY", zset(), score(), member())
	case 6, 7:
		return append(cmd(pick("ZRANK", "ZREVRANK"), zset(), member()), some("WITHSCORE")...)
	case 8:
		return cmd("ZSCORE", zset(), member())
	case 9:
		return cmd("ZMSCORE", zset(), member(), member(), member())
	case 10:
		return cmd("ZCARD", zset())
	case 11:
		return cmd("ZCOUNT", zset(), bound(), bound())
	case 12, 13:
		c := append(cmd("ZRANGE", zset(), index(), index()), some("REV")...)
		return append(c, some("WITHSCORES")...)
	case 14, 15:
		c := append(cmd("ZRANGE", zset(), bound(), bound(), "BYSCORE"), some("REV")...)
		if r.IntN(2) == 0 {
			c = append(cmd("ZRANGE", zset(), pick("-inf", "0", "(2"), pick("+inf", "100"), "BYSCORE", "LIMIT", index(), index()), some("REV")...)
		}
		return append(c, some("WITHSCORES")...)
	case 16:
		return cmd("ZREM", zset(), member(), member())
	case 17:
		return cmd("ZREMRANGEBYRANK", zset(), index(), index())
	case 18, 19:
		c := cmd(pick("ZUNIONSTORE", "ZINTERSTORE"), pick("z3", "z1"), "2", zset(), pick("z1", "z2", "set1"))
		switch weight := pick("", "", "1", "0.5", "-1", "0", "nan", "x"); {
		case weight == "":
		case c[3] != "s1": // otherwise two things are wrong, and either error may be told
			c = append(c, "WEIGHTS", weight, pick("1", "2", "1.1"))
		}
		if r.IntN(2) == 0 {
			c = append(c, "AGGREGATE", pick("SUM", "MIN", "MAX"))
		}
		return c
	case 20, 21:
		c := cmd("SET", pick("s1", "s2", "z3"), pick("v", "w", "1", "ä\x01\"\\"))
		c = append(c, some("NX", "GET", "KEEPTTL")...)
		if r.IntN(3) == 0 {
			c = append(c, "EX", pick("100", "0", "-1", "x"))
		}
		return c
	case 22:
		return cmd(pick("GET", "TTL", "TYPE", "INCR"), pick("s1", "s2", "z1", "none"))
	case 23:
		return cmd(pick("DEL", "EXISTS"), pick("s1", "s2", "z1"), pick("z3", "h1", "none"))
	case 24:
		if r.IntN(4) == 0 {
			return cmd("EXPIRE", pick("s1", "none"), "x")
		}
		return append(cmd("EXPIRE", pick("s1", "z1", "h1", "none"), pick("100", "1000", "-1", "0")), some(pick("NX", "XX", "GT", "LT"), pick("GT", "LT"))...)
	case 25:
		return cmd(pick("SADD", "SREM"), pick("set1", "set1", "z1"), member(), member())
	case 26:
		return cmd("SMEMBERS", pick("set1", "set1", "z1"))
	case 27:
		return cmd(pick("HSET", "HSETNX"), hash(), field(), pick("v", strconv.Itoa(r.IntN(9))))
	case 28:
		return cmd(pick("HGET", "HDEL"), hash(), field())
	case 29:
		return cmd("HMGET", hash(), field(), field())
	case 30:
		return cmd("EVAL", pick(scripts...), "2", zset(), "s2", score(), member())
	}
	return cmd(pick("GET", "SET", "ZADD", "ZRANK", "HSET", "ZRANGE", "ZUNIONSTORE", "NOPE", "EVALSHA"), some("z1", "1", "a", "1")...)
}

var scripts = []string{
	`return {redis.call('ZADD', KEYS[1], 'NX', ARGV[1], ARGV[2]), redis.call('ZSCORE', KEYS[1], ARGV[2])}`,
	`return redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')`,
	`return {1.9, -1.9, 'x', true, false, 3}`,
	`redis.call('SET', KEYS[2], 281474976710656.03125 * 10) return redis.call('GET', KEYS[2])`,
	`return redis.error_reply('WRONG that is wrong')`,
	`return redis.pcall('ZADD', KEYS[1], 'x', 'm')`,
	`return redis.call('ZADD', KEYS[1], 'x', 'm')`,
	`return redis.status_reply('FINE')`,
	`return {ok='OK'}`,
	`return #KEYS + #ARGV`,
	`error('boom')`,
	`return redis.call('NOPE')`,
	`syntax error`,
	`local t = redis.call('ZREVRANK', KEYS[1], ARGV[2], 'WITHSCORE') return t`,
	`return redis.call('GET', 'missing-key')`,
	`return cjson.encode({1, 'a', 0.5})`,
	`return redis.sha1hex('')`,
}
