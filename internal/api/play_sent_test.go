package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// dying sends a play to a process that dies before or after one of its exchanges with Redis:
// nothing reaches the process any more.
func (s *stack) dying(c call, step int, after bool) answer {
	exchange := 0
	s.redis.Server.Inject(func(upstashtest.Request) upstashtest.Fault {
		exchange++
		return upstashtest.Fault{CutAfter: after && exchange == step+1, CutBefore: exchange > step+1 || !after && exchange > step}
	})
	a := s.send(c)
	s.redis.Server.Inject(nil)
	s.handler = s.process()
	return a
}

// A process may die at any step of a play. The play has one effect and counts once; the next
// request gets what the first would have got; and all later requests get the same answer.
func TestAPlayIsFinishedWhereverItsProcessDied(t *testing.T) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := playingAt(t, address)
		for _, mode := range []string{"time_30", "coined", "adding", "newest"} {
			for step := range 3 { // claim, effect, answer
				for _, after := range []bool{false, true} {
					s.die(mode, step, after)
				}
			}
		}
	})
}

// die has a process die with a player's third play of a mode.
func (s *stack) die(mode string, step int, after bool) {
	player := fmt.Sprintf("user_%s_%d_%t", mode, step, after)
	sent := func(score int) call {
		p := s.take(player, mode)
		s.clock.Pass(30 * time.Second)
		if mode == "time_30" {
			return s.as(player, post(scores, proven(p, 10+score, `,"details":{"theme":"light"}`)))
		}
		return s.as(player, post(scores, scored(p, score, "")))
	}
	s.want(http.StatusCreated, sent(1)) // the process knows its day and the player,
	s.want(http.StatusCreated, sent(2)) // and Redis its scripts
	c := sent(5)
	other := c
	other.body = strings.Replace(c.body, "{", "{ ", 1)

	require.Equal(s, http.StatusServiceUnavailable, s.dying(c, step, after).status, player)
	switch claimed, kept := step > 0 || after, step == 2 && after; {
	case kept:
		require.Equal(s, "used", s.do(other).reason(s), player)
	case claimed:
		s.want(http.StatusConflict, other)
	}
	done := s.insist(c)
	var told struct {
		Status           string
		Score, Submitted int
	}
	require.NoError(s, json.Unmarshal(done.body, &told))
	if mode == "adding" {
		require.Equal(s, 1+2+5, told.Score, player)
	} else {
		require.Equal(s, told.Submitted, told.Score, player)
	}
	require.Equal(s, "improved", told.Status, player)
	for range 2 {
		require.Equal(s, string(done.body), string(s.send(c).body), player)
		require.Equal(s, "used", s.do(other).reason(s), player)
		s.handler = s.process()
	}
	card := string(s.want(http.StatusOK, s.as(player, get("/v1/leaderboards/"+mode+"/players/me"))).body)
	require.Contains(s, card, fmt.Sprintf(`"score":%d,`, told.Score), player)
	require.Equal(s, mode == "time_30", strings.Contains(card, `{"theme":"light"}`), player)
	require.Equal(s, mode == "coined", strings.Contains(s.wallet(player), `"earned":9,`), player)
}

// A held play can be sent once like any other: with another body it counts as used, whichever
// body came first. So it never earns beside an accepted one.
func TestAPlayIsHeldOrTaken(t *testing.T) {
	for _, heldFirst := range []bool{true, false} {
		s := newStack(t)
		s.game += typedMode + "currencies: {coins: {typed: 4}}\n"
		s.handler = s.process()
		one, two := s.typing("user_a", human), ""
		_, rest, _ := strings.Cut(one.body, `"proof"`)
		_, steadily, _ := strings.Cut(s.typing("user_a", steady).body, `"proof"`)
		two = strings.TrimSuffix(one.body, rest) + steadily
		bodies, status, earned := []string{one.body, two}, http.StatusCreated, 4
		if heldFirst {
			bodies, status, earned = []string{two, one.body}, http.StatusAccepted, 0
		}
		first := s.want(status, s.as("user_a", post(scores, bodies[0])))
		require.Equal(t, "used", s.do(s.as("user_a", post(scores, bodies[1]))).reason(t))
		s.handler = s.process()
		require.Equal(t, first.body, s.want(status, s.as("user_a", post(scores, bodies[0]))).body)
		require.Equal(t, "used", s.do(s.as("user_a", post(scores, bodies[1]))).reason(t))
		require.Contains(t, s.wallet("user_a"), fmt.Sprintf(`"earned":%d,`, earned))
	}
}

// A play that is refused after it was claimed earns nothing, and can be sent again.
func TestAPlayThatIsRefusedEarnsNothing(t *testing.T) {
	s := newStack(t)
	s.game = playsHead + "currencies: {coins: {adding: 1}}\n" + strings.ReplaceAll(playsModes, "day_max: 1000", "day_max: 100")
	s.handler = s.process()
	s.want(http.StatusCreated, s.as("user_a", post(scores, scored(s.take("user_a", "adding"), 90, ""))))
	p := s.take("user_a", "adding")
	s.do(s.as("user_a", post(scores, scored(p, 20, "")))).problem(t, "score-out-of-bounds")
	require.Contains(t, s.wallet("user_a"), `"earned":1,`)
	s.want(http.StatusCreated, s.as("user_a", post(scores, scored(p, 10, ""))))
	require.Contains(t, s.wallet("user_a"), `"earned":2,`)
}
