package upstashtest_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"
)

// TestRandomCommandsOfEachFamilyAnswerTheSame draws commands of one family at a time,
// over so few keys that commands often use the same one.
func TestRandomCommandsOfEachFamilyAnswerTheSame(t *testing.T) {
	redis := realRedis(t)
	families := map[string]func(*rand.Rand) []string{
		"bits":        randomBits,
		"sorted sets": randomSortedSet,
		"places":      randomPlace,
		"streams":     randomStream,
		"expiries":    randomExpiry,
		"numbers":     randomNumber,
	}
	db := 0
	for name, draw := range families {
		db++
		t.Run(name, func(t *testing.T) {
			embedded, real := startStrict(t, ""), startStrict(t, fmt.Sprintf("%s/%d", redis.URL(), db))
			r := rand.New(rand.NewPCG(1, uint64(len(name))))
			for range 600 {
				args := draw(r)
				want, got := comparableReply(args, real.command(args...)), comparableReply(args, embedded.command(args...))
				if show(want) != show(got) {
					t.Fatalf("%q\nreal      %s\nembedded  %s", args, show(want), show(got))
				}
			}
		})
	}
}

func pick(r *rand.Rand, options ...string) string { return options[r.IntN(len(options))] }

func number(r *rand.Rand, low, high int) string { return strconv.Itoa(low + r.IntN(high-low+1)) }

func randomBits(r *rand.Rand) []string {
	key := pick(r, "a", "b", "c")
	switch r.IntN(7) {
	case 0:
		return []string{"SETBIT", key, number(r, 0, 90), number(r, 0, 1)}
	case 1:
		args := []string{"BITCOUNT", key, number(r, -12, 12), number(r, -12, 12)}
		return append(args, pick(r, "BYTE", "BIT"))
	case 2:
		args := []string{"BITPOS", key, number(r, 0, 1), number(r, -12, 12)}
		if r.IntN(2) == 0 {
			args = append(args, number(r, -12, 12), pick(r, "BYTE", "BIT"))
		}
		return args
	case 3:
		return []string{"BITOP", pick(r, "AND", "OR", "XOR"), key, "a", "b"}
	case 4:
		return []string{"GET", key}
	}
	args := []string{pick(r, "BITFIELD", "BITFIELD", "BITFIELD", "BITFIELD_RO"), key}
	for range 1 + r.IntN(4) {
		kind := pick(r, "u", "i") + number(r, 1, 63)
		offset := pick(r, "", "", "#") + number(r, 0, 9)
		switch r.IntN(4) {
		case 0:
			args = append(args, "GET", kind, offset)
		case 1:
			args = append(args, "SET", kind, offset, strconv.FormatInt(int64(r.Uint64()), 10))
		case 2:
			args = append(args, "INCRBY", kind, offset, strconv.FormatInt(int64(r.Uint64())>>r.IntN(60), 10))
		case 3:
			args = append(args, "OVERFLOW", pick(r, "WRAP", "SAT", "FAIL"))
		}
	}
	return args
}

func randomSortedSet(r *rand.Rand) []string {
	key := func() string { return pick(r, "a", "b", "c", "set") }
	bounds := [][]string{{number(r, -4, 4), number(r, -4, 4)}, {"-inf", "(3", "BYSCORE"}, {"3", "(-1", "BYSCORE", "REV"}}
	bound := bounds[r.IntN(len(bounds))]
	if len(bound) > 2 && r.IntN(2) == 0 {
		bound = append(bound, "LIMIT", number(r, 0, 2), number(r, -1, 3))
	}
	switch r.IntN(9) {
	case 0, 1:
		return []string{"ZADD", key(), number(r, -3, 3), pick(r, "a", "b", "c", "d", "e", "f"), number(r, -3, 3), pick(r, "a", "b", "c")}
	case 2:
		return []string{"SADD", "set", pick(r, "a", "b", "c", "x")}
	case 3:
		return []string{pick(r, "ZDIFF", "ZINTER", "ZUNION"), "3", key(), key(), key(), "WITHSCORES"}
	case 4:
		return []string{pick(r, "ZINTER", "ZUNION"), "2", key(), key(), "WEIGHTS", number(r, -2, 2), "0.5", "AGGREGATE", pick(r, "SUM", "MIN", "MAX"), "WITHSCORES"}
	case 5:
		return []string{"ZINTERCARD", "2", key(), key(), "LIMIT", number(r, 0, 2)}
	case 6:
		return append([]string{"ZRANGESTORE", pick(r, "b", "c"), key()}, bound...)
	case 7:
		return []string{"ZDIFFSTORE", pick(r, "b", "c"), "2", key(), key()}
	}
	return []string{"ZRANGE", key(), "0", "-1", "WITHSCORES"}
}

