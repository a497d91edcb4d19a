package api_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// newLimitedStack is a stack that limits submissions too.
func newLimitedStack(tb testing.TB) *stack {
	s := newStack(tb)
	s.game = strings.Replace(testGame, "{submit: {player: off}, boards: {player: off}", "{submit: {key: 100/1m}, boards: {player: 100/1m}", 1)
	s.handler = s.process()
	return s
}

func TestAPlayerWhoSendsTooOftenIsRefused(t *testing.T) {
	s := newLimitedStack(t)
	c := s.as("user_a", post(scores, goodScore))
	first := s.want(http.StatusCreated, c)
	require.Equal(t, `"submit-player";q=20;w=60`, first.header.Get("RateLimit-Policy"))
	require.Equal(t, `"submit-player";r=19`, first.header.Get("RateLimit"))
	for range 20 { // the first play was given back
		s.want(http.StatusOK, c)
	}
	commands, roundTrips := s.spent(func() {
		for range 50 {
			a := s.want(http.StatusTooManyRequests, c)
			p := a.problem(t, "rate-limited")
			require.Contains(t, p.Detail, "rate limit submit-player: 20 per minute")
			seconds, err := strconv.Atoi(a.header.Get("Retry-After"))
			require.NoError(t, err)
			require.InDelta(t, 60, seconds, 2)
			require.Equal(t, fmt.Sprintf(`"submit-player";r=0;t=%d`, seconds), a.header.Get("RateLimit"))
		}
	})
	require.Zero(t, commands)
	require.Zero(t, roundTrips)
	s.play("user_b", "daily", "700")
	s.clock.Set(s.clock.Now().Add(61 * time.Second))
	s.want(http.StatusOK, s.as("user_a", post(scores, goodScore)))
}

func TestRequestsThatAreNotValidDoNotCount(t *testing.T) {
	s := newLimitedStack(t)
	for range 40 {
		s.want(http.StatusBadRequest, s.as("user_a", post(scores, `{}`)))
	}
	s.want(http.StatusCreated, s.as("user_a", post(scores, goodScore)))
}

// Checking a request costs work, so refused ones have a limit of their own: of the player, or of
// the address.
func TestRefusedRequestsAreLimited(t *testing.T) {
	s := newLimitedStack(t)
	wrong := s.as("user_a", post(scores, `{"mode":"daily","score":-1}`))
	for range 100 {
		s.want(http.StatusUnprocessableEntity, wrong)
	}
	for _, c := range []call{wrong, s.as("user_a", post(scores, goodScore)), s.as("user_a", post("/v1/duels", `{"a":1}`))} {
		require.Contains(t, s.want(http.StatusTooManyRequests, c).problem(t, "rate-limited").Detail, "rate limit refused-player: 100 per minute")
	}
	s.want(http.StatusCreated, s.as("user_b", post(scores, goodScore)))
	s.clock.Set(s.clock.Now().Add(61 * time.Second))
	s.want(http.StatusCreated, s.as("user_a", post(scores, goodScore)))

	wrong = post(scores, `{`).cameFrom("192.0.2.7:4711")
	for range 30 {
		s.want(http.StatusUnauthorized, wrong)
	}
	s.want(http.StatusTooManyRequests, wrong)
	s.want(http.StatusOK, s.as("user_b", post(scores, goodScore)).cameFrom("192.0.2.7:4711"))
	for range 110 { // a game server's do not count
		s.want(http.StatusBadRequest, post(scores, `{}`).signed())
	}
	for range 18 { // nor do requests that succeed
		s.want(http.StatusOK, s.as("user_b", post(scores, goodScore)))
	}
}

func TestFirstPlaysDoNotCount(t *testing.T) {
	s := newLimitedStack(t)
	for i := range 15 {
		s.play("user_a", "daily", "1")
		s.play("user_a", "tied", "1")
		s.clock.Set(noon.AddDate(0, 0, i+1))
	}
	commands, _ := s.spent(func() { s.play("user_c", "daily", "1") })
	require.LessOrEqual(t, commands, int64(5), "a new day's board, and nothing for limits")
}

func TestGameServersAreCountedByTheirKey(t *testing.T) {
	s := newLimitedStack(t)
	c := post(scores, `{"mode":"longest","player":"user_s","score":1}`).signed()
	for range 100 {
		require.Less(t, s.send(c).status, 300)
	}
	s.want(http.StatusTooManyRequests, c).problem(t, "rate-limited")
	s.want(http.StatusTooManyRequests, post(batch, goodBatch).signed())
	s.want(http.StatusOK, post(batch, goodBatch).imported())
	s.play("user_s", "longest", "2")
}

