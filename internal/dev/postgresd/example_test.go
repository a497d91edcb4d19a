package postgresd_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/framedle/leaderboards/internal/dev/postgresd"
)

func ExampleStart() {
	s, err := postgresd.Start(context.Background(), postgresd.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Stop()
	fmt.Println(strings.HasPrefix(s.URL(), "postgres://postgres:"), strings.HasPrefix(s.Addr(), "127.0.0.1:"))
	// Output: true true
}
