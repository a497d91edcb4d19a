package play_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

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

func TestAPlayIsHandedOutForNoCommand(t *testing.T) {
	s := apitest.Playing(t)
	var p apitest.HandedOut
	commands, _ := s.Spent(func() { p = s.Take("user_a", "time_30") })
	require.Zero(t, commands)
	require.Equal(t, "user_a", p.Player)
	require.Equal(t, apitest.Today, p.Date)
	require.Equal(t, apitest.Pangram, p.Challenge.Text)
	require.Equal(t, 30, p.Challenge.Seconds)
	require.WithinDuration(t, apitest.Noon.Add(5*time.Minute), p.ExpiresAt, time.Second, "but for the clock's ticks")
	require.Regexp(t, "^[0-9a-f]{16}$", s.Take("user_a", "seeded").Challenge.Seed)
	require.Nil(t, s.Take("user_a", "newest").Challenge)
	s.Want(http.StatusCreated, apitest.Post(apitest.PlaysAt, `{"mode":"seeded","player":"user_b"}`).Signed()).Into(t, &p)
	require.Equal(t, "user_b", p.Player)

	require.Equal(t, "not-taken", s.Do(s.As("user_a", apitest.Post(apitest.PlaysAt, `{"mode":"plain"}`))).Reason(t))
	s.Want(http.StatusBadRequest, s.As("user_a", apitest.Post(apitest.PlaysAt, `{}`)))
	s.Want(http.StatusNotFound, s.As("user_a", apitest.Post(apitest.PlaysAt, `{"mode":"chess"}`)))
	s.Want(http.StatusForbidden, s.As("user_a", apitest.Post(apitest.PlaysAt, `{"mode":"seeded","player":"user_b"}`)))
	s.Want(http.StatusUnauthorized, apitest.Post(apitest.PlaysAt, `{"mode":"seeded"}`))
	s.Do(s.As("user_a", apitest.Post(apitest.PlaysAt, fmt.Sprintf(`{"mode":"seeded","date":%q}`, apitest.LongAgo)))).Problem(t, "date-closed")
}

func TestAScoreNeedsItsPlay(t *testing.T) {
	s := apitest.Playing(t)
	p, other := s.Take("user_a", "seeded"), s.Take("user_b", "seeded")
	newest := s.Take("user_a", "newest")
	test := s.Take("user_a", "time_30")
	for name, c := range map[string]struct{ body, want string }{
		"none":                     {`{"mode":"seeded","score":5}`, "required"},
		"none, with a proof":       {`{"mode":"time_30","proof":` + apitest.Typed(9) + `}`, "required"},
		"none, with values":        {`{"mode":"time_30","values":{"wpm":90,"accuracy":98}}`, "required"},
		"none, with elapsed":       {`{"mode":"seeded","score":5,"elapsed":5}`, "required"},
		"of a mode without":        {`{"mode":"plain","score":5,"play":"x"}`, "not-taken"},
		"made up":                  {`{"mode":"seeded","score":5,"play":"bm9uZQ"}`, "forged"},
		"changed":                  {apitest.Scored(apitest.HandedOut{Mode: "seeded", Play: p.Play[:40] + "AAAA" + p.Play[44:]}, 5, ""), "forged"},
		"another mode's":           {apitest.Scored(apitest.HandedOut{Mode: "seeded", Play: newest.Play}, 5, ""), "other-mode"},
		"another player's":         {apitest.Scored(other, 5, ""), "other-player"},
		"another day's":            {apitest.Scored(p, 5, `,"date":"`+apitest.Yesterday+`"`), "other-date"},
		"faster than the clock":    {apitest.Scored(p, 5, `,"elapsed":60000`), "elapsed-above"},
		"a score beside the proof": {apitest.Proven(test, 44, `,"score":9000`), "score-sent"},
		"no proof":                 {fmt.Sprintf(`{"mode":"time_30","play":%q}`, test.Play), "proof-required"},
		"an unasked proof":         {apitest.Scored(p, 5, `,"proof":{}`), "proof-unasked"},
		"a proof that is none":     {fmt.Sprintf(`{"mode":"time_30","play":%q,"proof":[]}`, test.Play), "proof-unreadable"},
	} {
		commands, _ := s.Spent(func() {
			require.Equal(t, c.want, s.Do(s.As("user_a", apitest.Post(apitest.Scores, c.body))).Reason(t), name)
		})
		require.Zero(t, commands, name)
	}
	s.Clock.Pass(29 * time.Second)
	require.Equal(t, "too-early", s.Do(s.As("user_a", apitest.Post(apitest.Scores, apitest.Proven(test, 44, "")))).Reason(t))
	long := `,"country":"BR","groups":["` + strings.Repeat(" ", 8<<10) + `"]`
	require.Equal(t, http.StatusRequestEntityTooLarge, s.Do(s.As("user_a", apitest.Post(apitest.Scores, apitest.Proven(test, 44, long)))).Status)
	s.Do(apitest.Post("/v1/scores/batch", `{"scores":[`+apitest.Scored(p, 5, `,"player":"user_a"`)+`]}`).Signed())
	page := s.Want(http.StatusOK, apitest.Get("/v1/leaderboards/seeded"))
	require.Contains(t, string(page.Body), `"total":0`)
}

