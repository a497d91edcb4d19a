package api_test

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/api/idempotency"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

const (
	racesAt     = "/v1/races"
	raceQueueAt = racesAt + "/queue"
)

// racingGame has a mode to race in, whose plays take some time, and one that cannot be
// raced in.
const racingGame = `
name: racing
limits: {submit: {player: off}, boards: {player: off, ip: off}, duels: {player: off}, commands: {player: off}}
challenges: {english: [One., Two., Three., Four., Five., Six., Seven., Eight.]}
races: {timeout: 30m}
play: {life: 1h}
modes:
  sprint: {policy: best, max: 1000, play: required, challenge: {seconds: 5, texts: english}}
  plain: {max: 10}
`

type raceBody struct {
	ID, State, Mode, Play string
	Size                  int
	Open                  bool
	Now                   time.Time
	StartsAt              time.Time `json:"starts_at"`
	Until                 time.Time
	CreatedAt             time.Time `json:"created_at"`
	DecidedAt             time.Time `json:"decided_at"`
	PlayExpiresAt         time.Time `json:"play_expires_at"`
	Challenge             struct {
		Text    string
		Seconds int
	}
	Players []struct {
		Player         string
		Progress       float64
		Finished, Left bool
		Score          *int
		Place          int
		Rating         *struct{ Before, After float64 }
	}
}

func racing(tb testing.TB) *stack {
	s := newStack(tb)
	s.game = racingGame
	s.handler = s.process()
	return s
}

func (s *stack) race(status int, c call) (r raceBody) {
	s.Helper()
	s.want(status, c).into(s, &r)
	return r
}

// raceOf starts a race of players, at its start.
func (s *stack) raceOf(players ...string) raceBody {
	s.Helper()
	r := s.race(http.StatusCreated, s.as(players[0], post(racesAt, fmt.Sprintf(`{"mode":"sprint","players":%d,"invite":true}`, len(players)))))
	for _, player := range players[1:] {
		r = s.race(http.StatusOK, s.as(player, post(racesAt+"/"+r.ID+"/join", "")))
	}
	require.Equal(s, "ready", r.State)
	s.clock.Set(r.StartsAt)
	return r
}

func (s *stack) seen(r raceBody, player string) raceBody {
	s.Helper()
	return s.race(http.StatusOK, s.as(player, get(racesAt+"/"+r.ID)))
}

func (s *stack) finish(r raceBody, player string, score int) call {
	return s.as(player, post(scores, fmt.Sprintf(`{"mode":"sprint","play":%q,"score":%d}`, s.seen(r, player).Play, score)))
}

// A deploy that changes the game's texts during a race gives no player another text.
func TestAllWhoRaceHaveOneTextWhateverIsDeployed(t *testing.T) {
	s := racing(t)
	r := s.raceOf("user_a", "user_b")
	text := s.seen(r, "user_a").Challenge.Text
	require.NotEmpty(t, text)

	for more := range 8 {
		s.game = strings.Replace(racingGame, "english: [", "english: ["+strings.Repeat("Another. ", more+1)+"End., ", 1)
		s.handler = s.process()
		require.Equal(t, text, s.seen(r, "user_b").Challenge.Text, "the pool has others too")
	}
	s.game = strings.Replace(racingGame, text, "Instead.", 1)
	s.handler = s.process()
	seen := s.seen(r, "user_b")
	require.Empty(t, seen.Challenge.Text, "rather none than another one")
	require.Empty(t, seen.Play)
	require.Equal(t, "running", seen.State)

	s.game = racingGame
	s.handler = s.process()
	require.Equal(t, text, s.seen(r, "user_b").Challenge.Text)
}

func TestFivePlayersRace(t *testing.T) {
	s := racing(t)
	players := []string{"user_a", "user_b", "user_c", "user_d", "user_e"}
	r := s.raceOf(players...)
	texts, plays := map[string]bool{}, map[string]bool{}
	for _, player := range players {
		s.handler = s.process() // each asks another process
		seen := s.seen(r, player)
		require.Equal(t, "running", seen.State)
		require.Equal(t, r.StartsAt, seen.StartsAt)
		require.Equal(t, 5, seen.Challenge.Seconds)
		texts[seen.Challenge.Text], plays[seen.Play] = true, true
		require.Equal(t, seen.Play, s.seen(r, player).Play, "asked again")
	}
	require.Len(t, texts, 1, "all have the same challenge")
	require.Len(t, plays, 5, "and each a play of their own")

	progress := s.want(http.StatusOK, s.as("user_b", post(racesAt+"/"+r.ID+"/progress", `{"progress":0.5}`)))
	require.Contains(t, string(progress.body), `"user_b":0.5`)
	require.Equal(t, 0.5, s.seen(r, "user_a").Players[1].Progress)

	require.Equal(t, http.StatusUnprocessableEntity, s.send(s.finish(r, "user_a", 500)).status, "the race has begun just now")
	s.clock.Pass(5 * time.Second)
	for i, player := range players[:4] {
		told := s.want(http.StatusCreated, s.finish(r, player, 100*(i%3+1)))
		require.Contains(t, string(told.body), `"race":{"id":"`+r.ID+`","counted":true}`)
	}
	waits := s.seen(r, "user_a")
	require.True(t, waits.Players[0].Finished)
	require.Nil(t, waits.Players[0].Score, "what there is to beat is not told before all are in")
	s.want(http.StatusOK, s.as("user_e", post(racesAt+"/"+r.ID+"/leave", ""))) // one closes
	var end raceBody
	for i, player := range players {
		s.handler = s.process()
		seen := s.seen(r, player)
		require.Equal(t, "decided", seen.State)
		if i == 0 {
			end = seen
		}
		end.Now = seen.Now
		require.Equal(t, end, seen)
	}
	sum := 0.0
	for i, place := range []int{3, 2, 1, 3, 5} {
		require.Equal(t, place, end.Players[i].Place)
		sum += end.Players[i].Rating.After - end.Players[i].Rating.Before
	}
	require.InDelta(t, 0, sum, 1e-9)
	card := s.want(http.StatusOK, get("/v1/leaderboards/sprint"))
	require.Contains(t, string(card.body), `"total":4`, "results are ordinary plays")
}

