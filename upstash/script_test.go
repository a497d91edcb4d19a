package upstash_test

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash"
)

const (
	source   = "return redis.call('INCR', KEYS[1])"
	noScript = `{"error":"NOSCRIPT No matching script. Please use EVAL."}`
)

func digest(s string) string {
	sum := sha1.Sum([]byte(s))
	return hex.EncodeToString(sum[:])
}

func one(upstash.Reply) int { return 1 }

func TestKnownScriptTravelsByItsDigest(t *testing.T) {
	srv := serve(t, ok(`{"result":5}`))
	c := client(t, srv.URL)
	reply, err := c.Do(t.Context(), upstash.NewScript(source, one).Command([]string{"a", "b"}, "1", "2"))
	require.NoError(t, err)
	n, err := reply.Int64()
	require.NoError(t, err)
	require.EqualValues(t, 5, n)
	require.Equal(t, `["EVALSHA","`+digest(source)+`","2","a","b","1","2"]`, srv.requests()[0].body)
	require.Equal(t, map[string]int64{"EVALSHA": 1, upstash.InnerCalls: 1}, c.Meter().Usage().ByName)
}

func TestUnknownScriptIsSentWithItsSource(t *testing.T) {
	for _, status := range []int{200, 400} {
		srv := serve(t, answer(status, noScript), ok(`{"result":5}`))
		c := client(t, srv.URL)
		_, err := c.Do(t.Context(), upstash.NewScript(source, one).Command([]string{"a"}))
		require.NoError(t, err)
		got := srv.requests()
		require.Len(t, got, 2)
		require.Equal(t, `["EVAL",`+strconv.Quote(source)+`,"1","a"]`, got[1].body)
		require.Equal(t, map[string]int64{"EVALSHA": 1, "EVAL": 1, upstash.InnerCalls: 1}, c.Meter().Usage().ByName)
		require.EqualValues(t, 3, c.Meter().Usage().Commands)
	}
}

