package lambdatest_test

import (
	"context"
	"fmt"

	"github.com/framedle/leaderboards/internal/platform/host/lambdatest"
)

func ExampleStart() {
	ctx := context.Background()
	f, err := lambdatest.Start(ctx, lambdatest.Options{
		Bootstrap: raw, // as lambdatest.Build leaves it
		Env:       []string{"MODE=echo"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = f.Close() }()
	answer, err := f.Invoke(ctx, []byte(`{"hello":"ana"}`))
	fmt.Println(string(answer.Payload), err)
	// Output: {"hello":"ana"} <nil>
}
