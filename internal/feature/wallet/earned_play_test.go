package wallet_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// Each play earns once, whichever score stands: sent again, from several processes at
// once, or with the connection to Redis cut before and after each step.
func TestEachAcceptedPlayEarnsOnce(t *testing.T) {
	s := earningPlays(t)
	for _, score := range []int{50, 60, 40} { // improves, and is kept out
		p := s.Take("user_a", "seeded")
		var all sync.WaitGroup
		for range 4 {
			process := s.Process()
			all.Go(func() {
				other := *s
				other.Handler = process
				other.Send(other.As("user_a", apitest.Post(apitest.Scores, apitest.Scored(p, score, ""))))
			})
		}
		all.Wait()
		s.Pass()
		s.Want(http.StatusOK, s.As("user_a", apitest.Get(apitest.WalletsPath)))
	}
	require.JSONEq(t, `{"wallets":{"coins":{"balance":3,"earned":3,"spent":0}}}`, s.Wallet("user_a"))

	earned := 3
	for step := range 6 {
		for _, fault := range []upstashtest.Fault{{CutBefore: true}, {CutAfter: true}} {
			p, exchange := s.Take("user_a", "seeded"), 0
			s.Redis.Server.Inject(func(upstashtest.Request) upstashtest.Fault {
				exchange++
				if at := exchange - 1; at >= step && at < step+apitest.Attempts {
					return fault
				}
				return upstashtest.Fault{}
			})
			c := s.As("user_a", apitest.Post(apitest.Scores, apitest.Scored(p, 5, "")))
			s.Send(c)
			s.MendRedis()
			s.Pass()
			s.Insist(c)
			earned++
			require.Contains(t, s.Wallet("user_a"), fmt.Sprintf(`"earned":%d,`, earned), "step %d", step)
		}
	}
}

func TestAPlayThatEarnsCostsNoMore(t *testing.T) {
	var costs [2]int64
	for i, currencies := range []string{"", "currencies: {coins: {seeded: 1}}\n"} {
		s := apitest.NewStack(t)
		s.Clock.Stop()
		s.Game = apitest.PlaysHead + "streak: off\n" + currencies + apitest.PlaysModes
		s.Handler = s.Process()
		for _, player := range []string{"user_a", "user_b"} {
			s.Want(http.StatusCreated, s.As(player, apitest.Post(apitest.Scores, apitest.Scored(s.Take(player, "seeded"), 5, ""))))
		}
		p := s.Take("user_a", "seeded")
		costs[i], _ = s.Spent(func() {
			s.Want(http.StatusCreated, s.As("user_a", apitest.Post(apitest.Scores, apitest.Scored(p, 9, ""))))
		})
	}
	require.Equal(t, costs[0], costs[1])
}
