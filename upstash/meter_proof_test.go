package upstash_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/redisd"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/redistransport"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// The scripts tell how many calls they made, the failing one by failing at a
// known place: its second call finds a list where it wants a number.
var (
	countingScript = upstash.NewScript(`
		for i = 1, tonumber(ARGV[1]) do redis.call('INCR', KEYS[1]) end
		return tonumber(ARGV[1])`, func(r upstash.Reply) int { n, _ := r.Int64(); return int(n) })
	failingScript = upstash.NewScript(`
		redis.call('SET', KEYS[1], '1')
		return redis.call('INCR', KEYS[2])`, func(upstash.Reply) int { return 2 })
	idleScript = upstash.NewScript(`return 'nothing called'`, nil)
)

// anyCommand is one of many kinds of command; failing ones, free ones, scripts
// and those of many members among them.
func anyCommand(r *rand.Rand) upstash.Command {
	key := func(kind string) string { return kind + strconv.Itoa(r.IntN(3)) }
	many := func(n int) (words []string) {
		for range 1 + r.IntN(n) {
			words = append(words, strconv.Itoa(r.IntN(100)))
		}
		return words
	}
	switch r.IntN(16) {
	case 0:
		words := []string{"ZADD", key("z")}
		for _, member := range many(40) {
			words = append(words, strconv.Itoa(r.IntN(1000)), member)
		}
		return upstash.Cmd(words...)
	case 1:
		return upstash.Cmd(append([]string{"ZMSCORE", key("z")}, many(20)...)...)
	case 2:
		return upstash.Cmd("ZREVRANK", key("z"), "7", "WITHSCORE")
	case 3:
		return upstash.Cmd("zrange", key("z"), "0", "9", "REV", "WITHSCORES")
	case 4:
		return upstash.Cmd("SET", key("s"), strings.Repeat("é\n", r.IntN(30)), "EX", "100")
	case 5:
		return upstash.Cmd("GET", key("s"))
	case 6:
		return upstash.Cmd("HSET", key("h"), "f", "1", "g", "2").Idempotent()
	case 7:
		return upstash.Cmd("HMGET", key("h"), "f", "g", "none")
	case 8:
		return upstash.Cmd("LPUSH", "list", "x")
	case 9:
		return upstash.Cmd("INCR", "list") // WRONGTYPE
	case 10:
		return upstash.Cmd("ping")
	case 11:
		return upstash.Cmd("MGET", key("s"), key("s"), key("s"))
	case 12:
		return countingScript.Command([]string{key("n")}, strconv.Itoa(r.IntN(4)))
	case 13:
		return failingScript.Command([]string{key("n"), "list"})
	case 14:
		return idleScript.Command(nil)
	}
	return upstash.Cmd("EXPIREAT", key("z"), "1900000000", "NX")
}

// counted sends a random mix in all three forms of a call.
func counted(t *testing.T, c *upstash.Client, r *rand.Rand) {
	for range 150 {
		cmds := make([]upstash.Command, 1+r.IntN(12))
		for i := range cmds {
			cmds[i] = anyCommand(r)
		}
		switch r.IntN(3) {
		case 0:
			_, err := c.Do(t.Context(), cmds[0])
			require.NotErrorIs(t, err, upstash.KindUnavailable)
		case 1:
			_, err := c.Pipeline(t.Context(), cmds...)
			require.NoError(t, err)
		case 2:
			_, err := c.MultiExec(t.Context(), cmds...)
			require.NoError(t, err)
		}
	}
}

