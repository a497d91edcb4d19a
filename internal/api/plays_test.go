package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
)

// playsGame has a mode for each kind of play.
const playsGame = playsHead + `currencies: {coins: {coined: 3}}
` + playsModes

const (
	playsHead = `
name: typing
limits: {submit: {player: off}, boards: {player: off}, commands: {player: off}}
`
	playsModes = `challenges:
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
	playsAt = "/v1/plays"
	pangram = "The quick brown fox jumps over the lazy dog."
)

func playing(tb testing.TB) *stack { return playingAt(tb, "") }

func playingAt(tb testing.TB, address string) *stack {
	s := newStackAt(tb, address)
	s.game = playsGame
	s.handler = s.process()
	return s
}

type handedOut struct {
	Play, Mode, Player, Date string
	Challenge                *struct {
		Text, Seed string
		Seconds    int
	}
	ExpiresAt time.Time `json:"expires_at"`
}

// take has a player take a play.
func (s *stack) take(player, mode string) (p handedOut) {
	s.Helper()
	s.want(http.StatusCreated, s.as(player, post(playsAt, fmt.Sprintf(`{"mode":%q}`, mode)))).into(s, &p)
	return p
}

// typed is a proof of somebody who types as people do, of so many right characters.
func typed(right int) string {
	gaps, holds := []string{"0"}, []string{"91"}
	for i := 1; i < 44; i++ {
		gaps, holds = append(gaps, fmt.Sprint(80+i*37%90)), append(holds, fmt.Sprint(70+i*53%60))
	}
	return fmt.Sprintf(`{"typed":%q,"gaps":[%s],"holds":[%s]}`, pangram[:right], strings.Join(gaps, ","), strings.Join(holds, ","))
}

func proven(p handedOut, right int, more string) string {
	return fmt.Sprintf(`{"mode":%q,"play":%q,"proof":%s%s}`, p.Mode, p.Play, typed(right), more)
}

func scored(p handedOut, score int, more string) string {
	return fmt.Sprintf(`{"mode":%q,"play":%q,"score":%d%s}`, p.Mode, p.Play, score, more)
}

func (a answer) reason(tb testing.TB) string {
	tb.Helper()
	require.Equal(tb, http.StatusUnprocessableEntity, a.status, "%s", a.body)
	return a.problem(tb, "play-refused").Reason
}

func TestAPlayIsHandedOutForNoCommand(t *testing.T) {
	s := playing(t)
	var p handedOut
	commands, _ := s.spent(func() { p = s.take("user_a", "time_30") })
	require.Zero(t, commands)
	require.Equal(t, "user_a", p.Player)
	require.Equal(t, today, p.Date)
	require.Equal(t, pangram, p.Challenge.Text)
	require.Equal(t, 30, p.Challenge.Seconds)
	require.WithinDuration(t, noon.Add(5*time.Minute), p.ExpiresAt, time.Second, "but for the clock's ticks")
	require.Regexp(t, "^[0-9a-f]{16}$", s.take("user_a", "seeded").Challenge.Seed)
	require.Nil(t, s.take("user_a", "newest").Challenge)
	s.want(http.StatusCreated, post(playsAt, `{"mode":"seeded","player":"user_b"}`).signed()).into(t, &p)
	require.Equal(t, "user_b", p.Player)

	require.Equal(t, "not-taken", s.do(s.as("user_a", post(playsAt, `{"mode":"plain"}`))).reason(t))
	s.want(http.StatusBadRequest, s.as("user_a", post(playsAt, `{}`)))
	s.want(http.StatusNotFound, s.as("user_a", post(playsAt, `{"mode":"chess"}`)))
	s.want(http.StatusForbidden, s.as("user_a", post(playsAt, `{"mode":"seeded","player":"user_b"}`)))
	s.want(http.StatusUnauthorized, post(playsAt, `{"mode":"seeded"}`))
	s.do(s.as("user_a", post(playsAt, fmt.Sprintf(`{"mode":"seeded","date":%q}`, longAgo)))).problem(t, "date-closed")
}

func TestAScoreNeedsItsPlay(t *testing.T) {
	s := playing(t)
	p, other := s.take("user_a", "seeded"), s.take("user_b", "seeded")
	newest := s.take("user_a", "newest")
	test := s.take("user_a", "time_30")
	for name, c := range map[string]struct{ body, want string }{
		"none":                     {`{"mode":"seeded","score":5}`, "required"},
		"none, with a proof":       {`{"mode":"time_30","proof":` + typed(9) + `}`, "required"},
		"none, with values":        {`{"mode":"time_30","values":{"wpm":90,"accuracy":98}}`, "required"},
		"none, with elapsed":       {`{"mode":"seeded","score":5,"elapsed":5}`, "required"},
		"of a mode without":        {`{"mode":"plain","score":5,"play":"x"}`, "not-taken"},
		"made up":                  {`{"mode":"seeded","score":5,"play":"bm9uZQ"}`, "forged"},
		"changed":                  {scored(handedOut{Mode: "seeded", Play: p.Play[:40] + "AAAA" + p.Play[44:]}, 5, ""), "forged"},
		"another mode's":           {scored(handedOut{Mode: "seeded", Play: newest.Play}, 5, ""), "other-mode"},
		"another player's":         {scored(other, 5, ""), "other-player"},
		"another day's":            {scored(p, 5, `,"date":"`+yesterday+`"`), "other-date"},
		"faster than the clock":    {scored(p, 5, `,"elapsed":60000`), "elapsed-above"},
		"a score beside the proof": {proven(test, 44, `,"score":9000`), "score-sent"},
		"no proof":                 {fmt.Sprintf(`{"mode":"time_30","play":%q}`, test.Play), "proof-required"},
		"an unasked proof":         {scored(p, 5, `,"proof":{}`), "proof-unasked"},
		"a proof that is none":     {fmt.Sprintf(`{"mode":"time_30","play":%q,"proof":[]}`, test.Play), "proof-unreadable"},
	} {
		commands, _ := s.spent(func() {
			require.Equal(t, c.want, s.do(s.as("user_a", post(scores, c.body))).reason(t), name)
		})
		require.Zero(t, commands, name)
	}
	s.clock.Pass(29 * time.Second)
	require.Equal(t, "too-early", s.do(s.as("user_a", post(scores, proven(test, 44, "")))).reason(t))
	long := `,"country":"BR","groups":["` + strings.Repeat(" ", 8<<10) + `"]`
	require.Equal(t, http.StatusRequestEntityTooLarge, s.do(s.as("user_a", post(scores, proven(test, 44, long)))).status)
	s.do(post("/v1/scores/batch", `{"scores":[`+scored(p, 5, `,"player":"user_a"`)+`]}`).signed())
	page := s.want(http.StatusOK, get("/v1/leaderboards/seeded"))
	require.Contains(t, string(page.body), `"total":0`)
}

func TestAPlayCountsOnce(t *testing.T) {
	for _, mode := range []string{"seeded", "newest", "adding"} {
		t.Run(mode, func(t *testing.T) {
			s := playing(t)
			p := s.take("user_a", mode)
			first := s.want(http.StatusCreated, s.as("user_a", post(scores, scored(p, 5, ""))))
			s.clock.Pass(time.Minute)
			s.want(http.StatusCreated, s.as("user_b", post(scores, scored(s.take("user_b", mode), 9, ""))))
			for range 2 { // the second by a process that knows nothing
				again := s.want(http.StatusCreated, s.as("user_a", post(scores, scored(p, 5, ""))))
				require.Equal(t, string(first.body), string(again.body), "byte for byte, though somebody leads by now")
				require.Equal(t, "true", again.header.Get("Idempotency-Replayed"))
				require.Equal(t, "used", s.do(s.as("user_a", post(scores, scored(p, 50, "")))).reason(t))
				s.handler = s.process()
			}
			s.clock.Pass(time.Hour) // its life is over
			again := s.want(http.StatusCreated, s.as("user_a", post(scores, scored(p, 5, ""))))
			require.Equal(t, string(first.body), string(again.body))
			late := s.take("user_a", mode)
			s.clock.Pass(5*time.Minute + time.Second)
			require.Equal(t, "expired", s.do(s.as("user_a", post(scores, scored(late, 5, "")))).reason(t))
			card := s.want(http.StatusOK, s.as("user_a", get("/v1/leaderboards/"+mode+"/players/me")))
			require.Contains(t, string(card.body), `"score":5,`)
		})
	}
}

func TestAnElapsedTimeThatWasTrueStaysTrueForARetry(t *testing.T) {
	s := playing(t)
	p := s.take("user_a", "seeded")
	s.clock.Pass(20 * time.Second)
	body := scored(p, 5, `,"elapsed":19500`)
	first := s.want(http.StatusCreated, s.as("user_a", post(scores, body)))
	s.clock.Pass(time.Minute)
	require.Equal(t, first.body, s.want(http.StatusCreated, s.as("user_a", post(scores, body))).body)
	fresh := s.take("user_a", "seeded")
	s.clock.Pass(20 * time.Second)
	require.Equal(t, "elapsed-below", s.do(s.as("user_a", post(scores, scored(fresh, 5, `,"elapsed":14999`)))).reason(t))
}

func TestOnePlayByTwoProcessesAtOnceHasOneEffect(t *testing.T) {
	for _, mode := range []string{"seeded", "adding", "coined"} {
		testkit.OnEngines(t, func(t *testing.T, address string) {
			s := playingAt(t, address)
			p := s.take("user_a", mode)
			handlers := []http.Handler{s.process(), s.process(), s.process(), s.process()}
			answers := make([]answer, 32)
			var wait sync.WaitGroup
			for i := range answers {
				one := *s
				one.handler = handlers[i%len(handlers)]
				c := s.as("user_a", post(scores, scored(p, 5+i%2, "")))
				wait.Go(func() { answers[i] = one.send(c) })
			}
			wait.Wait()
			taken := map[string]int{}
			for i, a := range answers {
				switch a.status {
				case http.StatusCreated:
					taken[string(a.body)]++
				case http.StatusConflict:
					a.problem(t, "idempotency-key-in-use")
				default:
					require.Equal(t, "used", a.reason(t), i)
				}
			}
			require.Len(t, taken, 1, "all who are answered are answered the same")
			card := s.want(http.StatusOK, s.as("user_a", get("/v1/leaderboards/"+mode+"/players/me")))
			for answered := range taken {
				var of struct{ Score, Submitted int }
				require.NoError(t, json.Unmarshal([]byte(answered), &of))
				require.Equal(t, of.Submitted, of.Score)
				require.Contains(t, string(card.body), fmt.Sprintf(`"score":%d,`, of.Score))
			}
		})
	}
}

func TestATestIsWorkedOutByTheServer(t *testing.T) {
	s := playing(t)
	p := s.take("user_a", "time_30")
	s.clock.Pass(30 * time.Second)
	var got struct {
		Status    string
		Score     int64
		Values    json.RawMessage
		Rank      int64
		XP        *int64
		Submitted int64
	}
	a := s.want(http.StatusCreated, s.as("user_a", post(scores, proven(p, 44, ""))))
	require.NoError(t, json.Unmarshal(a.body, &got))
	require.JSONEq(t, `{"wpm":17.6,"accuracy":100}`, string(got.Values))
	require.Equal(t, "accepted", got.Status)
	require.EqualValues(t, 1, got.Rank)

	p = s.take("user_a", "time_30")
	s.clock.Pass(30 * time.Second)
	a = s.want(http.StatusOK, s.as("user_a", post(scores, proven(p, 33, ""))))
	require.NoError(t, json.Unmarshal(a.body, &got))
	require.JSONEq(t, `{"wpm":17.6,"accuracy":100}`, string(got.Values), "what stands")
	require.Contains(t, string(a.body), `"submitted_values":{"wpm":13.2,"accuracy":75}`)

	// A game server has seen the play itself.
	s.want(http.StatusCreated, post(scores, `{"mode":"time_30","player":"user_b","values":{"wpm":92.5,"accuracy":98.2}}`).signed())
}

// The steady state: a process that knows the player, and has told their streak today.
func TestWhatAPlayCosts(t *testing.T) { testkit.OnEngines(t, whatAPlayCosts) }

func whatAPlayCosts(t *testing.T, address string) {
	s := playingAt(t, address)
	s.clock.Stop()
	test := func(player string, right int, more string) call {
		p := s.take(player, "time_30")
		s.clock.Pass(30 * time.Second)
		return s.as(player, post(scores, proven(p, right, more)))
	}
	s.want(http.StatusCreated, test("user_a", 20, `,"details":{"theme":"light"}`))
	other := func(mode string, score int) call {
		return s.as("user_a", post(scores, scored(s.take("user_a", mode), score, "")))
	}
	s.want(http.StatusCreated, other("coined", 1))
	s.want(http.StatusCreated, other("adding", 1))
	s.send(other("coined", 1)) // others are told of the boards
	for _, c := range []struct {
		name                 string
		call                 func() call
		status               int
		commands, roundTrips int64
	}{
		{"improved", func() call { return test("user_a", 30, "") }, 201, 4, 3},
		{"kept", func() call { return test("user_a", 30, "") }, 200, 4, 3},
		{"improved, with details", func() call { return test("user_a", 31, `,"details":{"theme":"dark"}`) }, 201, 4, 3},
		{"that earns something", func() call { return other("coined", 2) }, 201, 4, 3},
		{"added up", func() call { return other("adding", 2) }, 201, 6, 3},
	} {
		var first answer
		sent := c.call()
		s.send(get("/v1/leaderboards/time_30")) // the total is fresh
		billed := s.billed()
		commands, roundTrips := s.spent(func() { first = s.want(c.status, sent) })
		require.Equal(t, s.billed()-billed, commands, "the meter and Redis itself disagree")
		require.Equal(t, c.commands, commands, c.name)
		require.Equal(t, c.roundTrips, roundTrips, c.name)
		commands, _ = s.spent(func() { require.Equal(t, first.body, s.want(c.status, sent).body) })
		require.EqualValues(t, 2, commands, "%s, sent again", c.name)
	}
	s.handler = s.process()
	dearest := test("user_new", 40, `,"details":{"theme":"dark"},"country":"BR"`)
	commands, _ := s.spent(func() { s.want(http.StatusCreated, dearest) })
	require.LessOrEqual(t, commands, int64(18+8), "a process that knows nothing: what is held for it")
}

func TestEachPlayThatEarnsIsCountedOnce(t *testing.T) {
	s := playing(t)
	count := func() string {
		n, err := s.redis.Server.Redis().Do(t.Context(), "ZLEXCOUNT", "plays:coined:"+today, "[user_a ", "(user_a!")
		require.NoError(t, err)
		return fmt.Sprint(n)
	}
	for n := 1; n <= 3; n++ {
		c := s.as("user_a", post(scores, scored(s.take("user_a", "coined"), 10-n, "")))
		first := s.send(c)
		require.Contains(t, string(first.body), `"earned":{"coins":3}`)
		for range 2 {
			s.handler = s.process()
			require.Equal(t, first.body, s.send(c).body)
		}
		require.Equal(t, fmt.Sprint(n), count(), "what does not improve the board earns too")
	}
	server := s.want(http.StatusCreated, post(scores, `{"mode":"coined","player":"user_a","score":99}`).signed())
	require.NotContains(t, string(server.body), "earned")
	require.Equal(t, "3", count())
}

func TestTheStreakOfAnAnswerIsThatOfMe(t *testing.T) {
	s := playing(t)
	for day := range 4 {
		s.clock.Set(noon.AddDate(0, 0, day))
		a := s.want(http.StatusCreated, s.as("user_a", post(scores, scored(s.take("user_a", "seeded"), 5+day, ""))))
		var told struct {
			Streak map[string]any
			XP     *int64
		}
		require.NoError(t, json.Unmarshal(a.body, &told))
		s.handler = s.process()
		var own struct{ Streak map[string]any }
		require.NoError(t, json.Unmarshal(s.want(http.StatusOK, s.as("user_a", get("/v1/me"))).body, &own))
		require.Equal(t, own.Streak, told.Streak, day)
		require.EqualValues(t, day+1, told.Streak["current"])
		require.Nil(t, told.XP, "the mode gives none")
	}
}
