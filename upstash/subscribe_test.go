package upstash_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/redisd"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// events answers a subscription with these events and stays until the end is
// wanted, or hangs up at once.
func events(stay bool, data ...string) step {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, d := range data {
			_, _ = io.WriteString(w, "data: "+strings.ReplaceAll(d, "\n", "\ndata: ")+"\n\n")
		}
		w.(http.Flusher).Flush()
		if stay {
			hang(w, r)
		}
	}
}

// heard are the events of a subscription as words, until one is last or the
// loop ends.
func heard(ctx context.Context, c *upstash.Client, last string, channels ...string) (words []string, err error) {
	for event, err := range c.Subscribe(ctx, channels...) {
		if err != nil {
			return words, err
		}
		word := ""
		switch event.Kind {
		case upstash.EventSubscribed:
			word = fmt.Sprintf("subscribed gap=%t", event.Gap)
		case upstash.EventMessage:
			word = event.Message.Channel + "=" + event.Message.Payload
		case upstash.EventLost:
			word = "lost " + upstash.KindOf(event.Err).Error()
		}
		if words = append(words, word); word == last {
			break
		}
	}
	return words, nil
}

func TestSubscriptionComesBackAndSaysSo(t *testing.T) {
	srv := serve(t,
		events(false, "subscribe,a,1", "subscribe,b,2", "message,a,x", "message,b,with,comma\nand line"),
		answer(503, ""),
		cut,
		answer(400, outOfQuota),
		events(true, "subscribe,a,1", "subscribe,b,2", "message,a,last"))
	n := new(naps)
	c := client(t, srv.URL+"/db", func(cfg *upstash.Config) {
		cfg.Sleep = n.sleep
		cfg.Rand = func() float64 { return 0.5 }
	})
	words, err := heard(t.Context(), c, "a=last", "a", "b")
	require.NoError(t, err)
	require.Equal(t, []string{
		"subscribed gap=false", "a=x", "b=with,comma\nand line",
		"lost unavailable", "lost unavailable", "lost unavailable", "lost quota exceeded",
		"subscribed gap=true", "a=last",
	}, words)
	const ms = time.Millisecond
	require.Equal(t, []time.Duration{50 * ms, 100 * ms, 200 * ms, 30*time.Second + 400*ms}, n.took)
	first := srv.requests()[0]
	require.Equal(t, "/db/subscribe/a/b", first.path)
	require.Equal(t, "text/event-stream", first.header.Get("Accept"))
	require.Equal(t, "Bearer "+testToken, first.header.Get("Authorization"))
	u := c.Meter().Usage()
	require.Equal(t, map[string]int64{"SUBSCRIBE": 4}, u.ByName, "one for each answer, none for the cut")
	require.Positive(t, u.Bytes["SUBSCRIBE"].Received)
}

func TestSubscriptionEndsForGoodReasons(t *testing.T) {
	t.Run("wrong token", func(t *testing.T) {
		srv := serve(t, answer(401, `{"error":"WRONGPASS `+testToken+`"}`))
		words, err := heard(t.Context(), client(t, srv.URL), "", "a")
		require.ErrorIs(t, err, upstash.KindAuth)
		failed(t, err)
		require.Empty(t, words)
	})
	t.Run("an error as event", func(t *testing.T) {
		srv := serve(t, events(true, `{"error":"NOPERM no subscriptions"}`))
		_, err := heard(t.Context(), client(t, srv.URL), "", "a")
		require.ErrorIs(t, err, upstash.KindAuth)
	})
	t.Run("no stream", func(t *testing.T) {
		srv := serve(t, answer(200, `{"result":1}`, "Content-Type", "application/json"))
		_, err := heard(t.Context(), client(t, srv.URL), "", "a")
		require.ErrorIs(t, err, upstash.KindProtocol)
	})
	t.Run("no channel", func(t *testing.T) {
		c := client(t, "http://db.test")
		for _, channels := range [][]string{nil, {""}, {"\xff"}} {
			_, err := heard(t.Context(), c, "", channels...)
			require.ErrorIs(t, err, upstash.KindArgument)
		}
	})
	t.Run("the context ends", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		srv := serve(t, events(true, "subscribe,a,1", "message,a,x"))
		var kinds []upstash.EventKind
		for event, err := range client(t, srv.URL).Subscribe(ctx, "a") {
			if err != nil {
				require.ErrorIs(t, err, context.Canceled)
				break
			}
			if kinds = append(kinds, event.Kind); event.Kind == upstash.EventMessage {
				cancel()
			}
		}
		require.Equal(t, []upstash.EventKind{upstash.EventSubscribed, upstash.EventMessage}, kinds)
	})
}

func TestUnconfirmedSubscriptionIsGivenUp(t *testing.T) {
	srv := serve(t, events(true), events(true, "subscribe,a,1"))
	c := client(t, srv.URL, func(cfg *upstash.Config) { cfg.Timeout = 50 * time.Millisecond })
	words, err := heard(t.Context(), c, "subscribed gap=false", "a")
	require.NoError(t, err)
	require.Equal(t, []string{"lost unavailable", "subscribed gap=false"}, words)
}

func TestMessageBeyondTheLimitEndsTheConnectionAlone(t *testing.T) {
	srv := serve(t, events(true, "subscribe,a,1", "message,a,"+strings.Repeat("x", 12<<20)), events(true, "subscribe,a,1"))
	words, err := heard(t.Context(), client(t, srv.URL), "subscribed gap=true", "a")
	require.NoError(t, err)
	require.Equal(t, []string{"subscribed gap=false", "lost too large", "subscribed gap=true"}, words)
}

func TestPatternsTellWhatTheyMatched(t *testing.T) {
	srv := serve(t, events(true, "psubscribe,lb:*,1", "pmessage,lb:*,lb:daily,x,y"))
	for event, err := range client(t, srv.URL).PSubscribe(t.Context(), "lb:*") {
		require.NoError(t, err)
		if event.Kind == upstash.EventMessage {
			require.Equal(t, upstash.Message{Pattern: "lb:*", Channel: "lb:daily", Payload: "x,y"}, event.Message)
			break
		}
	}
	require.Equal(t, "/psubscribe/lb:*", srv.requests()[0].path)
}

func TestEveryMessageArrivesFromALocalServer(t *testing.T) {
	redis, err := redisd.Start(t.Context(), redisd.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, redis.Stop()) })
	for name, url := range map[string]string{"embedded": "", "real": redis.URL()} {
		t.Run(name, func(t *testing.T) {
			srv := upstashtest.Start(t, upstashtest.Options{Redis: url})
			c, err := upstash.New(upstash.Config{URL: srv.URL(), Token: srv.Token()})
			require.NoError(t, err)
			const channel, count = "scores/of a,b?#é", 200
			var publish sync.Once
			var wait sync.WaitGroup
			defer wait.Wait()
			var got []string
			for event, err := range c.Subscribe(t.Context(), channel) {
				require.NoError(t, err)
				publish.Do(func() {
					wait.Go(func() {
						for i := range count {
							_, err := c.Do(t.Context(), upstash.Cmd("PUBLISH", channel, payload(i)))
							if err != nil {
								t.Error(err)
								return
							}
						}
					})
				})
				if event.Kind == upstash.EventMessage {
					require.Equal(t, channel, event.Message.Channel)
					got = append(got, event.Message.Payload)
				}
				if len(got) == count {
					break
				}
			}
			for i := range got {
				require.Equal(t, payload(i), got[i])
			}
		})
	}
}

func payload(i int) string {
	return strings.Repeat(fmt.Sprintf("%d,\n é", i), i%9)
}
