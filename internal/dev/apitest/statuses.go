package apitest

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// Ways for Redis to fail.
var (
	RedisDown = upstashtest.Fault{CutBefore: true}

	RefusedCommand = upstashtest.Fault{Status: http.StatusBadRequest, Body: `{"error":"ERR syntax error"}`}
)

// Requests that many of the tests begin with.
const (
	GoodScore = `{"mode":"daily","score":800}`

	Daily = "/v1/leaderboards/daily"
	Card  = Daily + "/players/user_a"

	Lookup = Daily + "/lookup"

	LiveDaily = "/v1/live/daily"
	Batch     = "/v1/scores/batch"
	Scores    = "/v1/scores"
)

// Scenario makes one status of one operation happen.
type Scenario struct {
	Call  func(s *Stack) Call
	Fault upstashtest.Fault
	Kind  string // of the problem
}

func Plain(c Call) func(*Stack) Call { return func(*Stack) Call { return c } }

func As(player string, c Call) func(*Stack) Call {
	return func(s *Stack) Call { return s.As(player, c) }
}

// Known makes a call with the entity tag of its own answer.
func Known(c Call) func(*Stack) Call {
	return func(s *Stack) Call { return c.With("If-None-Match", s.Want(http.StatusOK, c).Header.Get("ETag")) }
}

// After makes a call so often that the limit is reached.
func After(n int, c func(*Stack) Call) func(*Stack) Call {
	return func(s *Stack) Call {
		made := c(s)
		for range n {
			s.Send(made)
		}
		return c(s)
	}
}

// From makes reads from an address until they are too many, be they answered from
// memory.
func From(address string, c Call) func(*Stack) Call { return After(400, Plain(c.CameFrom(address))) }

// Running makes a call whose first request has a key and is still under way.
func Running(c func(*Stack) Call) func(*Stack) Call {
	return func(s *Stack) Call {
		made := c(s).With("Idempotency-Key", "running")
		require.Less(s, s.Send(made).Status, 300)
		s.Rewind(made)
		return made
	}
}

// Reused makes a call whose key was used for another body.
func Reused(c func(*Stack) Call, body string) func(*Stack) Call {
	return func(s *Stack) Call {
		made := c(s).With("Idempotency-Key", "reused")
		require.Less(s, s.Send(made).Status, 300)
		made.Body = body
		return made
	}
}

// EachStatus makes every documented status of some operations happen: of those that the scenarios
// name, which are patterns and statuses. The test of devices makes those of [NotForDevices].
func EachStatus(t *testing.T, all map[string]Scenario) {
	s := NewLimitedStack(t)
	s.Game += TypedMode
	s.Game += "races: {}\n"
	s.Handler = s.Process()
	s.Keep()
	s.Play("user_a", "daily", "700")
	s.Play("user_c", "daily", "600")
	var made, documented []string
	operations, ofDevices := map[string]bool{}, NotForDevices()
	isOfDevices := func(name string) bool {
		pattern, yes := strings.CutSuffix(name, " 403")
		return yes && ofDevices[pattern].Method != ""
	}
	for name := range all {
		pattern := name[:len(name)-len(" 200")]
		require.Contains(t, s.Contract.Operations(), pattern)
		if isOfDevices(name) {
			require.Contains(t, s.Contract.Operations()[pattern].Responses.Map(), "403", pattern)
			continue
		}
		operations[pattern] = true
		made = append(made, name)
	}
	for pattern, operation := range s.Contract.Operations() {
		for status := range operation.Responses.Map() {
			if name := pattern + " " + status; operations[pattern] && !isOfDevices(name) {
				documented = append(documented, name)
			}
		}
	}
	documented = slices.DeleteFunc(documented, func(d string) bool {
		return d == "POST /v1/scores 202" || // in queue mode
			strings.HasPrefix(d, "GET /v1/live/") && (strings.HasSuffix(d, " 307") || strings.HasSuffix(d, " 501")) // on Lambda
	})
	require.ElementsMatch(t, documented, made)
	for name, sc := range all {
		t.Run(name, func(t *testing.T) {
			s := s.On(t)
			c := sc.Call(s)
			s.FailRedis(sc.Fault)
			defer s.MendRedis()
			a := s.Do(c)
			require.Equal(t, name[len(name)-3:], strconv.Itoa(a.Status), "%s", a.Body)
			if sc.Kind != "" {
				a.Problem(t, sc.Kind)
			}
			if name == "PUT /v1/ops/maintenance 200" {
				s.Want(http.StatusOK, Remove(OpsMaintenance, "").Bearer(OpsToken))
			}
			if a.Status == http.StatusTooManyRequests {
				s.Clock.Set(s.Clock.Now().Add(2 * time.Minute)) // let the callers of others in again
			}
		})
	}
}

// Budgets are what routes cost, as the operator sees it.
func (s *Stack) Budgets() map[string]int64 {
	budgets := map[string]int64{}
	for _, row := range rows(s, testkit.Game(s, s.Game)) {
		pattern, steady := row.Pattern, row.Steady
		budgets[pattern] = int64(steady)
	}
	return budgets
}

// Billed is how many commands Redis has run that cost something.
func (s *Stack) Billed() int64 {
	stats, err := s.Redis.Server.Redis().CommandStats(s.Context())
	require.NoError(s, err)
	return s.Redis.Ran() - stats["ping"]
}

// Processes are several processes of the product on one Redis, with the limits that a game
// file has by default.
func (s *Stack) Processes(n int) (all []http.Handler) {
	s.Game = strings.Replace(TestGame, "limits: {submit: {player: off}, boards: {player: off}, commands: {player: off}}\n", "", 1)
	for range n {
		all = append(all, s.Process())
	}
	return all
}

// FailOnce has the next request to Redis fail, and all after it pass.
func (s *Stack) FailOnce(f upstashtest.Fault) {
	var failed atomic.Bool
	s.Redis.Server.Inject(func(upstashtest.Request) upstashtest.Fault {
		s.Exchanges.Add(1)
		if failed.Swap(true) {
			return upstashtest.Fault{}
		}
		return f
	})
}
