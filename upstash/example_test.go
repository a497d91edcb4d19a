package upstash_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// exampleServer always gives the same answer.
func exampleServer(body string) (*httptest.Server, *upstash.Client) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, body)
	}))
	c, err := upstash.New(upstash.Config{URL: srv.URL, Token: "token"})
	if err != nil {
		fmt.Println(err)
	}
	return srv, c
}

func ExampleClient_Do() {
	srv, c := exampleServer(`{"result":"ODAw"}`) // 800 in base64
	defer srv.Close()
	reply, err := c.Do(context.Background(), upstash.Cmd("ZSCORE", "lb:daily_frame:2026-11-21", "user_a"))
	if err != nil {
		fmt.Println(err)
		return
	}
	switch score, err := reply.Float64(); {
	case errors.Is(err, upstash.ErrNil):
		fmt.Println("not on the board")
	default:
		fmt.Println(score, err)
	}
	// Output: 800 <nil>
}

func ExampleClient_Pipeline() {
	srv, c := exampleServer(`[{"result":1},{"result":[11,"ODAw"]}]`)
	defer srv.Close()
	const board = "lb:daily_frame:2026-11-21"
	res, err := c.Pipeline(context.Background(),
		upstash.Cmd("ZADD", board, "NX", "800", "user_a").Idempotent(),
		upstash.Cmd("ZREVRANK", board, "user_a", "WITHSCORE"),
	)
	if err == nil {
		err = res.Err()
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	added, _ := res.Replies[0].Int64()
	standing, _ := res.Replies[1].Strings()
	fmt.Println(added, standing)
	// Output: 1 [11 800]
}

func ExampleWithMeter() {
	srv, c := exampleServer(`[{"result":1},{"result":2}]`)
	defer srv.Close()
	var m upstash.Meter
	_, err := c.Pipeline(upstash.WithMeter(context.Background(), &m), upstash.Cmd("ZCARD", "a"), upstash.Cmd("ZCARD", "b"))
	u := m.Usage()
	fmt.Println(u.Commands, "commands in", u.RoundTrips, "round trip", err)
	// Output: 2 commands in 1 round trip <nil>
}

func ExampleError() {
	srv, c := exampleServer(`{"error":"ERR max requests limit exceeded. Limit: 500000, Usage: 500000"}`)
	defer srv.Close()
	_, err := c.Do(context.Background(), upstash.Cmd("INCR", "n"))
	if e := new(upstash.Error); errors.As(err, &e) {
		fmt.Println(e.Kind(), "- applied perhaps:", e.MaybeApplied(), "- safe to retry:", e.SafeToRetry())
	}
	// Output: quota exceeded - applied perhaps: false - safe to retry: true
}

func ExampleClient_Subscribe() {
	srv, err := upstashtest.New(upstashtest.Options{}) // in a test: upstashtest.Start
	if err != nil {
		fmt.Println(err)
		return
	}
	defer srv.Close()
	c, err := upstash.New(upstash.Config{URL: srv.URL(), Token: srv.Token()})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	for event, err := range c.Subscribe(ctx, "scores") {
		if err != nil {
			fmt.Println(err)
			return
		}
		switch event.Kind {
		case upstash.EventSubscribed:
			fmt.Println("listening, missed something before:", event.Gap)
			if _, err := c.Do(ctx, upstash.Cmd("PUBLISH", "scores", "user_a 800")); err != nil {
				fmt.Println(err)
			}
		case upstash.EventLost:
			fmt.Println("lost:", event.Err)
		case upstash.EventMessage:
			fmt.Println(event.Message.Channel, "-", event.Message.Payload)
			return
		}
	}
	// Output:
	// listening, missed something before: false
	// scores - user_a 800
}

func ExampleResult_ErrOf() {
	srv, c := exampleServer(`[{"result":1},{"error":"WRONGTYPE Operation against a key holding the wrong kind of value"}]`)
	defer srv.Close()
	res, err := c.Pipeline(context.Background(), upstash.Cmd("INCR", "n"), upstash.Cmd("LPUSH", "n", "x"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.ErrOf(0))
	if e := new(upstash.Error); errors.As(res.ErrOf(1), &e) {
		fmt.Println(e.Index(), e.Command(), "-", e.Kind())
	}
	// Output:
	// <nil>
	// 1 LPUSH - command refused
}

func ExampleBreaker() {
	srv, c := exampleServer("no database here")
	srv.Close()
	for {
		_, err := c.Do(context.Background(), upstash.Cmd("GET", "k"))
		if errors.Is(err, upstash.ErrCircuitOpen) {
			fmt.Println("not even asked:", upstash.KindOf(err))
			return
		}
	}
	// Output: not even asked: unavailable
}
