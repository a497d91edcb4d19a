package duel_test

import (
	"context"
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

func ExampleStore_Report() {
	redis, err := upstashtest.New(upstashtest.Options{})
	if err != nil {
		panic(err)
	}
	defer func() { _ = redis.Close() }()
	client, err := upstash.New(upstash.Config{URL: redis.URL(), Token: redis.Token()})
	if err != nil {
		panic(err)
	}
	rules, err := gamefile.Parse("chess.yaml", []byte("name: chess\nmodes: {puzzle: {max: 10}}\nduels: {points: {win: 50}}\n"))
	if err != nil {
		panic(err)
	}
	duels := duel.New(duel.Options{Redis: client, Game: rules, Now: time.Now, NewID: func() string { return "of-our-own" }})

	ctx := context.Background()
	d, err := duels.Arrange(ctx, "match-17", [2]string{"user_ana", "user_bo"}, "")
	if err != nil {
		panic(err)
	}
	for range 2 { // told twice, it counts once
		d, err = duels.Report(ctx, d.ID, duel.Result{Winner: "user_bo"})
		if err != nil {
			panic(err)
		}
		fmt.Println(d.State, d.Ratings[0].After, d.Ratings[1].After, d.Points)
	}
	_, err = duels.Report(ctx, d.ID, duel.Result{Winner: "user_ana"})
	fmt.Println(err)
	// Output:
	// decided 984 1016 [0 50]
	// decided 984 1016 [0 50]
	// a different result was already reported for this duel
}
