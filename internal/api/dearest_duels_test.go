package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"fmt"
)

// meetsInDuels has a player meet more others than a page of an export has.
func meetsInDuels(s *apitest.Stack, fresh func(string) string, me string) {
	for i := range 101 {
		s.Arrange(fresh("match"), me, fmt.Sprint("user_o", i))
	}
}
