package redisd_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/framedle/leaderboards/internal/dev/redisd"
)

func ExampleStart() {
	s, err := redisd.Start(context.Background(), redisd.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Stop()
	fmt.Println(strings.HasPrefix(s.URL(), "redis://127.0.0.1:"))
	// Output: true
}
