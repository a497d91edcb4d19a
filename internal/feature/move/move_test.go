package move_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/move"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/host/lambdatest"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// database is a Redis behind the REST server.
type database struct {
	t      *testing.T
	redis  *testkit.Redis
	server *upstashtest.Server
	client *upstash.Client
}

func newDatabase(t *testing.T, real bool) *database {
	address := ""
	if real {
		address = testkit.RealRedis(t)
	}
	redis := testkit.NewRedis(t, address, testkit.AtOnce)
	return &database{t, redis, redis.Server, redis.Client}
}

func (d *database) do(words ...string) any { return d.redis.Do(words...) }

// onEngines moves from and to each kind of Redis.
func onEngines(t *testing.T, test func(t *testing.T, from, to *database)) {
	for name, real := range map[string]bool{"embedded": false, "real": true} {
		t.Run(name, func(t *testing.T) { test(t, newDatabase(t, real), newDatabase(t, real)) })
	}
}

// fill writes keys of all types: small and large ones, scores of any bits, with
// and without an end.
func (d *database) fill() {
	random := rand.New(rand.NewPCG(1, 2))
	ends := time.Now().Add(time.Hour).UnixMilli()
	for i := range 700 {
		d.do("SET", fmt.Sprint("text:", i), fmt.Sprintf("{\"é\":%d,\"\u0001\":\"\\\"\"}", i))
		if i%3 == 0 {
			d.do("PEXPIREAT", fmt.Sprint("text:", i), fmt.Sprint(ends+int64(i)))
		}
	}
	for _, n := range []int{1, 40, 2600} {
		for i := range n {
			score := math.Float64frombits(random.Uint64()>>2 | 1)
			d.do("ZADD", fmt.Sprint("board:", n), strconv.FormatFloat(score, 'g', -1, 64), fmt.Sprint("p", i))
			d.do("HSET", fmt.Sprint("hash:", n), fmt.Sprint("f", i), strings.Repeat("v", i%90))
			d.do("SADD", fmt.Sprint("set:", n), fmt.Sprint("m", i))
		}
	}
	d.do("RPUSH", "list", "b", "a", "b", "\u00e9", "")
	d.do("PEXPIREAT", "list", fmt.Sprint(ends))
	d.do("ZADD", "infinite", "-inf", "low", "inf", "high", "0", "zero", "-0.1", "tenth")
	d.do("PEXPIREAT", "board:2600", fmt.Sprint(ends))
	d.do("PEXPIREAT", "hash:40", fmt.Sprint(ends))
}

// dump is everything that a database holds, by key.
func (d *database) dump() map[string]string {
	all := map[string]string{}
	for _, name := range d.do("KEYS", "*").([]any) {
		key := name.(string)
		var content any
		switch typ := d.do("TYPE", key); typ {
		case "string":
			content = d.do("GET", key)
		case "list":
			content = d.do("LRANGE", key, "0", "-1")
		case "zset":
			content = d.do("ZRANGE", key, "0", "-1", "WITHSCORES")
		case "hash":
			content = sorted(d.do("HGETALL", key).([]any), 2)
		case "set":
			content = sorted(d.do("SMEMBERS", key).([]any), 1)
		case "stream":
			info := d.do("XINFO", "STREAM", key).([]any)
			content = fmt.Sprint(d.do("XRANGE", key, "-", "+"), info[slices.Index(info, any("last-generated-id"))+1])
		default:
			content = typ
		}
		all[key] = fmt.Sprint(content, d.do("PEXPIRETIME", key))
	}
	return all
}

func sorted(words []any, width int) (all []string) {
	for some := range slices.Chunk(words, width) {
		all = append(all, fmt.Sprint(some))
	}
	slices.Sort(all)
	return all
}

func options(from, to *database) move.Options {
	return move.Options{From: from.client, To: to.client, Source: "here"}
}

func TestEverythingIsMoved(t *testing.T) {
	onEngines(t, func(t *testing.T, from, to *database) {
		from.fill()
		before := from.dump()
		last := move.Progress{}
		o := options(from, to)
		o.Seen = func(p move.Progress) { last = p }
		did, err := move.Run(t.Context(), o)
		require.NoError(t, err)
		require.Equal(t, before, to.dump())
		require.Equal(t, before, from.dump(), "the source is only read")
		require.Empty(t, did.Repaired)
		require.EqualValues(t, len(before), did.Keys)
		require.EqualValues(t, 700+3*(1+40+2600)+4+5, did.Entries)
		require.Equal(t, move.Progress{Keys: did.Keys, Total: did.Keys, Comparing: true}, last)
	})
}

// A move that is cut off at any request continues and ends right.
func TestAMoveThatIsCutOffGoesOn(t *testing.T) {
	onEngines(t, func(t *testing.T, from, to *database) {
		from.fill()
		left := 0
		fault := func(upstashtest.Request) upstashtest.Fault {
			left--
			return upstashtest.Fault{CutBefore: left < 0}
		}
		from.server.Inject(fault)
		to.server.Inject(fault)
		runs := 0
		for ; ; runs++ {
			left = 30 + 10*runs
			if _, err := move.Run(t.Context(), options(from, to)); err == nil {
				break
			}
			require.Less(t, runs, 200)
		}
		require.Greater(t, runs, 2)
		from.server.Inject(nil)
		to.server.Inject(nil)
		require.Equal(t, from.dump(), to.dump())
	})
}

