package apitest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// playsGame has a mode for each kind of play.
const playsGame = PlaysHead + `currencies: {coins: {coined: 3}}
` + PlaysModes

const (
	PlaysHead = `
name: typing
limits: {submit: {player: off}, boards: {player: off}, commands: {player: off}}
`
	PlaysModes = `challenges:
  english: [The quick brown fox jumps over the lazy dog.]
modes:
  time_30:
    policy: best
    play: required
    proof: keystrokes
    challenge: {seconds: 30, texts: english}
    score: [{name: wpm, decimals: 2, max: 350}, {name: accuracy, decimals: 2, max: 100}]
    scopes: [group]
    details: true
    xp: {play: 20, scores: {"10": 5}}
  seeded: {policy: best, max: 100, play: required, challenge: {seed: true}}
  newest: {policy: latest, max: 100, play: required, aggregate: last}
  adding: {policy: sum, max: 100, day_max: 1000, play: required}
  coined: {policy: best, max: 100, play: required}
  plain: {policy: best, max: 100}
`
)

const (
	PlaysAt = "/v1/plays"
	Pangram = "The quick brown fox jumps over the lazy dog."
)

func Playing(tb testing.TB) *Stack { return PlayingAt(tb, "") }

func PlayingAt(tb testing.TB, address string) *Stack {
	s := NewStackAt(tb, address)
	s.Game = playsGame
	s.Handler = s.Process()
	return s
}

type HandedOut struct {
	Play, Mode, Player, Date string
	Challenge                *struct {
		Text, Seed string
		Seconds    int
	}
	ExpiresAt time.Time `json:"expires_at"`
}

// Take has a player take a play.
func (s *Stack) Take(player, mode string) (p HandedOut) {
	s.Helper()
	s.Want(http.StatusCreated, s.As(player, Post(PlaysAt, fmt.Sprintf(`{"mode":%q}`, mode)))).Into(s, &p)
	return p
}

// Typed is a proof of somebody who types as people do, of so many right characters.
func Typed(right int) string {
	gaps, holds := []string{"0"}, []string{"91"}
	for i := 1; i < 44; i++ {
		gaps, holds = append(gaps, fmt.Sprint(80+i*37%90)), append(holds, fmt.Sprint(70+i*53%60))
	}
	return fmt.Sprintf(`{"typed":%q,"gaps":[%s],"holds":[%s]}`, Pangram[:right], strings.Join(gaps, ","), strings.Join(holds, ","))
}

func Proven(p HandedOut, right int, more string) string {
	return fmt.Sprintf(`{"mode":%q,"play":%q,"proof":%s%s}`, p.Mode, p.Play, Typed(right), more)
}

func Scored(p HandedOut, score int, more string) string {
	return fmt.Sprintf(`{"mode":%q,"play":%q,"score":%d%s}`, p.Mode, p.Play, score, more)
}

func (a Answer) Reason(tb testing.TB) string {
	tb.Helper()
	require.Equal(tb, http.StatusUnprocessableEntity, a.Status, "%s", a.Body)
	return a.Problem(tb, "play-refused").Reason
}

// dying sends a play to a process that dies before or after one of its exchanges with Redis:
// nothing reaches the process any more.
func (s *Stack) dying(c Call, step int, after bool) Answer {
	exchange := 0
	s.Redis.Server.Inject(func(upstashtest.Request) upstashtest.Fault {
		exchange++
		return upstashtest.Fault{CutAfter: after && exchange == step+1, CutBefore: exchange > step+1 || !after && exchange > step}
	})
	a := s.Send(c)
	s.Redis.Server.Inject(nil)
	s.Handler = s.Process()
	return a
}