func TestAPlayCountsOnce(t *testing.T) {
	for _, mode := range []string{"seeded", "newest", "adding"} {
		t.Run(mode, func(t *testing.T) {
			s := apitest.Playing(t)
			p := s.Take("user_a", mode)
			first := s.Want(http.StatusCreated, s.As("user_a", apitest.Post(apitest.Scores, apitest.Scored(p, 5, ""))))
			s.Clock.Pass(time.Minute)
			s.Want(http.StatusCreated, s.As("user_b", apitest.Post(apitest.Scores, apitest.Scored(s.Take("user_b", mode), 9, ""))))
			for range 2 { // the second by a process that knows nothing
				again := s.Want(http.StatusCreated, s.As("user_a", apitest.Post(apitest.Scores, apitest.Scored(p, 5, ""))))
				require.Equal(t, string(first.Body), string(again.Body), "byte for byte, though somebody leads by now")
				require.Equal(t, "true", again.Header.Get("Idempotency-Replayed"))
				require.Equal(t, "used", s.Do(s.As("user_a", apitest.Post(apitest.Scores, apitest.Scored(p, 50, "")))).Reason(t))
				s.Handler = s.Process()
			}
			s.Clock.Pass(time.Hour) // its life is over
			again := s.Want(http.StatusCreated, s.As("user_a", apitest.Post(apitest.Scores, apitest.Scored(p, 5, ""))))
			require.Equal(t, string(first.Body), string(again.Body))
			late := s.Take("user_a", mode)
			s.Clock.Pass(5*time.Minute + time.Second)
			require.Equal(t, "expired", s.Do(s.As("user_a", apitest.Post(apitest.Scores, apitest.Scored(late, 5, "")))).Reason(t))
			card := s.Want(http.StatusOK, s.As("user_a", apitest.Get("/v1/leaderboards/"+mode+"/players/me")))
			require.Contains(t, string(card.Body), `"score":5,`)
		})
	}
}

func TestAnElapsedTimeThatWasTrueStaysTrueForARetry(t *testing.T) {
	s := apitest.Playing(t)
	p := s.Take("user_a", "seeded")
	s.Clock.Pass(20 * time.Second)
	body := apitest.Scored(p, 5, `,"elapsed":19500`)
	first := s.Want(http.StatusCreated, s.As("user_a", apitest.Post(apitest.Scores, body)))
	s.Clock.Pass(time.Minute)
	require.Equal(t, first.Body, s.Want(http.StatusCreated, s.As("user_a", apitest.Post(apitest.Scores, body))).Body)
	fresh := s.Take("user_a", "seeded")
	s.Clock.Pass(20 * time.Second)
	require.Equal(t, "elapsed-below", s.Do(s.As("user_a", apitest.Post(apitest.Scores, apitest.Scored(fresh, 5, `,"elapsed":14999`)))).Reason(t))
}

func TestOnePlayByTwoProcessesAtOnceHasOneEffect(t *testing.T) {
	for _, mode := range []string{"seeded", "adding", "coined"} {
		testkit.OnEngines(t, func(t *testing.T, address string) {
			s := apitest.PlayingAt(t, address)
			p := s.Take("user_a", mode)
			handlers := []http.Handler{s.Process(), s.Process(), s.Process(), s.Process()}
			answers := make([]apitest.Answer, 32)
			var wait sync.WaitGroup
			for i := range answers {
				one := *s
				one.Handler = handlers[i%len(handlers)]
				c := s.As("user_a", apitest.Post(apitest.Scores, apitest.Scored(p, 5+i%2, "")))
				wait.Go(func() { answers[i] = one.Send(c) })
			}
			wait.Wait()
			taken := map[string]int{}
			for i, a := range answers {
				switch a.Status {
				case http.StatusCreated:
					taken[string(a.Body)]++
				case http.StatusConflict:
					a.Problem(t, "idempotency-key-in-use")
				default:
					require.Equal(t, "used", a.Reason(t), i)
				}
			}
			require.Len(t, taken, 1, "all who are answered are answered the same")
			card := s.Want(http.StatusOK, s.As("user_a", apitest.Get("/v1/leaderboards/"+mode+"/players/me")))
			for answered := range taken {
				var of struct{ Score, Submitted int }
				require.NoError(t, json.Unmarshal([]byte(answered), &of))
				require.Equal(t, of.Submitted, of.Score)
				require.Contains(t, string(card.Body), fmt.Sprintf(`"score":%d,`, of.Score))
			}
		})
	}
}

