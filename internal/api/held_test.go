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

const opsHeld = "/v1/ops/held"

// typedMode is one that works its scores out.
const typedMode = `  typed: {policy: best, decimals: 2, max: 350, play: required, proof: keystrokes, challenge: {seconds: 5, texts: english}}
challenges: {english: [The quick brown fox jumps over the lazy dog.]}
`

// typedStack has it.
func typedStack(t *testing.T) *stack {
	s := newStack(t)
	s.game += typedMode
	s.handler = s.process()
	return s
}

// Ways to type: as people do, and by a clock.
var (
	human  = func(i int) (gap, hold int) { return 80 + i*37%70, 70 + i*53%60 }
	steady = func(int) (gap, hold int) { return 110, 60 }
)

// typing is a test of 5 seconds that a player has just typed, in the game of the tests.
func (s *stack) typing(player string, how func(int) (gap, hold int)) call {
	s.Helper()
	var p handedOut
	s.want(http.StatusCreated, s.as(player, post(playsAt, `{"mode":"typed"}`))).into(s, &p)
	s.clock.Pass(5500 * time.Millisecond)
	var gaps, holds []string
	for i := range 40 {
		gap, hold := how(i)
		gaps, holds = append(gaps, fmt.Sprint(gap)), append(holds, fmt.Sprint(hold))
	}
	gaps[0] = "0"
	return post(scores, fmt.Sprintf(`{"mode":"typed","play":%q,"proof":{"typed":%q,"gaps":[%s],"holds":[%s]}}`,
		p.Play, pangram[:40], strings.Join(gaps, ","), strings.Join(holds, ",")))
}

type heldBody struct {
	Held []struct {
		ID, Mode, Date, Player, Name, At, Why string
		Submitted                             float64
		SubmittedValues                       json.RawMessage `json:"submitted_values"`
		Open                                  bool
	}
	Next *string
}

// waiting has a player's test be held, and returns its id.
func (s *stack) waiting(player string) string {
	s.Helper()
	s.want(http.StatusAccepted, s.as(player, s.typing(player, steady)))
	var list heldBody
	s.want(http.StatusOK, get(opsHeld).bearer(opsToken)).into(s, &list)
	for i := len(list.Held) - 1; i >= 0; i-- {
		if list.Held[i].Player == player {
			return list.Held[i].ID
		}
	}
	require.Fail(s, "nothing is held of "+player)
	return ""
}

// heldOf puts a score on hold as a process would.
func (s *stack) heldOf(player, date, id string) {
	_, err := s.redis.Server.Redis().Do(s.Context(), "HSET", "held", player+" 1794000000000 "+id,
		`{"why":"it is steady","s":{"v":1,"m":"daily","d":"`+date+`","p":"`+player+`","s":"5","t":1}}`)
	require.NoError(s, err)
}

func afterOne(c func(*stack) call) func(*stack) call {
	return func(s *stack) call { s.heldOf("user_h", today, "aa"); return c(s) }
}

var (
	passing  = afterOne(operator(put(opsHeld+"/aa", "")))
	dropping = func(s *stack) call { // another one than passing, which may have been decided about
		s.heldOf("user_i", today, "bb")
		return operator(remove(opsHeld+"/bb", ""))(s)
	}
)