func TestOnlyUnknownScriptsOfAPipelineAreSentAgain(t *testing.T) {
	script := upstash.NewScript(source, one)
	srv := serve(t,
		ok(`[{"result":`+text("v")+`},`+noScript+`,{"result":1},`+noScript+`]`),
		ok(`[{"result":7},{"result":8}]`))
	c := client(t, srv.URL)
	res, err := c.Pipeline(t.Context(),
		upstash.Cmd("GET", "k"), script.Command([]string{"a"}), upstash.Cmd("INCR", "n"), script.Command([]string{"b"}))
	require.NoError(t, err)
	require.NoError(t, res.Err())
	require.Equal(t, 1, res.Attempts)
	for i, want := range []string{"v", "7", "1", "8"} {
		got, err := res.Replies[i].Text()
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	src := strconv.Quote(source)
	require.Equal(t, `[["EVAL",`+src+`,"1","a"],["EVAL",`+src+`,"1","b"]]`, srv.requests()[1].body)
	require.Equal(t, map[string]int64{"GET": 1, "INCR": 1, "EVALSHA": 2, "EVAL": 2, upstash.InnerCalls: 2},
		c.Meter().Usage().ByName)
}

func TestCommandsBehindAnUnknownScriptSeeItsEffect(t *testing.T) {
	script := upstash.NewScript(source, one)
	srv := serve(t,
		ok(`[{"result":1},`+noScript+`,{"result":0},{"result":null}]`),
		ok(`[{"result":7},{"result":1},{"result":`+text("v")+`}]`))
	c := client(t, srv.URL)
	res, err := c.Pipeline(t.Context(), upstash.Cmd("INCR", "n"), script.Command([]string{"a"}).Idempotent(),
		upstash.Cmd("SADD", "s", "m").Idempotent(), upstash.Cmd("GET", "a"))
	require.NoError(t, err)
	require.NoError(t, res.Err())
	require.Equal(t, 2, res.Attempts, "SADD ran twice")
	for i, want := range []string{"1", "7", "1", "v"} {
		got, err := res.Replies[i].Text()
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	require.Equal(t, `[["EVAL",`+strconv.Quote(source)+`,"1","a"],["SADD","s","m"],["GET","a"]]`, srv.requests()[1].body)
}

func TestUnknownScriptOfAnotherIsLeftAlone(t *testing.T) {
	srv := serve(t, ok(`[`+noScript+`]`))
	res, err := client(t, srv.URL).Pipeline(t.Context(), upstash.Cmd("EVALSHA", digest("x"), "0"))
	require.NoError(t, err)
	require.ErrorIs(t, res.Err(), upstash.KindScript)
	require.False(t, failed(t, res.Err()).MaybeApplied())
	require.Len(t, srv.requests(), 1)
}

func TestFallbackThatFailsTellsWhatMayHaveHappened(t *testing.T) {
	script := upstash.NewScript(source, nil)
	t.Run("alone, refused", func(t *testing.T) {
		srv := serve(t, ok(noScript), answer(401, ""))
		_, err := client(t, srv.URL).Do(t.Context(), script.Command(nil))
		require.False(t, failed(t, err).MaybeApplied())
	})
	t.Run("alone, after a lost send", func(t *testing.T) {
		srv := serve(t, cut, ok(noScript), answer(401, ""))
		_, err := client(t, srv.URL).Do(t.Context(), script.Command(nil).Idempotent())
		require.True(t, failed(t, err).MaybeApplied())
	})
	t.Run("with others, which were applied", func(t *testing.T) {
		srv := serve(t, ok(`[{"result":1},`+noScript+`]`), answer(401, ""))
		_, err := client(t, srv.URL).Pipeline(t.Context(), upstash.Cmd("INCR", "n"), script.Command(nil).Idempotent())
		require.True(t, failed(t, err).MaybeApplied())
		require.False(t, failed(t, err).SafeToRetry())
	})
	t.Run("with others, cut once and answered", func(t *testing.T) {
		srv := serve(t, ok(`[{"result":1},`+noScript+`]`), cut, ok(`[{"result":2}]`))
		res, err := client(t, srv.URL).Pipeline(t.Context(), upstash.Cmd("INCR", "n"), script.Command(nil).Idempotent())
		require.NoError(t, err)
		require.Equal(t, 2, res.Attempts)
	})
	t.Run("still unknown", func(t *testing.T) {
		srv := serve(t, ok(noScript))
		_, err := client(t, srv.URL).Do(t.Context(), script.Command(nil))
		require.ErrorIs(t, err, upstash.KindScript)
		require.Len(t, srv.requests(), 2)
	})
}

func TestTransactionCarriesTheSource(t *testing.T) {
	srv := serve(t, ok(`[{"result":1},{"result":"OK"}]`))
	c := client(t, srv.URL)
	res, err := c.MultiExec(t.Context(), upstash.NewScript(source, one).Command([]string{"a"}), upstash.Cmd("SET", "k", "v"))
	require.NoError(t, err)
	require.NoError(t, res.Err())
	require.Equal(t, `[["EVAL",`+strconv.Quote(source)+`,"1","a"],["SET","k","v"]]`, srv.requests()[0].body)
	require.Equal(t, map[string]int64{"MULTI": 1, "EXEC": 1, "EVAL": 1, "SET": 1, upstash.InnerCalls: 1},
		c.Meter().Usage().ByName)
}

func TestScriptErrorsNameTheFirstKey(t *testing.T) {
	script := upstash.NewScript(source, func(upstash.Reply) int { return 9 })
	srv := serve(t, ok(`[{"error":"ERR Error running script (call to f_1): user_script:1: boom"}]`))
	c := client(t, srv.URL)
	res, err := c.Pipeline(t.Context(), script.Command([]string{"lb:duels:elo"}, "s3nsitive"))
	require.NoError(t, err)
	e := failed(t, res.Err())
	require.ErrorContains(t, e, `pipeline item 0 EVALSHA "lb:duels:elo": script failed`)
	require.True(t, e.MaybeApplied())
	require.EqualValues(t, 10, c.Meter().Usage().Commands, "what ran before the failure is on the bill")
}

func ExampleScript() {
	// Adds one to each key and answers how many there were.
	each := upstash.NewScript(
		`for _, k in ipairs(KEYS) do redis.call('INCR', k) end return #KEYS`,
		func(r upstash.Reply) int {
			n, _ := r.Int64()
			return int(n)
		})
	srv, c := exampleServer(`{"result":2}`)
	defer srv.Close()
	reply, err := c.Do(context.Background(), each.Command([]string{"a", "b"}))
	if err != nil {
		fmt.Println(err)
		return
	}
	n, _ := reply.Int64()
	fmt.Println(n, "keys,", c.Meter().Usage().Commands, "billed commands")
	// Output: 2 keys, 3 billed commands
}
