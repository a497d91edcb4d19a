package limit_test

import (
	"context"
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/game"
)

func ExampleLimiter_Take() {
	now := time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC)
	l := limit.New(limit.Options{
		Limits: game.Limits{Submit: game.CallerLimits{Player: game.Rate{Count: 2, Window: time.Minute}, RedisDown: game.LetPass}},
		Store:  newMemory(),
		Now:    func() time.Time { return now },
	})
	for range 3 {
		d, err := l.Take(context.Background(), limit.Submit, limit.Caller{Player: "user_a"})
		fmt.Println(d.Allowed, d.Limit(), err)
	}
	// Output:
	// true "submit-player";r=1 <nil>
	// true "submit-player";r=0 <nil>
	// false "submit-player";r=0;t=60 <nil>
}