// playScenarios make every status of plays, and of what is held.
func playScenarios() map[string]scenario {
	good := post(playsAt, `{"mode":"typed"}`)
	one := opsHeld + "/0123456789abcdef"
	all := map[string]scenario{
		"POST /v1/plays 201":           {call: as("user_a", good)},
		"POST /v1/plays 400":           {call: as("user_a", post(playsAt, `{}`)), kind: "invalid-request"},
		"POST /v1/plays 401":           {call: plain(good), kind: "unauthenticated"},
		"POST /v1/plays 403":           {call: as("user_a", post(playsAt, `{"mode":"typed","player":"user_b"}`)), kind: "forbidden"},
		"POST /v1/plays 404":           {call: as("user_a", post(playsAt, `{"mode":"nothing"}`)), kind: "unknown-mode"},
		"POST /v1/plays 413":           {call: as("user_a", post(playsAt, strings.Repeat(" ", 64<<10)+"{}")), kind: "too-large"},
		"POST /v1/plays 415":           {call: as("user_a", good.with("Content-Type", "text/plain")), kind: "unsupported-media-type"},
		"POST /v1/plays 422":           {call: as("user_a", post(playsAt, `{"mode":"daily"}`)), kind: "play-refused"},
		"POST /v1/plays 429":           {call: from("192.0.2.31:1", good), kind: "rate-limited"},
		"GET /v1/ops/held 200":         {call: afterOne(operator(get(opsHeld)))},
		"PUT /v1/ops/held/{id} 200":    {call: passing},
		"DELETE /v1/ops/held/{id} 204": {call: dropping},
		"PUT /v1/ops/held/{id} 422": {call: func(s *stack) call {
			s.heldOf("user_h", longAgo, "cc")
			return put(opsHeld+"/cc", "").bearer(opsToken)
		}, kind: "date-closed"},
	}
	for pattern, calls := range map[string]struct{ good, bad call }{
		"GET /v1/ops/held":         {get(opsHeld), get(opsHeld + "?limit=1001")},
		"PUT /v1/ops/held/{id}":    {put(one, ""), put(opsHeld+"/x", "")},
		"DELETE /v1/ops/held/{id}": {remove(one, ""), remove(opsHeld+"/x", "")},
	} {
		all[pattern+" 400"] = scenario{call: operator(calls.bad), kind: "invalid-request"}
		all[pattern+" 401"] = scenario{call: plain(calls.good), kind: "unauthenticated"}
		all[pattern+" 403"] = scenario{call: as("user_z", calls.good), kind: "forbidden"}
		all[pattern+" 429"] = scenario{call: after(5, plain(calls.good.bearer("guessed").cameFrom("192.0.2.32:1"))), kind: "rate-limited"}
		all[pattern+" 500"] = scenario{call: operator(calls.good), fault: refusedCommand, kind: "internal"}
		all[pattern+" 503"] = scenario{call: operator(calls.good), fault: redisDown, kind: "temporarily-unavailable"}
		if pattern != "GET /v1/ops/held" {
			all[pattern+" 404"] = scenario{call: operator(calls.good), kind: "not-found"}
		}
	}
	return all
}

func TestWhatIsHeldIsOnNoBoardUntilItPasses(t *testing.T) {
	s := typedStack(t)
	played := s.clock.Now()
	c := s.as("user_a", s.typing("user_a", steady))
	first := s.want(http.StatusAccepted, c)
	require.JSONEq(t, `{"mode":"typed","date":"`+today+`","player":"user_a","status":"held","submitted":96}`, string(first.body))
	s.handler = s.process()
	require.Equal(t, first.body, s.want(http.StatusAccepted, c).body, "the same again")
	board := func() string {
		s.handler = s.process()
		return string(s.want(http.StatusOK, get("/v1/leaderboards/typed")).body)
	}
	require.Contains(t, board(), `"total":0`)

	var list heldBody
	s.want(http.StatusOK, get(opsHeld).bearer(opsToken)).into(t, &list)
	require.Len(t, list.Held, 1)
	require.Equal(t, "the gaps vary by less than 15 ms", list.Held[0].Why)
	require.True(t, list.Held[0].Open)

	// Somebody comes to the same score later; days pass; the operator lets it pass.
	s.clock.Pass(time.Minute)
	s.want(http.StatusCreated, s.as("user_b", s.typing("user_b", human)))
	s.clock.Set(played.Add(36 * time.Hour))
	one := put(opsHeld+"/"+list.Held[0].ID, "").bearer(opsToken)
	passed := s.want(http.StatusOK, one)
	require.Contains(t, string(passed.body), `"status":"accepted","score":96,"submitted":96,"rank":1,"total":2`, "as of when it was played")
	s.want(http.StatusNotFound, one)

	dropped := s.waiting("user_c")
	s.want(http.StatusNoContent, remove(opsHeld+"/"+dropped, "").bearer(opsToken))
	s.want(http.StatusNotFound, put(opsHeld+"/"+dropped, "").bearer(opsToken))
	require.NotContains(t, board(), "user_c")
}

// A play is let pass before each request of dropping it, and dropped before each request of
// letting it pass: one of the two is done, and the other says that it was not.
func TestOfTwoDecisionsOneIsMade(t *testing.T) {
	s := typedStack(t)
	path := func(id string) string { return opsHeld + "/" + id }
	for _, passes := range []bool{true, false} {
		for n, more := 1, true; more; n++ {
			player := another("user_d")
			id := s.waiting(player)
			pass, drop := put(path(id), "").bearer(opsToken), remove(path(id), "").bearer(opsToken)
			first, second := drop, pass
			if passes {
				first, second = pass, drop
			}
			var between answer
			end := testkit.Before(s.redis.Server, n, func() { between = s.send(second) })
			outer := s.send(first)
			if more = end(); !more {
				continue
			}
			done := map[int]int{outer.status: 1}
			done[between.status]++
			passed := done[http.StatusOK] > 0
			require.Equal(t, 1, done[http.StatusOK]+done[http.StatusNoContent], "before request %d: %v", n, done)
			require.Equal(t, 1, done[http.StatusNotFound], "before request %d: %v", n, done)
			s.handler = s.process()
			board := string(s.want(http.StatusOK, get("/v1/leaderboards/typed?limit=100")).body)
			require.Equal(t, passed, strings.Contains(board, `"`+player+`"`), "before request %d: %v", n, done)
		}
	}
}

