package api_test

import (
	"fmt"

	"github.com/framedle/leaderboards/internal/dev/apitest"

	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/usage"
)

// A month of as many players as there are costs what this one does; what schedules take
// stays.
func TestMorePlayersCostWhatTheirCallsDo(t *testing.T) {
	s := apitest.NewStack(t)
	require.Nil(t, s.WhatIf("").WhatIf, "nobody has played")
	s.Counted(game.DateOf(apitest.Noon).AddDays(-1), map[string]string{
		"submit:p1:player:POST /v1/scores": usage.Count{Calls: 2600, Commands: 5100, Accepted: 2550}.String(),
		"submit:p1:lambda":                 usage.Lambda{Calls: 1000, Requests: 1000, Milliseconds: 8000, Memory: 8000 * 256, ColdStarts: 10, Logged: 200_000, Answered: 300_000}.String(),
		"cron-daily:p1:schedule:schedule":  usage.Count{Calls: 1, Commands: 150}.String(),
		"cron-daily:p1:lambda":             usage.Lambda{Calls: 1, Milliseconds: 20_000, Memory: 20_000 * 512, ColdStarts: 1, Logged: 150, Awake: 1}.String(),
	})
	const november = 30
	answer := s.WhatIf("?players=1000&days=1")
	require.EqualValues(t, 1000, answer.WhatIf.Players)
	require.False(t, answer.WhatIf.Guessed)
	require.InDelta(t, november*150, answer.WhatIf.Month.Fixed, 1e-3)
	require.InDelta(t, november*5.1, answer.WhatIf.Month.APlayer, 1e-3)
	require.InDelta(t, 10, float64(answer.WhatIf.Months[0].Players), 0)
	for _, m := range answer.WhatIf.Months {
		require.InDelta(t, answer.WhatIf.Month.Fixed+answer.WhatIf.Month.APlayer*float64(m.Players), float64(m.Commands), 1)
		require.InDelta(t, float64(m.Commands)*0.20/100_000, m.CommandsDollars, 1e-3)
		if m.Players == 1000 {
			require.Equal(t, answer.ProjectedMonth, m.Commands)
			require.InDelta(t, answer.Bill.Dollars, m.Dollars, 1e-9)
		}
	}
	require.Greater(t, answer.WhatIf.Months[len(answer.WhatIf.Months)-1].Dollars, 100.0, "a plan that is bought by size does not hold a million players")
	guess := s.WhatIf("?days=1").WhatIf
	require.True(t, guess.Guessed)
	require.Equal(t, answer.WhatIf.Month.Fixed, guess.Month.Fixed)
	require.InDelta(t, 2550/2.55, guess.Players, 1e-9)
	for _, wrong := range []string{"0", "-1", "10000001", "many"} {
		s.Want(http.StatusBadRequest, apitest.Get(apitest.OpsUsage+"?players="+wrong).Bearer(apitest.OpsToken)).Problem(t, "invalid-request")
	}
}

// Which calls of a route failed and which were throttled is told where it is known.
func TestARoutesFailuresAreTold(t *testing.T) {
	s := apitest.NewStack(t)
	s.Counted(game.DateOf(apitest.Noon), map[string]string{
		"submit:p1:player:POST /v1/scores":    usage.Count{Calls: 5, Commands: 9, RoundTrips: 5, Failed: 2, Throttled: 1}.String(),
		"submit:p2:anonymous:POST /v1/scores": usage.Count{Calls: 1, Throttled: 1}.String(),
	})
	body := string(s.Want(http.StatusOK, apitest.Get(apitest.OpsUsage+"?days=1&by=route").Bearer(apitest.OpsToken)).Body)
	require.Contains(t, body, fmt.Sprintf(`"POST /v1/scores":{"calls":6,"commands":9,"round_trips":5,"failed":2,"throttled":2,"budget":%d}`, s.Budgets()["POST /v1/scores"]))
}
