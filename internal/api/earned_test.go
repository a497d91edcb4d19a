package api_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash/upstashtest"
)

func (s *stack) wallet(player string) string {
	s.Helper()
	return string(s.want(http.StatusOK, s.as(player, get(walletsPath))).body)
}

func earningPlays(t *testing.T) *stack {
	s := newStack(t)
	s.game = playsHead + "currencies: {coins: {seeded: 1, time_30: 2, plain: 10}}\n" + playsModes
	s.handler = s.process()
	return s
}

// Each play earns once, whichever score stands: sent again, from several processes at
// once, or with the connection to Redis cut before and after each step.
func TestEachAcceptedPlayEarnsOnce(t *testing.T) {
	s := earningPlays(t)
	for _, score := range []int{50, 60, 40} { // improves, and is kept out
		p := s.take("user_a", "seeded")
		var all sync.WaitGroup
		for range 4 {
			process := s.process()
			all.Go(func() {
				other := *s
				other.handler = process
				other.send(other.as("user_a", post(scores, scored(p, score, ""))))
			})
		}
		all.Wait()
		s.pass()
		s.want(http.StatusOK, s.as("user_a", get(walletsPath)))
	}
	require.JSONEq(t, `{"wallets":{"coins":{"balance":3,"earned":3,"spent":0}}}`, s.wallet("user_a"))

	earned := 3
	for step := range 6 {
		for _, fault := range []upstashtest.Fault{{CutBefore: true}, {CutAfter: true}} {
			p, exchange := s.take("user_a", "seeded"), 0
			s.redis.Server.Inject(func(upstashtest.Request) upstashtest.Fault {
				exchange++
				if at := exchange - 1; at >= step && at < step+attempts {
					return fault
				}
				return upstashtest.Fault{}
			})
			c := s.as("user_a", post(scores, scored(p, 5, "")))
			s.send(c)
			s.mendRedis()
			s.pass()
			s.insist(c)
			earned++
			require.Contains(t, s.wallet("user_a"), fmt.Sprintf(`"earned":%d,`, earned), "step %d", step)
		}
	}
}

func TestModesWithoutPlaysEarnByTheDay(t *testing.T) {
	s := earningPlays(t)
	for _, score := range []string{"5", "7", "6"} {
		s.play("user_a", "plain", score)
	}
	require.Contains(t, s.wallet("user_a"), `"earned":10,`)
	s.want(http.StatusCreated, post(scores, `{"mode":"seeded","player":"user_a","score":5}`).signed())
	require.Contains(t, s.wallet("user_a"), `"earned":10,`, "a game server's score without a play is none")
}

func TestAPlayThatEarnsCostsNoMore(t *testing.T) {
	var costs [2]int64
	for i, currencies := range []string{"", "currencies: {coins: {seeded: 1}}\n"} {
		s := newStack(t)
		s.clock.Stop()
		s.game = playsHead + "streak: off\n" + currencies + playsModes
		s.handler = s.process()
		for _, player := range []string{"user_a", "user_b"} {
			s.want(http.StatusCreated, s.as(player, post(scores, scored(s.take(player, "seeded"), 5, ""))))
		}
		p := s.take("user_a", "seeded")
		costs[i], _ = s.spent(func() { s.want(http.StatusCreated, s.as("user_a", post(scores, scored(p, 9, "")))) })
	}
	require.Equal(t, costs[0], costs[1])
}
