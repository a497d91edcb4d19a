package redistransport_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/redisd"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/redistransport"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

func valkey(tb testing.TB) *redisd.Server {
	redis, err := redisd.Start(context.Background(), redisd.Options{})
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, redis.Stop()) })
	return redis
}

func plain(tb testing.TB, url string) *upstash.Client {
	transport, err := redistransport.New(url)
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, transport.Close()) })
	c, err := upstash.New(upstash.Config{
		Transport: transport,
		Sleep:     func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	})
	require.NoError(tb, err)
	return c
}

func failed(t *testing.T, err error) *upstash.Error {
	t.Helper()
	var e *upstash.Error
	require.ErrorAs(t, err, &e)
	return e
}

func randomCommand(r *rand.Rand) upstash.Command {
	key := "k" + strconv.Itoa(r.IntN(6))
	n := strconv.Itoa(r.IntN(9))
	all := [][]string{
		{"SET", key, strings.Repeat(n, r.IntN(9))}, {"GET", key}, {"INCR", key}, {"DEL", key}, {"EXISTS", key, key},
		{"ZADD", key, n + ".5", "m" + n}, {"ZSCORE", key, "m" + n}, {"ZREVRANK", key, "m" + n, "WITHSCORE"},
		{"ZRANGE", key, "0", "-1", "WITHSCORES"}, {"HSET", key, "f", n}, {"HMGET", key, "f", "g"},
		{"LPUSH", key, n}, {"LRANGE", key, "0", "-1"}, {"SCAN", "0", "COUNT", "100", "MATCH", "none"},
		{"NOSUCH", key}, {"GET"}, {"EVAL", "return {1, {'a', false}, redis.error_reply('MY words')}", "0"},
	}
	return upstash.Cmd(all[r.IntN(len(all))]...)
}

// shown is everything a reply or an error says.
func shown(r upstash.Reply, err error) string {
	if e := new(upstash.Error); errors.As(err, &e) {
		return fmt.Sprint(e.Kind(), e.MaybeApplied(), e.SafeToRetry(), e.Index(), e.Command(), e.Message)
	}
	if r.Err() != nil {
		return r.Err().Error()
	}
	if items, err := r.Array(); err == nil {
		all := make([]string, len(items))
		for i, item := range items {
			all[i] = shown(item, nil)
		}
		return fmt.Sprint(all)
	}
	text, err := r.Text()
	return fmt.Sprintf("%q %v", text, err)
}

func shownAll(res upstash.Result, err error) string {
	all := []string{shown(upstash.Reply{}, err), shown(upstash.Reply{}, res.Err())}
	for _, reply := range res.Replies {
		all = append(all, shown(reply, nil))
	}
	return strings.Join(all, "\n")
}

func TestSameAnswersAndErrorsAsOverREST(t *testing.T) {
	one, other := valkey(t), valkey(t)
	srv := upstashtest.Start(t, upstashtest.Options{Redis: one.URL()})
	rest, err := upstash.New(upstash.Config{URL: srv.URL(), Token: srv.Token()})
	require.NoError(t, err)
	tcp := plain(t, other.URL())
	r := rand.New(rand.NewPCG(1, 2))
	ctx := t.Context()
	for range 400 {
		cmds := make([]upstash.Command, 1+r.IntN(5))
		for i := range cmds {
			cmds[i] = randomCommand(r)
		}
		switch r.IntN(3) {
		case 0:
			require.Equal(t, shown(rest.Do(ctx, cmds[0])), shown(tcp.Do(ctx, cmds[0])), "%v", cmds[0])
		case 1:
			require.Equal(t, shownAll(rest.Pipeline(ctx, cmds...)), shownAll(tcp.Pipeline(ctx, cmds...)), "%v", cmds)
		case 2:
			require.Equal(t, shownAll(rest.MultiExec(ctx, cmds...)), shownAll(tcp.MultiExec(ctx, cmds...)), "%v", cmds)
		}
	}
	a, b := rest.Meter().Usage(), tcp.Meter().Usage()
	require.Equal(t, a.ByName, b.ByName)
	require.Equal(t, a.RoundTrips, b.RoundTrips)
}

func TestAnyBytesAndLargeNumbersSurvive(t *testing.T) {
	c := plain(t, valkey(t).URL())
	value := "\x00\xff\r\n" + strings.Repeat("é", 100_000)
	_, err := c.Do(t.Context(), upstash.Cmd("SET", "\xfe", value))
	require.NoError(t, err)
	reply, err := c.Do(t.Context(), upstash.Cmd("GET", "\xfe"))
	require.NoError(t, err)
	got, err := reply.Text()
	require.NoError(t, err)
	require.Equal(t, value, got)
	reply, err = c.Do(t.Context(), upstash.Cmd("INCRBY", "n", "9223372036854775807"))
	require.NoError(t, err)
	n, err := reply.Int64()
	require.NoError(t, err)
	require.EqualValues(t, 1<<63-1, n)
}

