package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"fmt"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAPlayerWhoSendsTooOftenIsRefused(t *testing.T) {
	s := apitest.NewLimitedStack(t)
	c := s.As("user_a", apitest.Post(apitest.Scores, apitest.GoodScore))
	first := s.Want(http.StatusCreated, c)
	require.Equal(t, `"submit-player";q=20;w=60`, first.Header.Get("RateLimit-Policy"))
	require.Equal(t, `"submit-player";r=19`, first.Header.Get("RateLimit"))
	for range 20 { // the first play was given back
		s.Want(http.StatusOK, c)
	}
	commands, roundTrips := s.Spent(func() {
		for range 50 {
			a := s.Want(http.StatusTooManyRequests, c)
			p := a.Problem(t, "rate-limited")
			require.Contains(t, p.Detail, "rate limit submit-player: 20 per minute")
			seconds, err := strconv.Atoi(a.Header.Get("Retry-After"))
			require.NoError(t, err)
			require.InDelta(t, 60, seconds, 2)
			require.Equal(t, fmt.Sprintf(`"submit-player";r=0;t=%d`, seconds), a.Header.Get("RateLimit"))
		}
	})
	require.Zero(t, commands)
	require.Zero(t, roundTrips)
	s.Play("user_b", "daily", "700")
	s.Clock.Set(s.Clock.Now().Add(61 * time.Second))
	s.Want(http.StatusOK, s.As("user_a", apitest.Post(apitest.Scores, apitest.GoodScore)))
}

func TestRequestsThatAreNotValidDoNotCount(t *testing.T) {
	s := apitest.NewLimitedStack(t)
	for range 40 {
		s.Want(http.StatusBadRequest, s.As("user_a", apitest.Post(apitest.Scores, `{}`)))
	}
	s.Want(http.StatusCreated, s.As("user_a", apitest.Post(apitest.Scores, apitest.GoodScore)))
}

// Checking a request costs work, so refused ones have a limit of their own: of the player, or of
// the address.
func TestRefusedRequestsAreLimited(t *testing.T) {
	s := apitest.NewLimitedStack(t)
	wrong := s.As("user_a", apitest.Post(apitest.Scores, `{"mode":"daily","score":-1}`))
	for range 100 {
		s.Want(http.StatusUnprocessableEntity, wrong)
	}
	refused := []apitest.Call{wrong, s.As("user_a", apitest.Post(apitest.Scores, apitest.GoodScore))}
	refused = append(refused, wrongDuels(s)...)
	for _, c := range refused {
		require.Contains(t, s.Want(http.StatusTooManyRequests, c).Problem(t, "rate-limited").Detail, "rate limit refused-player: 100 per minute")
	}
	s.Want(http.StatusCreated, s.As("user_b", apitest.Post(apitest.Scores, apitest.GoodScore)))
	s.Clock.Set(s.Clock.Now().Add(61 * time.Second))
	s.Want(http.StatusCreated, s.As("user_a", apitest.Post(apitest.Scores, apitest.GoodScore)))

	wrong = apitest.Post(apitest.Scores, `{`).CameFrom("192.0.2.7:4711")
	for range 30 {
		s.Want(http.StatusUnauthorized, wrong)
	}
	s.Want(http.StatusTooManyRequests, wrong)
	s.Want(http.StatusOK, s.As("user_b", apitest.Post(apitest.Scores, apitest.GoodScore)).CameFrom("192.0.2.7:4711"))
	for range 110 { // a game server's do not count
		s.Want(http.StatusBadRequest, apitest.Post(apitest.Scores, `{}`).Signed())
	}
	for range 18 { // nor do requests that succeed
		s.Want(http.StatusOK, s.As("user_b", apitest.Post(apitest.Scores, apitest.GoodScore)))
	}
}

func TestFirstPlaysDoNotCount(t *testing.T) {
	s := apitest.NewLimitedStack(t)
	for i := range 15 {
		s.Play("user_a", "daily", "1")
		s.Play("user_a", "tied", "1")
		s.Clock.Set(apitest.Noon.AddDate(0, 0, i+1))
	}
	commands, _ := s.Spent(func() { s.Play("user_c", "daily", "1") })
	require.LessOrEqual(t, commands, int64(5), "a new day's board, and nothing for limits")
}

func TestGameServersAreCountedByTheirKey(t *testing.T) {
	s := apitest.NewLimitedStack(t)
	c := apitest.Post(apitest.Scores, `{"mode":"longest","player":"user_s","score":1}`).Signed()
	for range 100 {
		require.Less(t, s.Send(c).Status, 300)
	}
	s.Want(http.StatusTooManyRequests, c).Problem(t, "rate-limited")
	s.Want(http.StatusTooManyRequests, apitest.Post(apitest.Batch, goodBatch).Signed())
	s.Want(http.StatusOK, apitest.Post(apitest.Batch, goodBatch).Imported())
	s.Play("user_s", "longest", "2")
}

