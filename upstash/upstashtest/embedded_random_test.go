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
		"sorted sets": randomSortedSet,
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

func randomStream(r *rand.Rand) []string {
	key := pick(r, "x", "y")
	id := number(r, 0, 60) + "-" + number(r, 0, 2)
	switch r.IntN(9) {
	case 0, 1, 2:
		return []string{"XADD", key, pick(r, id, number(r, 0, 60)+"-*"), "f", number(r, 0, 9)}
	case 3:
		return []string{"XADD", key, pick(r, "MAXLEN", "MINID"), pick(r, "=", "~"), number(r, 0, 20), number(r, 40, 99) + "-*", "f", "v"}
	case 4:
		return []string{"XREAD", "COUNT", number(r, 1, 3), "STREAMS", key, pick(r, "0", "$", id)}
	case 5:
		return []string{pick(r, "XRANGE", "XREVRANGE"), key, pick(r, "-", "(", "") + number(r, 0, 60), pick(r, "+", id)}
	case 6:
		return []string{"XDEL", key, id}
	case 7:
		return []string{"XTRIM", key, "MAXLEN", number(r, 0, 20)}
	}
	return []string{"XINFO", "STREAM", key}
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