func TestScriptsFallBackToTheirSource(t *testing.T) {
	c := plain(t, valkey(t).URL())
	script := upstash.NewScript("return redis.call('INCR', KEYS[1])", func(upstash.Reply) int { return 1 })
	for want := range int64(3) {
		reply, err := c.Do(t.Context(), script.Command([]string{"n"}))
		require.NoError(t, err)
		n, err := reply.Int64()
		require.NoError(t, err)
		require.Equal(t, want+1, n)
	}
	require.Equal(t, map[string]int64{"EVALSHA": 3, "EVAL": 1, upstash.InnerCalls: 3}, c.Meter().Usage().ByName)
}

func TestUnreachableServerSurelyAppliedNothing(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	addr := l.Addr().String()
	require.NoError(t, l.Close())
	c := plain(t, "redis://:s3cret@"+addr)
	for range 3 {
		_, err = c.Do(t.Context(), upstash.Cmd("INCR", "k"))
		require.ErrorIs(t, err, upstash.KindUnavailable)
		require.False(t, failed(t, err).MaybeApplied())
		require.NotContains(t, err.Error(), "s3cret")
	}
	require.Zero(t, c.Meter().Usage().Commands)
}

func TestLostAnswerMayHaveBeenApplied(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			// HELLO is answered, whatever comes next is not.
			buf := make([]byte, 1<<10)
			_, _ = conn.Read(buf)
			_, _ = conn.Write([]byte("-ERR unknown command 'HELLO'\r\n"))
			_, _ = conn.Read(buf)
			_ = conn.Close()
		}
	}()
	c := plain(t, "redis://"+l.Addr().String())
	_, err = c.Do(t.Context(), upstash.Cmd("INCR", "k"))
	require.ErrorIs(t, err, upstash.KindUnavailable)
	require.True(t, failed(t, err).MaybeApplied())
	require.EqualValues(t, 1, c.Meter().Usage().RoundTrips, "not sent again")
	_, err = c.Do(t.Context(), upstash.Cmd("GET", "k"))
	require.ErrorIs(t, err, upstash.KindUnavailable)
	require.EqualValues(t, 5, c.Meter().Usage().RoundTrips, "a read is tried four times")
}

func TestPasswordsAreCheckedAndNeverShown(t *testing.T) {
	redis := valkey(t)
	admin := plain(t, redis.URL())
	_, err := admin.Do(t.Context(), upstash.Cmd("CONFIG", "SET", "requirepass", "s3cret"))
	require.NoError(t, err)
	for _, url := range []string{redis.URL(), "redis://default:wr0ng@" + redis.Addr()} {
		c := plain(t, url)
		_, err = c.Do(t.Context(), upstash.Cmd("GET", "k"))
		require.ErrorIs(t, err, upstash.KindAuth)
		require.NotContains(t, err.Error(), "wr0ng")
		_, err = c.Pipeline(t.Context(), upstash.Cmd("GET", "k"), upstash.Cmd("INCR", "k"))
		require.ErrorIs(t, err, upstash.KindAuth)
		require.False(t, failed(t, err).MaybeApplied())
		_, err = c.MultiExec(t.Context(), upstash.Cmd("INCR", "k"))
		require.ErrorIs(t, err, upstash.KindAuth)
	}
	_, err = plain(t, "redis://:s3cret@"+redis.Addr()).Do(t.Context(), upstash.Cmd("GET", "k"))
	require.NoError(t, err)
}

func TestAContextEndsTheWait(t *testing.T) {
	c := plain(t, valkey(t).URL())
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := c.Do(ctx, upstash.Cmd("BLPOP", "none", "0"))
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.ErrorIs(t, err, upstash.KindUnavailable)
}

func TestSubscriptionSurvivesItsConnection(t *testing.T) {
	c := plain(t, valkey(t).URL())
	var words []string
	publish := func(channel, text string) {
		_, err := c.Do(t.Context(), upstash.Cmd("PUBLISH", channel, text))
		require.NoError(t, err)
	}
	for event, err := range c.PSubscribe(t.Context(), "a*") {
		require.NoError(t, err)
		switch event.Kind {
		case upstash.EventSubscribed:
			words = append(words, fmt.Sprint("subscribed ", event.Gap))
			publish("ab", "x,\r\n\xff")
		case upstash.EventLost:
			require.ErrorIs(t, event.Err, upstash.KindUnavailable)
			words = append(words, "lost")
		case upstash.EventMessage:
			require.Equal(t, upstash.Message{Pattern: "a*", Channel: "ab", Payload: "x,\r\n\xff"}, event.Message)
			words = append(words, "message")
			if len(words) < 4 {
				_, err := c.Do(t.Context(), upstash.Cmd("CLIENT", "KILL", "TYPE", "pubsub"))
				require.NoError(t, err)
			}
		}
		if len(words) == 5 {
			break
		}
	}
	require.Equal(t, []string{"subscribed false", "message", "lost", "subscribed true", "message"}, words)

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for _, err := range c.Subscribe(ctx, "b") {
		if err != nil {
			require.ErrorIs(t, err, context.Canceled)
			break
		}
		cancel()
	}
}

func TestAddressesThatCannotBeReadAreRefused(t *testing.T) {
	for _, url := range []string{"", "http://h", "redis://:s3cret@h:port", "redis://h/db", "redis://:s3cret@h?nosuch=1"} {
		_, err := redistransport.New(url)
		require.ErrorContains(t, err, "want redis://", url)
		require.NotContains(t, err.Error(), "s3cret")
	}
}
