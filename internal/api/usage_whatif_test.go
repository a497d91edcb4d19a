package api_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/usage"
)

type whatIf struct {
	WhatIf *struct {
		Players float64
		Guessed bool
		Month   struct {
			Fixed   float64
			APlayer float64 `json:"a_player"`
		}
		Months []struct {
			Players, Commands int64
			Dollars           float64
			CommandsDollars   float64 `json:"commands_dollars"`
		}
	} `json:"what_if"`
	ProjectedMonth int64 `json:"projected_month"`
	Bill           struct{ Dollars float64 }
}

func (s *stack) whatIf(query string) (told whatIf) {
	require.NoError(s, json.Unmarshal(s.want(http.StatusOK, get(opsUsage+query).bearer(opsToken)).body, &told))
	return told
}

func (s *stack) counted(day game.Date, counts map[string]string) {
	for field, value := range counts {
		_, err := s.redis.Server.Redis().Do(s.Context(), "HSET", usage.Key(day), field, value)
		require.NoError(s, err)
	}
}

// A month of as many players as there are costs what this one does; what schedules take
// stays.
func TestMorePlayersCostWhatTheirCallsDo(t *testing.T) {
	s := newStack(t)
	require.Nil(t, s.whatIf("").WhatIf, "nobody has played")
	s.counted(game.DateOf(noon).AddDays(-1), map[string]string{
		"submit:p1:player:POST /v1/scores": usage.Count{Calls: 2600, Commands: 5100, Accepted: 2550}.String(),
		"submit:p1:lambda":                 usage.Lambda{Calls: 1000, Requests: 1000, Milliseconds: 8000, Memory: 8000 * 256, ColdStarts: 10, Logged: 200_000, Answered: 300_000}.String(),
		"cron-daily:p1:schedule:schedule":  usage.Count{Calls: 1, Commands: 150}.String(),
		"cron-daily:p1:lambda":             usage.Lambda{Calls: 1, Milliseconds: 20_000, Memory: 20_000 * 512, ColdStarts: 1, Logged: 150, Awake: 1}.String(),
	})
	const november = 30
	told := s.whatIf("?players=1000&days=1")
	require.EqualValues(t, 1000, told.WhatIf.Players)
	require.False(t, told.WhatIf.Guessed)
	require.InDelta(t, november*150, told.WhatIf.Month.Fixed, 1e-3)
	require.InDelta(t, november*5.1, told.WhatIf.Month.APlayer, 1e-3)
	require.InDelta(t, 10, float64(told.WhatIf.Months[0].Players), 0)
	for _, m := range told.WhatIf.Months {
		require.InDelta(t, told.WhatIf.Month.Fixed+told.WhatIf.Month.APlayer*float64(m.Players), float64(m.Commands), 1)
		require.InDelta(t, float64(m.Commands)*0.20/100_000, m.CommandsDollars, 1e-3)
		if m.Players == 1000 {
			require.Equal(t, told.ProjectedMonth, m.Commands)
			require.InDelta(t, told.Bill.Dollars, m.Dollars, 1e-9)
		}
	}
	require.Greater(t, told.WhatIf.Months[len(told.WhatIf.Months)-1].Dollars, 100.0, "a plan that is bought by size does not hold a million players")
	guess := s.whatIf("?days=1").WhatIf
	require.True(t, guess.Guessed)
	require.Equal(t, told.WhatIf.Month.Fixed, guess.Month.Fixed)
	require.InDelta(t, 2550/2.55, guess.Players, 1e-9)
	for _, wrong := range []string{"0", "-1", "10000001", "many"} {
		s.want(http.StatusBadRequest, get(opsUsage+"?players="+wrong).bearer(opsToken)).problem(t, "invalid-request")
	}
}

// Which calls of a route failed and which were throttled is told where it is known.
func TestARoutesFailuresAreTold(t *testing.T) {
	s := newStack(t)
	s.counted(game.DateOf(noon), map[string]string{
		"submit:p1:player:POST /v1/scores":    usage.Count{Calls: 5, Commands: 9, RoundTrips: 5, Failed: 2, Throttled: 1}.String(),
		"submit:p2:anonymous:POST /v1/scores": usage.Count{Calls: 1, Throttled: 1}.String(),
	})
	body := string(s.want(http.StatusOK, get(opsUsage+"?days=1&by=route").bearer(opsToken)).body)
	require.Contains(t, body, `"POST /v1/scores":{"calls":6,"commands":9,"round_trips":5,"failed":2,"throttled":2,"budget":7}`)
}