// A play whose passing was refused may still be dropped; one whose passing was cut off may not.
func TestARefusedPassIsNoDecision(t *testing.T) {
	s := typedStack(t)
	id := s.waiting("user_z")
	s.removal(put(opsBan, `{"reason":"plays with a script"}`))
	s.want(http.StatusForbidden, put(opsHeld+"/"+id, "").bearer(opsToken)).problem(t, "banned")
	s.want(http.StatusNoContent, remove(opsHeld+"/"+id, "").bearer(opsToken))
}

func TestABannedPlayersTestsAreNotHeld(t *testing.T) {
	s := typedStack(t)
	id := s.waiting("user_z")
	s.removal(put(opsBan, `{"reason":"plays with a script"}`))
	s.want(http.StatusForbidden, s.as("user_z", s.typing("user_z", steady))).problem(t, "banned")
	s.want(http.StatusForbidden, put(opsHeld+"/"+id, "").bearer(opsToken)).problem(t, "banned")
}

func TestWhatIsHeldIsListedByPages(t *testing.T) {
	s := typedStack(t)
	for n := range 3 {
		s.waiting(fmt.Sprint("user_", n))
	}
	var first, rest heldBody
	s.want(http.StatusOK, get(opsHeld+"?limit=2").bearer(opsToken)).into(t, &first)
	require.Len(t, first.Held, 2)
	s.want(http.StatusOK, get(opsHeld+"?limit=2&cursor="+*first.Next).bearer(opsToken)).into(t, &rest)
	require.Len(t, rest.Held, 1)
	require.Nil(t, rest.Next)
	require.Equal(t, "user_2", rest.Held[0].Player)
}

func TestWhatIsHeldOfAPlayerIsExportedAndErased(t *testing.T) {
	s := typedStack(t)
	s.waiting("user_a")
	s.waiting("user_b")
	own := s.want(http.StatusOK, s.as("user_a", get(myExport)))
	var told struct {
		Known bool
		Held  []struct{ Mode, Date, At string }
	}
	require.NoError(t, json.Unmarshal(own.body, &told))
	require.True(t, told.Known)
	require.Len(t, told.Held, 1)
	require.Equal(t, "typed", told.Held[0].Mode)
}

func TestAPlayThatWasHeldEarnsOnceItPasses(t *testing.T) {
	s := newStack(t)
	s.game += typedMode + "currencies: {coins: {typed: 4}}\n"
	s.handler = s.process()
	earned := func(coins int) {
		t.Helper()
		require.Contains(t, s.wallet("user_a"), fmt.Sprintf(`"earned":%d,`, coins))
	}
	passes, drops := s.waiting("user_a"), s.waiting("user_a")
	earned(0)
	s.want(http.StatusOK, put(opsHeld+"/"+passes, "").bearer(opsToken))
	earned(4)
	s.want(http.StatusNoContent, remove(opsHeld+"/"+drops, "").bearer(opsToken))
	earned(4)
	s.want(http.StatusOK, s.as("user_a", s.typing("user_a", human)))
	earned(8)
}

// The score of a sum is on its board, but the operator's request fails before the play has left
// the list: letting it pass again finishes that, also on a later day, and adds nothing.
func TestASumThatIsLetPassAgainDaysLaterCountsOnce(t *testing.T) {
	s := newStack(t)
	s.game += strings.Replace(typedMode, "policy: best", "policy: sum, day_max: 5000", 1)
	s.handler = s.process()
	one := put(opsHeld+"/"+s.waiting("user_a"), "").bearer(opsToken)
	s.redis.Server.Inject(func(r upstashtest.Request) (f upstashtest.Fault) {
		if r.Commands[0][0] == "HDEL" {
			f.Status = http.StatusServiceUnavailable
		}
		return f
	})
	s.want(http.StatusServiceUnavailable, one)
	s.redis.Server.Inject(nil)
	s.passes(36 * time.Hour)
	require.Contains(t, string(s.want(http.StatusOK, one).body), `"status":"replayed","score":96,`)
	s.want(http.StatusNotFound, one)
}

// passes lets time pass, also for records.
func (s *stack) passes(d time.Duration) {
	s.clock.Pass(d)
	s.handler = s.process()
	for _, key := range s.records() {
		left := s.redis.Do("PTTL", key).(int64)
		if left -= d.Milliseconds(); left > 0 {
			s.redis.Do("PEXPIRE", key, fmt.Sprint(left))
		} else {
			s.redis.Do("DEL", key)
		}
	}
}