func TestReadsThatCostSomethingAreCountedByAddress(t *testing.T) {
	s := newLimitedStack(t)
	s.play("user_a", "daily", "700")
	c := get(card).cameFrom("192.0.2.7:4711")
	for range 30 {
		a := s.want(http.StatusOK, c)
		require.Empty(t, a.header.Get("RateLimit"), "others may be shown the same answer from a cache")
	}
	commands, _ := s.spent(func() {
		for range 30 {
			s.want(http.StatusTooManyRequests, c).problem(t, "rate-limited")
			s.want(http.StatusTooManyRequests, get(daily).cameFrom("192.0.2.7:99").with("X-Forwarded-For", "198.51.100.1"))
		}
	})
	require.Zero(t, commands)
	s.want(http.StatusOK, get(card).cameFrom("192.0.2.8:4711"))
	s.want(http.StatusTooManyRequests, get("/openapi.yaml").cameFrom("192.0.2.7:4711"))
	s.want(http.StatusOK, s.as("user_z", get(daily)).cameFrom("192.0.2.7:4711"))
	s.want(http.StatusCreated, s.as("user_b", post(scores, goodScore)).cameFrom("192.0.2.7:4711"))
}

// An honest page often asks again for what it has.
func TestReadsThatTellNothingNewAreNotCounted(t *testing.T) {
	s := newLimitedStack(t)
	s.play("user_a", "daily", "700")
	from := func(c call) call { return c.cameFrom("192.0.2.7:4711") }
	page := s.want(http.StatusOK, from(get(daily)))
	etag := s.want(http.StatusOK, from(get(card))).header.Get("ETag") // the second that counts
	for range 60 {
		s.want(http.StatusOK, from(get(daily)))
		s.want(http.StatusOK, from(get("/v1/game")))
		s.want(http.StatusOK, from(get("/openapi.yaml")))
		s.want(http.StatusNotModified, from(get(daily)).with("If-None-Match", page.header.Get("ETag")))
		s.want(http.StatusNotModified, from(get(card)).with("If-None-Match", etag))
	}
	mine := s.as("user_b", get(daily))
	for range 110 { // the limit is 100
		s.want(http.StatusOK, mine)
	}
	for range 28 {
		s.want(http.StatusOK, from(get(card)))
	}
	s.want(http.StatusTooManyRequests, from(get(card))).problem(t, "rate-limited")
}

// A read that costs no command still costs work.
func TestReadsThatTellNothingNewAreBounded(t *testing.T) {
	s := newLimitedStack(t)
	s.play("user_a", "daily", "700")
	c := get(daily).cameFrom("192.0.2.7:4711")
	commands, _ := s.spent(func() {
		for range 1 + 300 + 29 { // one that cost something, ten times the limit, and the limit
			s.want(http.StatusOK, c)
		}
		s.want(http.StatusTooManyRequests, c).problem(t, "rate-limited")
	})
	require.LessOrEqual(t, commands, int64(10))
	s.want(http.StatusOK, get(daily).cameFrom("192.0.2.8:4711"))
	s.clock.Set(s.clock.Now().Add(61 * time.Second))
	s.want(http.StatusOK, c)
}

// A caller who always sends an entity tag is bounded in commands.
func TestReadsThatAreNotModifiedAreBoundedInCommands(t *testing.T) {
	s := newLimitedStack(t)
	s.play("user_a", "daily", "700")
	c := get(card).cameFrom("192.0.2.7:4711").with("If-None-Match", "*")
	refused := 0
	commands, _ := s.spent(func() {
		for range 500 {
			if s.send(c).status == http.StatusTooManyRequests {
				refused++
			}
		}
	})
	require.LessOrEqual(t, commands, int64(300), "commands: {ip: 300/1m}")
	require.Positive(t, refused)
}

func TestThisMachineIsNotCounted(t *testing.T) {
	s := newLimitedStack(t)
	for range 40 {
		s.want(http.StatusOK, get(daily).cameFrom("127.0.0.1:4711"))
	}
}

func TestCredentialsThatDoNotHoldAreCountedByAddress(t *testing.T) {
	s := newLimitedStack(t)
	bad := post(scores, goodScore).bearer("no.token.atall").cameFrom("192.0.2.7:4711")
	for range 5 {
		s.want(http.StatusUnauthorized, bad).problem(t, "unauthenticated")
	}
	s.want(http.StatusTooManyRequests, bad).problem(t, "rate-limited")
	s.want(http.StatusUnauthorized, post(scores, goodScore).cameFrom("192.0.2.7:4711"))
	s.want(http.StatusCreated, s.as("user_a", post(scores, goodScore)).cameFrom("192.0.2.7:4711"))
}

func TestProxiesOfOnesOwnTellTheAddress(t *testing.T) {
	s := newStack(t)
	s.hops = 1
	s.handler = s.process()
	s.play("user_a", "daily", "700")
	reader := func(address string) call {
		return get(card).cameFrom("10.0.0.1:80").with("X-Forwarded-For", "203.0.113.9, "+address)
	}
	for range 30 {
		s.want(http.StatusOK, reader("198.51.100.1"))
	}
	s.want(http.StatusTooManyRequests, reader("198.51.100.1"))
	s.want(http.StatusOK, reader("198.51.100.2"))
}
