package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"fmt"
)

// callsOfDuels are calls that name an opponent.
func callsOfDuels(s *apitest.Stack, id string) []apitest.Call {
	return []apitest.Call{
		apitest.Post(apitest.DuelsPath, fmt.Sprintf(`{"players":["user_a",%q]}`, id)).Signed(),
		s.As("user_a", apitest.Post(apitest.DuelsPath, fmt.Sprintf(`{"opponent":%q}`, id))),
	}
}