func TestATargetThatHoldsSomethingElseIsRefused(t *testing.T) {
	onEngines(t, func(t *testing.T, from, to *database) {
		from.do("SET", "a", "1")
		to.do("SET", "b", "2")
		before := to.dump()
		_, err := move.Run(t.Context(), options(from, to))
		require.ErrorIs(t, err, move.ErrNotEmpty)
		require.Equal(t, before, to.dump())
		to.do("SET", game.MoveKey, `{"from":"elsewhere","cursor":"0"}`)
		_, err = move.Run(t.Context(), options(from, to))
		require.ErrorIs(t, err, move.ErrNotEmpty)
		require.ErrorContains(t, err, "elsewhere")
		to.do("SET", game.MoveKey, `something`)
		_, err = move.Run(t.Context(), options(from, to))
		require.ErrorIs(t, err, move.ErrNotEmpty)
		_, err = move.Run(t.Context(), options(from, from))
		require.ErrorIs(t, err, move.ErrNotEmpty, "itself")
	})
}

// Keys that are written, changed and deleted after they were copied are right in the end.
func TestACopyMadeWhileWritesGoOnIsFinishedLater(t *testing.T) {
	onEngines(t, func(t *testing.T, from, to *database) {
		from.fill()
		o := options(from, to)
		o.Live = true
		o.Quiet = func(context.Context) error { return errors.New("writes go on") }
		_, err := move.Run(t.Context(), o)
		require.NoError(t, err)
		from.do("ZADD", "board:40", "7", "p3", "8", "new")
		from.do("HDEL", "hash:2600", "f7")
		from.do("HSET", "hash:40", "f7", "other")
		from.do("SREM", "set:40", "m1")
		from.do("SADD", "set:40", "m1000") // as many as before
		from.do("DEL", "board:1")
		from.do("SET", "text:1", "changed")
		from.do("PERSIST", "text:0")
		from.do("SET", "text:new", "1")
		from.do("DEL", "set:1")
		from.do("SET", "set:1", "of another type")
		o.Live = false
		_, err = move.Run(t.Context(), o)
		require.ErrorContains(t, err, "writes go on")
		o.Quiet = nil
		did, err := move.Run(t.Context(), o)
		require.NoError(t, err)
		slices.Sort(did.Repaired)
		require.Equal(t, []string{"board:40", "hash:2600", "hash:40", "set:1", "set:40", "text:0", "text:1", "text:new"}, did.Repaired)
		require.EqualValues(t, 1, did.Deleted)
		require.Equal(t, from.dump(), to.dump())
		_, err = move.Run(t.Context(), o)
		require.ErrorIs(t, err, move.ErrNotEmpty, "a move that has ended is no reason to write over the target")
	})
}

func TestWritesThatBeginMeanwhileAreTold(t *testing.T) {
	from, to := newDatabase(t, false), newDatabase(t, false)
	from.fill()
	o, asked := options(from, to), 0
	o.Quiet = func(context.Context) error {
		if asked++; asked == 2 {
			return errors.New("the maintenance has ended")
		}
		return nil
	}
	_, err := move.Run(t.Context(), o)
	require.ErrorContains(t, err, "has ended")
	_, err = move.Run(t.Context(), o)
	require.NoError(t, err, "the target is still the move's own")
}

func TestATypeThatTheProductDoesNotKeepIsNamed(t *testing.T) {
	from, to := newDatabase(t, false), newDatabase(t, false)
	from.do("SET", "jobs", "1")
	from.server.Inject(func(r upstashtest.Request) upstashtest.Fault {
		if len(r.Commands) == 2 && r.Commands[0][0] == "TYPE" {
			return upstashtest.Fault{Status: 200, Body: `[{"result":"vectorset"},{"result":-1}]`}
		}
		return upstashtest.Fault{}
	})
	_, err := move.Run(t.Context(), options(from, to))
	unknown := (*move.UnknownTypeError)(nil)
	require.ErrorAs(t, err, &unknown)
	require.Equal(t, "jobs", unknown.Key)
	require.Equal(t, "vectorset", unknown.Type)
}

// What a key costs, in both databases.
func TestWhatAMoveCosts(t *testing.T) {
	from, to := newDatabase(t, true), newDatabase(t, true)
	for i := range 1000 {
		from.do("ZADD", fmt.Sprint("board:", i), "1", "a", "2", "b")
	}
	_, err := move.Run(t.Context(), options(from, to))
	require.NoError(t, err)
	require.LessOrEqual(t, from.client.Meter().Usage().Commands, int64(1000*8+100))
	require.LessOrEqual(t, to.client.Meter().Usage().Commands, int64(1000*6+100))
}

func TestNoFunctionLinksTheMove(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-tags", lambdatest.Tags, "-deps", "../../../functions/...").Output()
	require.NoError(t, err)
	require.Contains(t, string(out), "/internal/leaderboard\n")
	require.NotContains(t, string(out), "/internal/feature/move\n")
}
