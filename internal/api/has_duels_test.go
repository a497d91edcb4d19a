package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"
)

// tellDuels has a duel decided, and tells of it.
func tellDuels(s *apitest.Stack, tell func(status int, c apitest.Call)) {
	s.Arrange("match", "user_a", "user_b")
	tell(200, apitest.Post(apitest.DuelsPath+"/match/result", apitest.Won).Signed())
	tell(200, s.As("user_a", apitest.Get(apitest.DuelsPath)))
}
