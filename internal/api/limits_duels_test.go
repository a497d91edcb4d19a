package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"
)

func wrongDuels(s *apitest.Stack) []apitest.Call {
	return []apitest.Call{s.As("user_a", apitest.Post(apitest.DuelsPath, `{"a":1}`))}
}