func TestATestIsWorkedOutByTheServer(t *testing.T) {
	s := apitest.Playing(t)
	p := s.Take("user_a", "time_30")
	s.Clock.Pass(30 * time.Second)
	var got struct {
		Status    string
		Score     int64
		Values    json.RawMessage
		Rank      int64
		XP        *int64
		Submitted int64
	}
	a := s.Want(http.StatusCreated, s.As("user_a", apitest.Post(apitest.Scores, apitest.Proven(p, 44, ""))))
	require.NoError(t, json.Unmarshal(a.Body, &got))
	require.JSONEq(t, `{"wpm":17.6,"accuracy":100}`, string(got.Values))
	require.Equal(t, "accepted", got.Status)
	require.EqualValues(t, 1, got.Rank)

	p = s.Take("user_a", "time_30")
	s.Clock.Pass(30 * time.Second)
	a = s.Want(http.StatusOK, s.As("user_a", apitest.Post(apitest.Scores, apitest.Proven(p, 33, ""))))
	require.NoError(t, json.Unmarshal(a.Body, &got))
	require.JSONEq(t, `{"wpm":17.6,"accuracy":100}`, string(got.Values), "what stands")
	require.Contains(t, string(a.Body), `"submitted_values":{"wpm":13.2,"accuracy":75}`)

	// A game server has seen the play itself.
	s.Want(http.StatusCreated, apitest.Post(apitest.Scores, `{"mode":"time_30","player":"user_b","values":{"wpm":92.5,"accuracy":98.2}}`).Signed())
}

// The steady state: a process that knows the player, and has told their streak today.
func TestWhatAPlayCosts(t *testing.T) { testkit.OnEngines(t, whatAPlayCosts) }

func whatAPlayCosts(t *testing.T, address string) {
	s := apitest.PlayingAt(t, address)
	s.Clock.Stop()
	test := func(player string, right int, more string) apitest.Call {
		p := s.Take(player, "time_30")
		s.Clock.Pass(30 * time.Second)
		return s.As(player, apitest.Post(apitest.Scores, apitest.Proven(p, right, more)))
	}
	s.Want(http.StatusCreated, test("user_a", 20, `,"details":{"theme":"light"}`))
	other := func(mode string, score int) apitest.Call {
		return s.As("user_a", apitest.Post(apitest.Scores, apitest.Scored(s.Take("user_a", mode), score, "")))
	}
	s.Want(http.StatusCreated, other("coined", 1))
	s.Want(http.StatusCreated, other("adding", 1))
	s.Send(other("coined", 1)) // others are told of the boards
	for _, c := range []struct {
		name                 string
		call                 func() apitest.Call
		status               int
		commands, roundTrips int64
	}{
		{"improved", func() apitest.Call { return test("user_a", 30, "") }, 201, 4, 3},
		{"kept", func() apitest.Call { return test("user_a", 30, "") }, 200, 4, 3},
		{"improved, with details", func() apitest.Call { return test("user_a", 31, `,"details":{"theme":"dark"}`) }, 201, 4, 3},
		{"that earns something", func() apitest.Call { return other("coined", 2) }, 201, 4, 3},
		{"added up", func() apitest.Call { return other("adding", 2) }, 201, 6, 3},
	} {
		var first apitest.Answer
		sent := c.call()
		s.Send(apitest.Get("/v1/leaderboards/time_30")) // the total is fresh
		billed := s.Billed()
		commands, roundTrips := s.Spent(func() { first = s.Want(c.status, sent) })
		require.Equal(t, s.Billed()-billed, commands, "the meter and Redis itself disagree")
		require.Equal(t, c.commands, commands, c.name)
		require.Equal(t, c.roundTrips, roundTrips, c.name)
		commands, _ = s.Spent(func() { require.Equal(t, first.Body, s.Want(c.status, sent).Body) })
		require.EqualValues(t, 2, commands, "%s, sent again", c.name)
	}
	s.Handler = s.Process()
	dearest := test("user_new", 40, `,"details":{"theme":"dark"},"country":"BR"`)
	commands, _ := s.Spent(func() { s.Want(http.StatusCreated, dearest) })
	require.LessOrEqual(t, commands, int64(18+8), "a process that knows nothing: what is held for it")
}

func TestTheStreakOfAnAnswerIsThatOfMe(t *testing.T) {
	s := apitest.Playing(t)
	for day := range 4 {
		s.Clock.Set(apitest.Noon.AddDate(0, 0, day))
		a := s.Want(http.StatusCreated, s.As("user_a", apitest.Post(apitest.Scores, apitest.Scored(s.Take("user_a", "seeded"), 5+day, ""))))
		var answer struct {
			Streak map[string]any
			XP     *int64
		}
		require.NoError(t, json.Unmarshal(a.Body, &answer))
		s.Handler = s.Process()
		var own struct{ Streak map[string]any }
		require.NoError(t, json.Unmarshal(s.Want(http.StatusOK, s.As("user_a", apitest.Get("/v1/me"))).Body, &own))
		require.Equal(t, own.Streak, answer.Streak, day)
		require.EqualValues(t, day+1, answer.Streak["current"])
		require.Nil(t, answer.XP, "the mode gives none")
	}
}
