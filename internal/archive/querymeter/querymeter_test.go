package querymeter_test

import (
	"context"
	"fmt"

	"github.com/framedle/leaderboards/internal/archive/querymeter"
)

func Example() {
	var meter querymeter.Meter
	ctx := querymeter.With(context.Background(), &meter)
	querymeter.Add(ctx, 1, 100)
	querymeter.Add(ctx, 2, 0)
	querymeter.Add(context.Background(), 5, 5) // nobody counts these
	var part querymeter.Meter
	querymeter.Add(querymeter.With(ctx, &part), 1, 7)
	fmt.Println(meter.Read())
	fmt.Println(part.Read())
	// Output: 4 107
	// 1 7
}
