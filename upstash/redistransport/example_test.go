package redistransport_test

import (
	"context"
	"fmt"

	"github.com/framedle/leaderboards/internal/dev/redisd"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/redistransport"
)

func Example() {
	ctx := context.Background()
	redis, err := redisd.Start(ctx, redisd.Options{}) // stands in for a server of one's own
	if err != nil {
		fmt.Println(err)
		return
	}
	defer redis.Stop()
	transport, err := redistransport.New(redis.URL())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer transport.Close()
	client, err := upstash.New(upstash.Config{Transport: transport})
	if err != nil {
		fmt.Println(err)
		return
	}
	res, err := client.MultiExec(ctx,
		upstash.Cmd("ZADD", "board", "NX", "800", "user_a").Idempotent(),
		upstash.Cmd("ZCARD", "board"))
	if err == nil {
		err = res.Err()
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	count, _ := res.Replies[1].Int64()
	fmt.Println(count, "player,", client.Meter().Usage().Commands, "commands")
	// Output: 1 player, 4 commands
}
