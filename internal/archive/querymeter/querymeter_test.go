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
	fmt.Println(meter.Read())
	// Output: 3 100
}