func TestMeterEqualsWhatRedisCounted(t *testing.T) {
	redis, err := redisd.Start(t.Context(), redisd.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, redis.Stop()) })
	srv := upstashtest.Start(t, upstashtest.Options{Redis: redis.URL()})
	transport, err := redistransport.New(redis.URL())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, transport.Close()) })
	for name, cfg := range map[string]upstash.Config{
		"over REST":               {URL: srv.URL(), Token: srv.Token()},
		"over the redis protocol": {Transport: transport},
	} {
		for seed := range uint64(4) {
			t.Run(fmt.Sprint(name, seed), func(t *testing.T) {
				c, err := upstash.New(cfg)
				require.NoError(t, err)
				for _, cmd := range [][]string{{"FLUSHALL"}, {"SCRIPT", "FLUSH"}, {"LPUSH", "list", "x"}, {"CONFIG", "RESETSTAT"}} {
					_, err := srv.Redis().Do(t.Context(), cmd...)
					require.NoError(t, err)
				}
				counted(t, c, rand.New(rand.NewPCG(seed, 3)))
				stats, err := srv.Redis().CommandStats(t.Context())
				require.NoError(t, err)
				u := c.Meter().Usage()
				require.Equal(t, byRedis(stats, u), u.ByName)
				var commands, sent, received int64
				for _, n := range u.ByName {
					commands += n
				}
				for _, b := range u.Bytes {
					sent, received = sent+b.Sent, received+b.Received
				}
				require.Equal(t, u.Commands, commands)
				require.Equal(t, u.BytesSent, sent)
				require.Equal(t, u.BytesReceived, received)
				require.Positive(t, u.Bytes["PING"].Received)
			})
		}
	}
}

// byRedis is what Redis counted, named as the meter does: free commands left
// out, and INCR and SET told apart as the scripts' or the client's own.
func byRedis(stats map[string]int64, u upstash.Usage) map[string]int64 {
	counts := map[string]int64{}
	for name, n := range stats {
		switch name, _, _ = strings.Cut(name, "|"); name {
		case "ping", "info", "config", "command", "auth", "hello":
		default:
			counts[strings.ToUpper(name)] += n
		}
	}
	for _, name := range []string{"INCR", "SET"} {
		inner := counts[name] - u.ByName[name]
		counts[name] -= inner
		counts[upstash.InnerCalls] += inner
	}
	return counts
}

func TestDiscardedTransactionIsAnUpperBound(t *testing.T) {
	srv := upstashtest.Start(t, upstashtest.Options{})
	c, err := upstash.New(upstash.Config{URL: srv.URL(), Token: srv.Token()})
	require.NoError(t, err)
	_, err = c.MultiExec(t.Context(), upstash.Cmd("INCR", "a"), upstash.Cmd("NOSUCH"))
	require.Error(t, err)
	require.EqualValues(t, 4, c.Meter().Usage().Commands)
}

func TestReadRegionsMultiplyWritesAlone(t *testing.T) {
	srv := serve(t, ok(`[{"result":1},{"result":1},{"result":3},{"result":"OK"},{"result":1}]`))
	c := client(t, srv.URL, func(cfg *upstash.Config) { cfg.ReadRegions = 2 })
	_, err := c.MultiExec(t.Context(), upstash.Cmd("ZADD", "b", "1", "m"), upstash.Cmd("ZCARD", "b"),
		countingScript.Command([]string{"n"}, "3"), upstash.Cmd("PING"), upstash.Cmd("EVAL_RO", "return 1", "0"))
	require.NoError(t, err)
	u := c.Meter().Usage()
	require.Equal(t, map[string]int64{
		"MULTI": 1, "EXEC": 1, "ZADD": 3, "ZCARD": 1, "EVAL": 3, upstash.InnerCalls: 9, "EVAL_RO": 1,
	}, u.ByName)
	require.EqualValues(t, 19, u.Commands)
}

func TestBytesAreCountedForTheirCommand(t *testing.T) {
	srv := serve(t, ok(`[{"result":1},{"result":"OK"},{"error":"ERR x"}]`))
	c := client(t, srv.URL)
	_, err := c.Pipeline(t.Context(), upstash.Cmd("INCR", "a"), upstash.Cmd("ping"), upstash.Cmd("incr", "b"))
	require.NoError(t, err)
	require.Equal(t, map[string]upstash.Bytes{
		"INCR": {Sent: int64(len(`[["INCR","a"],` + `["incr","b"]]`)), Received: int64(len(`[{"result":1},` + `{"error":"ERR x"}]`))},
		"PING": {Sent: int64(len(`["ping"],`)), Received: int64(len(`{"result":"OK"},`))},
	}, c.Meter().Usage().Bytes)
	srv = serve(t, answer(502, "sorry"))
	c = client(t, srv.URL, func(cfg *upstash.Config) { cfg.Attempts = 1 })
	_, err = c.Pipeline(t.Context(), upstash.Cmd("INCR", "a"), upstash.Cmd("GET", "b"))
	require.Error(t, err)
	require.EqualValues(t, 5, c.Meter().Usage().Bytes["INCR"].Received, "of nobody's in particular")
}
