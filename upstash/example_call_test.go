package upstash_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// One client for the life of the process, here against the local server.
func ExampleNew() {
	srv, err := upstashtest.New(upstashtest.Options{}) // in a test: upstashtest.Start
	if err != nil {
		fmt.Println(err)
		return
	}
	defer srv.Close()
	client, err := upstash.New(upstash.Config{
		URL:     srv.URL(),   // UPSTASH_REDIS_REST_URL
		Token:   srv.Token(), // UPSTASH_REDIS_REST_TOKEN
		Timeout: 2 * time.Second,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	if _, err := client.Do(ctx, upstash.Cmd("SET", "name", "Ana")); err != nil {
		fmt.Println(err)
		return
	}
	reply, err := client.Do(ctx, upstash.Cmd("GET", "name"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(reply.Text())
	// Output: Ana <nil>
}

// Both writes happen, or neither; what fails at run time fails alone.
func ExampleClient_MultiExec() {
	srv, err := upstashtest.New(upstashtest.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer srv.Close()
	client, err := upstash.New(upstash.Config{URL: srv.URL(), Token: srv.Token()})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	res, err := client.MultiExec(ctx,
		upstash.Cmd("ZINCRBY", "xp", "50", "ana"),
		upstash.Cmd("SET", "granted", "1", "NX"),
	)
	if err == nil {
		err = res.Err()
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	xp, _ := res.Replies[0].Float64()
	fmt.Println(xp, client.Meter().Usage().ByName)

	_, err = client.MultiExec(ctx, upstash.Cmd("ZINCRBY", "xp", "50", "ana"), upstash.Cmd("SET", "granted"))
	if e := new(upstash.Error); errors.As(err, &e) {
		fmt.Println(e.Kind(), "- applied perhaps:", e.MaybeApplied())
	}
	// Output:
	// 50 map[EXEC:1 MULTI:1 SET:1 ZINCRBY:1]
	// command refused - applied perhaps: false
}
