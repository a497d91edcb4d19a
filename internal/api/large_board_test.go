package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A large board that Redis unites costs hundreds of commands. It is made for everybody, so
// neither the player whose request begins it pays, nor others on the same account.
func TestALargeBoardIsMadeOnNobodysAccount(t *testing.T) {
	s := apitest.NewStack(t)
	s.Game = strings.Replace(apitest.TestGame, "commands: {player: off}", "commands: {player: 150/1d, unverified: 1/1s, burst: 100}", 1)
	s.Elapsed = func() time.Duration { return time.Second }
	for _, day := range []string{"2026-11-16", "2026-11-17", "2026-11-18"} {
		add := []string{"ZADD", "lb:daily:" + day}
		for i := range 60_000 {
			add = append(add, fmt.Sprintf("%d.015625", i%900), fmt.Sprintf("user_%06d", i))
		}
		s.Redis.Do(add...)
	}
	for name, ask := range map[string]func(n int) apitest.Call{
		"a stranger": func(n int) apitest.Call {
			return apitest.Get(fmt.Sprint(apitest.Daily, "?period=week&limit=", 10+n)).CameFrom("192.0.2.7:4711")
		},
		"a player": func(n int) apitest.Call {
			return s.As("user_000007", apitest.Get(fmt.Sprint(apitest.Daily, "?period=week&limit=", 20+n)))
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := s.On(t)
			s.Redis.Do("DEL", "lb:daily:week:2026-W47")
			for _, lock := range s.Redis.Do("KEYS", "refresh:*").([]any) {
				s.Redis.Do("DEL", fmt.Sprint(lock))
			}
			s.Handler = s.Process()
			before := s.Client.Meter().Usage()
			page := s.Want(http.StatusOK, ask(0))
			require.Contains(t, string(page.Body), `"total":60000`)
			spent := s.Client.Meter().Usage()
			require.Greater(t, spent.Commands-before.Commands, int64(200), "on the bill it is")
			require.Less(t, spent.BytesReceived-before.BytesReceived, int64(100_000))
			for n := range 4 {
				s.Want(http.StatusOK, ask(1+n))
			}
		})
	}
}