// A submission that dies between the board and the race is finished by being sent
// again: one effect on each.
func TestAResultReachesItsRaceWhateverBreaks(t *testing.T) {
	broke := 0
	for nth := range 8 {
		for _, after := range []bool{false, true} {
			s := racing(t)
			r := s.raceOf("user_a", "user_b")
			s.clock.Pass(5 * time.Second)
			s.want(http.StatusCreated, s.finish(r, "user_a", 100))
			c := s.finish(r, "user_b", 200)
			n := 0
			s.redis.Server.Inject(func(upstashtest.Request) upstashtest.Fault {
				n++
				return upstashtest.Fault{CutBefore: n > nth && !after || n > nth+1, CutAfter: n == nth+1 && after}
			})
			if s.send(c).status >= 500 {
				broke++
			}
			s.mendRedis()
			s.handler = s.process()
			s.insist(s.as("user_b", c))
			end := s.seen(r, "user_a")
			require.Equal(t, "decided", end.State)
			require.Equal(t, 1, end.Players[1].Place)
			require.Equal(t, 1016.0, end.Players[1].Rating.After)
			require.Equal(t, 984.0, end.Players[0].Rating.After)
		}
	}
	require.GreaterOrEqual(t, broke, 4, "requests did break")
}

// insist sends a play until it has taken effect, and returns the answer. After a request that
// died with the play, the next ones are told to wait.
func (s *stack) insist(c call) answer {
	s.Helper()
	a := s.send(c)
	if a.status == http.StatusConflict {
		a.problem(s, "idempotency-key-in-use")
		require.NotEmpty(s, a.header.Get("Retry-After"))
		s.passTurns()
		a = s.send(c)
	}
	require.Contains(s, []int{http.StatusOK, http.StatusCreated, http.StatusAccepted}, a.status, "%s", a.body)
	return a
}

// passTurns lets so much time pass that no process can still hold a claimed play without an
// answer.
func (s *stack) passTurns() {
	ctx := context.Background()
	reply, err := s.redis.Client.Do(ctx, upstash.Cmd("KEYS", "turn:*"))
	require.NoError(s, err)
	keys, err := reply.Strings()
	require.NoError(s, err)
	for _, key := range keys {
		left, err := s.redis.Client.Do(ctx, upstash.Cmd("PTTL", key))
		require.NoError(s, err)
		ms, err := left.Int64()
		require.NoError(s, err)
		_, err = s.redis.Client.Do(ctx, upstash.Cmd("PEXPIRE", key, strconv.FormatInt(ms-idempotency.Deadline.Milliseconds(), 10)).Idempotent())
		require.NoError(s, err)
	}
}

func TestRacesOfTheQueueAndWhatIsRefused(t *testing.T) {
	s := racing(t)
	queue := func(player string) raceBody {
		return s.race(http.StatusOK, s.as(player, post(raceQueueAt, `{"mode":"sprint"}`)))
	}
	first := queue("user_a")
	require.True(t, first.Open)
	require.Equal(t, "waiting", first.State)
	require.Empty(t, first.Play)
	require.Equal(t, first.ID, queue("user_b").ID)
	require.Equal(t, first.ID, queue("user_a").ID)
	s.do(s.as("user_a", post(racesAt, `{"mode":"sprint"}`))).problem(t, "race-state")
	s.want(http.StatusOK, s.as("user_b", remove(raceQueueAt, "")))
	require.Len(t, s.seen(first, "user_a").Players, 1)

	s.do(s.as("user_a", post(racesAt, `{"mode":"plain"}`))).problem(t, "invalid-request")
	s.do(s.as("user_a", post(racesAt, `{"mode":"sprint","players":6}`))).problem(t, "invalid-request")
	s.do(s.as("user_a", post(racesAt, `{"mode":"chess"}`))).problem(t, "unknown-mode")
	s.do(s.as("user_a", post(racesAt+"/nothing/progress", `{"progress":2}`))).problem(t, "invalid-request")
	s.do(s.as("user_a", get(racesAt+"/nothing"))).problem(t, "unknown-race")
	s.do(s.as("user_a", post(racesAt+"/"+first.ID+"/progress", `{"progress":0}`))).problem(t, "race-state")
}

func TestAGameWithoutRacesHasNone(t *testing.T) {
	s := racing(t)
	s.game = "name: g\nmodes: {sprint: {max: 10, play: required}}\n"
	s.handler = s.process()
	for _, c := range []call{
		post(racesAt, `{"mode":"sprint"}`), post(raceQueueAt, `{"mode":"sprint"}`), remove(raceQueueAt, ""),
		get(racesAt + "/x"), post(racesAt+"/x/join", ""), post(racesAt+"/x/leave", ""), post(racesAt+"/x/progress", `{"progress":1}`),
	} {
		s.do(s.as("user_a", c)).problem(t, "unknown-race")
	}
}