// Die has a process die with a player's third play of a mode.
func (s *Stack) Die(mode string, step int, after bool) {
	player := fmt.Sprintf("user_%s_%d_%t", mode, step, after)
	sent := func(score int) Call {
		p := s.Take(player, mode)
		s.Clock.Pass(30 * time.Second)
		if mode == "time_30" {
			return s.As(player, Post(Scores, Proven(p, 10+score, `,"details":{"theme":"light"}`)))
		}
		return s.As(player, Post(Scores, Scored(p, score, "")))
	}
	s.Want(http.StatusCreated, sent(1)) // the process knows its day and the player,
	s.Want(http.StatusCreated, sent(2)) // and Redis its scripts
	c := sent(5)
	other := c
	other.Body = strings.Replace(c.Body, "{", "{ ", 1)

	require.Equal(s, http.StatusServiceUnavailable, s.dying(c, step, after).Status, player)
	switch claimed, kept := step > 0 || after, step == 2 && after; {
	case kept:
		require.Equal(s, "used", s.Do(other).Reason(s), player)
	case claimed:
		s.Want(http.StatusConflict, other)
	}
	done := s.Insist(c)
	var answer struct {
		Status           string
		Score, Submitted int
	}
	require.NoError(s, json.Unmarshal(done.Body, &answer))
	if mode == "adding" {
		require.Equal(s, 1+2+5, answer.Score, player)
	} else {
		require.Equal(s, answer.Submitted, answer.Score, player)
	}
	require.Equal(s, "improved", answer.Status, player)
	for range 2 {
		require.Equal(s, string(done.Body), string(s.Send(c).Body), player)
		require.Equal(s, "used", s.Do(other).Reason(s), player)
		s.Handler = s.Process()
	}
	card := string(s.Want(http.StatusOK, s.As(player, Get("/v1/leaderboards/"+mode+"/players/me"))).Body)
	require.Contains(s, card, fmt.Sprintf(`"score":%d,`, answer.Score), player)
	require.Equal(s, mode == "time_30", strings.Contains(card, `{"theme":"light"}`), player)
	require.Equal(s, mode == "coined", strings.Contains(s.Wallet(player), `"earned":9,`), player)
}

const OpsHeld = "/v1/ops/held"

// TypedMode is one that works its scores out.
const TypedMode = `  typed: {policy: best, decimals: 2, max: 350, play: required, proof: keystrokes, challenge: {seconds: 5, texts: english}}
challenges: {english: [The quick brown fox jumps over the lazy dog.]}
`

// Ways to type: as people do, and by a clock.
var (
	Steady = func(int) (gap, hold int) { return 110, 60 }
)

// Typing is a test of 5 seconds that a player has just typed, in the game of the tests.
func (s *Stack) Typing(player string, how func(int) (gap, hold int)) Call {
	s.Helper()
	var p HandedOut
	s.Want(http.StatusCreated, s.As(player, Post(PlaysAt, `{"mode":"typed"}`))).Into(s, &p)
	s.Clock.Pass(5500 * time.Millisecond)
	var gaps, holds []string
	for i := range 40 {
		gap, hold := how(i)
		gaps, holds = append(gaps, fmt.Sprint(gap)), append(holds, fmt.Sprint(hold))
	}
	gaps[0] = "0"
	return Post(Scores, fmt.Sprintf(`{"mode":"typed","play":%q,"proof":{"typed":%q,"gaps":[%s],"holds":[%s]}}`,
		p.Play, Pangram[:40], strings.Join(gaps, ","), strings.Join(holds, ",")))
}

type HeldBody struct {
	Held []struct {
		ID, Mode, Date, Player, Name, At, Why string
		Submitted                             float64
		SubmittedValues                       json.RawMessage `json:"submitted_values"`
		Open                                  bool
	}
	Next *string
}

// Waiting has a player's test be held, and returns its id.
func (s *Stack) Waiting(player string) string {
	s.Helper()
	s.Want(http.StatusAccepted, s.As(player, s.Typing(player, Steady)))
	var list HeldBody
	s.Want(http.StatusOK, Get(OpsHeld).Bearer(OpsToken)).Into(s, &list)
	for i := len(list.Held) - 1; i >= 0; i-- {
		if list.Held[i].Player == player {
			return list.Held[i].ID
		}
	}
	require.Fail(s, "nothing is held of "+player)
	return ""
}

// HeldOf puts a score on hold as a process would.
func (s *Stack) HeldOf(player, date, id string) {
	_, err := s.Redis.Server.Redis().Do(s.Context(), "HSET", "held", player+" 1794000000000 "+id,
		`{"why":"it is steady","s":{"v":1,"m":"daily","d":"`+date+`","p":"`+player+`","s":"5","t":1}}`)
	require.NoError(s, err)
}

func AfterOne(c func(*Stack) Call) func(*Stack) Call {
	return func(s *Stack) Call { s.HeldOf("user_h", Today, "aa"); return c(s) }
}

var (
	Passing  = AfterOne(Operator(Put(OpsHeld+"/aa", "")))
	Dropping = func(s *Stack) Call { // another one than passing, which may have been decided about
		s.HeldOf("user_i", Today, "bb")
		return Operator(Remove(OpsHeld+"/bb", ""))(s)
	}
)

// Passes lets time pass, also for records.
func (s *Stack) Passes(d time.Duration) {
	s.Clock.Pass(d)
	s.Handler = s.Process()
	for _, key := range s.records() {
		left := s.Redis.Do("PTTL", key).(int64)
		if left -= d.Milliseconds(); left > 0 {
			s.Redis.Do("PEXPIRE", key, fmt.Sprint(left))
		} else {
			s.Redis.Do("DEL", key)
		}
	}
}
