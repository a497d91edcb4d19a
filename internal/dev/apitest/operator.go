package apitest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/platform/usage"
)

func Maintenance(s *Stack) Call {
	return Put(OpsMaintenance, fmt.Sprintf(`{"until":%q,"reason":"moving"}`, s.Clock.Now().Add(time.Hour).UTC().Format(time.RFC3339))).Bearer(OpsToken)
}

// By is the call with another method.
func (c Call) By(method string) Call { c.Method = method; return c }

const Myself = "/v1/me"

func Patch(target, body string) Call {
	c := Post(target, body)
	c.Method = http.MethodPatch
	return c
}

type MeBody struct {
	Player  string
	Profile struct {
		Name, Picture, Country string
		Hidden                 bool
	}
	XP          int64
	Level       int64
	NextLevelXP int64  `json:"next_level_xp"`
	XPRank      *int64 `json:"xp_rank"`
	Streak      struct {
		Current, Best, Freezes int
		LastPlayed             *string `json:"last_played"`
	}
	Badges []struct {
		ID, Title, Earned  string
		Rarity             *float64
		Kind, Mode, Period string
		PeriodKey          string `json:"period_key"`
		Scope              string
		Rank               int64
		AwardedAt          time.Time `json:"awarded_at"`
	}
	BadgesUnavailable bool `json:"badges_unavailable"`
	Today             []struct {
		Mode, Date string
		Rank       int64
		Score      float64
	}
}

func (s *Stack) Me(player string) (me MeBody) {
	s.Helper()
	s.Want(http.StatusOK, s.As(player, Get(Myself))).Into(s, &me)
	return me
}

const (
	MyExport = "/v1/me/export"
)

const (
	OpsScores = "/v1/ops/scores"
	OpsBan    = "/v1/ops/bans/user_z"

	OpsMaintenance = "/v1/ops/maintenance"
	OpsUsage       = "/v1/ops/usage"
	OpsDead        = "/v1/ops/dead-letters"
	OpsRedrive     = "/v1/ops/dead-letters/redrive"
)

func Put(target, body string) Call {
	return Call{Method: http.MethodPut, Target: target, Body: body, Header: map[string]string{"Content-Type": "application/json"}}
}

func Remove(target, body string) Call {
	c := Call{Method: http.MethodDelete, Target: target, Body: body}
	if body != "" {
		c.Header = map[string]string{"Content-Type": "application/json"}
	}
	return c
}

// Tokens of operators with names. That of administer is OpsToken.
const (
	ReadToken     = "the-token-of-ada-who-may-only-read-0123456789"
	ModerateToken = "the-token-of-ben-who-may-moderate-0123456789"
)

// Operators are those whom a stack knows: the holder of OpsToken, ada and ben.
func Operators(tb testing.TB) *auth.Operators {
	operators, err := auth.NewOperators(OpsToken)
	require.NoError(tb, err)
	entry := func(name, token string) string {
		sum := sha256.Sum256([]byte(token))
		return name + ":" + hex.EncodeToString(sum[:])
	}
	operators, err = operators.With(entry("ada:read", ReadToken), entry("ben:moderate", ModerateToken))
	require.NoError(tb, err)
	return operators
}

func Operator(c Call) func(*Stack) Call { return Plain(c.Bearer(OpsToken)) }

type RemovalBody struct {
	Player  string
	Boards  int
	Results int
	Left    []string
}

func (s *Stack) Removal(c Call) (did RemovalBody) {
	require.NoError(s, json.Unmarshal(s.Want(http.StatusOK, c.Bearer(OpsToken)).Body, &did))
	return did
}

// UsageBy is an answer of GET /v1/ops/usage, as far as it is looked at here.
type UsageBy struct {
	Days []struct {
		Commands   int64
		ByFunction map[string]UsageShare `json:"by_function"`
		ByRoute    map[string]UsageShare `json:"by_route"`
		ByCaller   map[string]UsageShare `json:"by_caller"`
		BySchedule map[string]UsageShare `json:"by_schedule"`
	}
}

type UsageShare struct {
	Calls, Commands int64
	RoundTrips      int64 `json:"round_trips"`
}

func (s *Stack) UsageBy(by string) UsageBy {
	var t UsageBy
	require.NoError(s, json.Unmarshal(s.Want(http.StatusOK, Get(OpsUsage+"?days=1&by="+by).Bearer(OpsToken)).Body, &t))
	return t
}

type WhatIf struct {
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

func (s *Stack) WhatIf(query string) (answer WhatIf) {
	require.NoError(s, json.Unmarshal(s.Want(http.StatusOK, Get(OpsUsage+query).Bearer(OpsToken)).Body, &answer))
	return answer
}

func (s *Stack) Counted(day game.Date, counts map[string]string) {
	for field, value := range counts {
		_, err := s.Redis.Server.Redis().Do(s.Context(), "HSET", usage.Key(day), field, value)
		require.NoError(s, err)
	}
}