func TestReadsThatCostSomethingAreCountedByAddress(t *testing.T) {
	s := apitest.NewLimitedStack(t)
	s.Play("user_a", "daily", "700")
	c := apitest.Get(apitest.Card).CameFrom("192.0.2.7:4711")
	for range 30 {
		a := s.Want(http.StatusOK, c)
		require.Empty(t, a.Header.Get("RateLimit"), "others may be shown the same answer from a cache")
	}
	commands, _ := s.Spent(func() {
		for range 30 {
			s.Want(http.StatusTooManyRequests, c).Problem(t, "rate-limited")
			s.Want(http.StatusTooManyRequests, apitest.Get(apitest.Daily).CameFrom("192.0.2.7:99").With("X-Forwarded-For", "198.51.100.1"))
		}
	})
	require.Zero(t, commands)
	s.Want(http.StatusOK, apitest.Get(apitest.Card).CameFrom("192.0.2.8:4711"))
	s.Want(http.StatusTooManyRequests, apitest.Get("/openapi.yaml").CameFrom("192.0.2.7:4711"))
	s.Want(http.StatusOK, s.As("user_z", apitest.Get(apitest.Daily)).CameFrom("192.0.2.7:4711"))
	s.Want(http.StatusCreated, s.As("user_b", apitest.Post(apitest.Scores, apitest.GoodScore)).CameFrom("192.0.2.7:4711"))
}

// An honest page often asks again for what it has.
func TestReadsThatTellNothingNewAreNotCounted(t *testing.T) {
	s := apitest.NewLimitedStack(t)
	s.Play("user_a", "daily", "700")
	from := func(c apitest.Call) apitest.Call { return c.CameFrom("192.0.2.7:4711") }
	page := s.Want(http.StatusOK, from(apitest.Get(apitest.Daily)))
	etag := s.Want(http.StatusOK, from(apitest.Get(apitest.Card))).Header.Get("ETag") // the second that counts
	for range 60 {
		s.Want(http.StatusOK, from(apitest.Get(apitest.Daily)))
		s.Want(http.StatusOK, from(apitest.Get("/v1/game")))
		s.Want(http.StatusOK, from(apitest.Get("/openapi.yaml")))
		s.Want(http.StatusNotModified, from(apitest.Get(apitest.Daily)).With("If-None-Match", page.Header.Get("ETag")))
		s.Want(http.StatusNotModified, from(apitest.Get(apitest.Card)).With("If-None-Match", etag))
	}
	mine := s.As("user_b", apitest.Get(apitest.Daily))
	for range 110 { // the limit is 100
		s.Want(http.StatusOK, mine)
	}
	for range 28 {
		s.Want(http.StatusOK, from(apitest.Get(apitest.Card)))
	}
	s.Want(http.StatusTooManyRequests, from(apitest.Get(apitest.Card))).Problem(t, "rate-limited")
}

// A read that costs no command still costs work.
func TestReadsThatTellNothingNewAreBounded(t *testing.T) {
	s := apitest.NewLimitedStack(t)
	s.Play("user_a", "daily", "700")
	c := apitest.Get(apitest.Daily).CameFrom("192.0.2.7:4711")
	commands, _ := s.Spent(func() {
		for range 1 + 300 + 29 { // one that cost something, ten times the limit, and the limit
			s.Want(http.StatusOK, c)
		}
		s.Want(http.StatusTooManyRequests, c).Problem(t, "rate-limited")
	})
	require.LessOrEqual(t, commands, int64(10))
	s.Want(http.StatusOK, apitest.Get(apitest.Daily).CameFrom("192.0.2.8:4711"))
	s.Clock.Set(s.Clock.Now().Add(61 * time.Second))
	s.Want(http.StatusOK, c)
}

// A caller who always sends an entity tag is bounded in commands.
func TestReadsThatAreNotModifiedAreBoundedInCommands(t *testing.T) {
	s := apitest.NewLimitedStack(t)
	s.Play("user_a", "daily", "700")
	c := apitest.Get(apitest.Card).CameFrom("192.0.2.7:4711").With("If-None-Match", "*")
	refused := 0
	commands, _ := s.Spent(func() {
		for range 500 {
			if s.Send(c).Status == http.StatusTooManyRequests {
				refused++
			}
		}
	})
	require.LessOrEqual(t, commands, int64(300), "commands: {ip: 300/1m}")
	require.Positive(t, refused)
}

func TestThisMachineIsNotCounted(t *testing.T) {
	s := apitest.NewLimitedStack(t)
	for range 40 {
		s.Want(http.StatusOK, apitest.Get(apitest.Daily).CameFrom("127.0.0.1:4711"))
	}
}

func TestCredentialsThatDoNotHoldAreCountedByAddress(t *testing.T) {
	s := apitest.NewLimitedStack(t)
	bad := apitest.Post(apitest.Scores, apitest.GoodScore).Bearer("no.token.atall").CameFrom("192.0.2.7:4711")
	for range 5 {
		s.Want(http.StatusUnauthorized, bad).Problem(t, "unauthenticated")
	}
	s.Want(http.StatusTooManyRequests, bad).Problem(t, "rate-limited")
	s.Want(http.StatusUnauthorized, apitest.Post(apitest.Scores, apitest.GoodScore).CameFrom("192.0.2.7:4711"))
	s.Want(http.StatusCreated, s.As("user_a", apitest.Post(apitest.Scores, apitest.GoodScore)).CameFrom("192.0.2.7:4711"))
}

func TestProxiesOfOnesOwnTellTheAddress(t *testing.T) {
	s := apitest.NewStack(t)
	s.Hops = 1
	s.Handler = s.Process()
	s.Play("user_a", "daily", "700")
	reader := func(address string) apitest.Call {
		return apitest.Get(apitest.Card).CameFrom("10.0.0.1:80").With("X-Forwarded-For", "203.0.113.9, "+address)
	}
	for range 30 {
		s.Want(http.StatusOK, reader("198.51.100.1"))
	}
	s.Want(http.StatusTooManyRequests, reader("198.51.100.1"))
	s.Want(http.StatusOK, reader("198.51.100.2"))
}