func randomPlace(r *rand.Rand) []string {
	degrees := func(limit float64) string { return strconv.FormatFloat((r.Float64()*2-1)*limit, 'f', 6, 64) }
	member := func() string { return pick(r, "a", "b", "c", "d", "e", "f", "g", "h") }
	unit := pick(r, "m", "km", "ft", "mi")
	switch r.IntN(7) {
	case 0, 1:
		return []string{"GEOADD", "g", pick(r, "CH", "NX", "XX"), degrees(180), degrees(85), member()}
	case 2:
		return []string{"GEODIST", "g", member(), member(), unit}
	case 3:
		return []string{"GEOPOS", "g", member()}
	case 4:
		return []string{"GEOHASH", "g", member()}
	case 5:
		return []string{"GEOSEARCH", "g", "FROMLONLAT", degrees(180), degrees(85), "BYBOX", number(r, 1, 9000), number(r, 1, 9000), "km", "ASC", "WITHDIST", "WITHHASH"}
	}
	return []string{"GEOSEARCHSTORE", "h", "g", "FROMLONLAT", degrees(180), degrees(85), "BYRADIUS", number(r, 1, 9000), "km", "DESC", "COUNT", number(r, 1, 4)}
}

func randomStream(r *rand.Rand) []string {
	key, group, name := pick(r, "x", "y"), pick(r, "g", "h"), pick(r, "alice", "bob")
	id := number(r, 0, 60) + "-" + number(r, 0, 2)
	switch r.IntN(14) {
	case 0, 1, 2:
		return []string{"XADD", key, pick(r, id, number(r, 0, 60)+"-*"), "f", number(r, 0, 9)}
	case 3:
		return []string{"XADD", key, pick(r, "MAXLEN", "MINID"), pick(r, "=", "~"), number(r, 0, 20), number(r, 40, 99) + "-*", "f", "v"}
	case 4:
		return []string{"XGROUP", pick(r, "CREATE", "SETID", "CREATE"), key, group, pick(r, "0", "$", id)}
	case 5, 6:
		return []string{"XREADGROUP", "GROUP", group, name, "COUNT", number(r, 1, 3), "STREAMS", key, pick(r, ">", ">", "0")}
	case 7:
		return []string{"XACK", key, group, id, id}
	case 8:
		return []string{pick(r, "XRANGE", "XREVRANGE"), key, pick(r, "-", "(", "") + number(r, 0, 60), pick(r, "+", id)}
	case 9:
		return []string{"XDEL", key, id}
	case 10:
		return []string{"XPENDING", key, group}
	case 11:
		return []string{"XCLAIM", key, group, name, "0", id, pick(r, "FORCE", "JUSTID")}
	case 12:
		return []string{"XAUTOCLAIM", key, group, name, "0", pick(r, "0", id), "COUNT", number(r, 1, 3)}
	}
	return []string{"XINFO", pick(r, "STREAM", "GROUPS"), key}
}

// randomExpiry draws no moment that is so near that it could pass during the test.
func randomExpiry(r *rand.Rand) []string {
	key := pick(r, "s", "t")
	moment := strconv.Itoa(4_000_000_000 + r.IntN(4))
	switch r.IntN(7) {
	case 0:
		return []string{"SET", key, "v", pick(r, "EXAT", "KEEPTTL", "XX"), moment}
	case 1:
		return []string{"SET", key, "v", "EXAT", moment, pick(r, "NX", "XX", "GET")}
	case 2:
		return []string{"GETEX", key, "EXAT", moment}
	case 3:
		return []string{pick(r, "EXPIRETIME", "PEXPIRETIME", "PERSIST"), key}
	case 4:
		return []string{pick(r, "RENAME", "RENAMENX", "COPY"), "s", "t"}
	}
	return []string{"EXPIREAT", key, moment, pick(r, "NX", "XX", "GT", "LT"), pick(r, "XX", "GT", "LT")}
}

func randomNumber(r *rand.Rand) []string {
	n := pick(r, "1", "-1", "0.1", "1e20", "3.0", "1e-10", "9223372036854775807", "-9223372036854775808", "01", "x", "0.30000000000000004", "17179869184.5", "-0.0")
	switch r.IntN(5) {
	case 0:
		return []string{pick(r, "INCRBY", "DECRBY"), pick(r, "i", "f"), n}
	case 1:
		return []string{"INCRBYFLOAT", "f", n}
	case 2:
		return []string{"HINCRBYFLOAT", "h", "f", n}
	case 3:
		return []string{"HINCRBY", "h", pick(r, "i", "f"), n}
	}
	return []string{pick(r, "GET", "DEL"), pick(r, "i", "f")}
}
