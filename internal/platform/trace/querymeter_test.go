package trace_test

import (
	"context"
	"fmt"

	"github.com/framedle/leaderboards/internal/platform/trace"
)

func ExampleQueryMeter() {
	var meter trace.QueryMeter
	ctx := trace.WithQueries(context.Background(), &meter)
	trace.AddQueries(ctx, 1, 100)
	trace.AddQueries(ctx, 2, 0)
	trace.AddQueries(context.Background(), 5, 5) // nobody counts these
	var part trace.QueryMeter
	trace.AddQueries(trace.WithQueries(ctx, &part), 1, 7)
	fmt.Println(meter.Read())
	fmt.Println(part.Read())
	// Output: 4 107
	// 1 7
}
