package race_test

import (
	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash/upstashtest"
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

func racing(tb testing.TB) *apitest.Stack {
	s := apitest.NewStack(tb)
	s.Game = racingGame
	s.Handler = s.Process()
	return s
}

// A deploy that changes the game's texts during a race gives no player another text.
func TestAllWhoRaceHaveOneTextWhateverIsDeployed(t *testing.T) {
	s := racing(t)
	r := s.RaceOf("user_a", "user_b")
	text := s.Seen(r, "user_a").Challenge.Text
	require.NotEmpty(t, text)

	for more := range 8 {
		s.Game = strings.Replace(racingGame, "english: [", "english: ["+strings.Repeat("Another. ", more+1)+"End., ", 1)
		s.Handler = s.Process()
		require.Equal(t, text, s.Seen(r, "user_b").Challenge.Text, "the pool has others too")
	}
	s.Game = strings.Replace(racingGame, text, "Instead.", 1)
	s.Handler = s.Process()
	seen := s.Seen(r, "user_b")
	require.Empty(t, seen.Challenge.Text, "rather none than another one")
	require.Empty(t, seen.Play)
	require.Equal(t, "running", seen.State)

	s.Game = racingGame
	s.Handler = s.Process()
	require.Equal(t, text, s.Seen(r, "user_b").Challenge.Text)
}

// Players are shown by their names before they have a score, also by a process that knows none.
func TestARaceSaysWhoItsPlayersAre(t *testing.T) {
	s := racing(t)
	as := func(player, name, country string, c apitest.Call) apitest.Call {
		return c.Bearer(s.TokenWith(player, map[string]any{"name": name, "country": country}))
	}
	ana, ben := api.Person{Player: "user_ana", Name: "Ana", Country: "BR"}, api.Person{Player: "user_ben", Name: "Ben"}
	r := s.Race(http.StatusCreated, as("user_ana", "Ana", "BR", apitest.Post(apitest.RacesAt, `{"mode":"sprint","players":4}`)))
	require.Equal(t, []api.Person{ana}, r.People)
	s.Handler = s.Process()
	nobody := s.Race(http.StatusOK, s.As("user_none", apitest.Post(apitest.RacesAt+"/"+r.ID+"/join", "")))
	require.Equal(t, []api.Person{ana}, nobody.People, "the other has no name")
	s.Handler = s.Process()
	require.Equal(t, []api.Person{ana, ben}, s.Race(http.StatusOK, as("user_ben", "Ben", "", apitest.Post(apitest.RaceQueueAt, `{"mode":"sprint"}`))).People)
	s.Handler = s.Process()
	require.Equal(t, []api.Person{ana, ben}, s.Seen(r, "user_none").People)
	s.Want(http.StatusOK, s.As("user_ana", apitest.Patch("/v1/me", `{"hidden":true}`)))
	require.Equal(t, []api.Person{ben}, s.Seen(r, "user_none").People, "hidden players show no name")
}

func TestFivePlayersRace(t *testing.T) {
	s := racing(t)
	players := []string{"user_a", "user_b", "user_c", "user_d", "user_e"}
	r := s.RaceOf(players...)
	texts, plays := map[string]bool{}, map[string]bool{}
	for _, player := range players {
		s.Handler = s.Process() // each asks another process
		seen := s.Seen(r, player)
		require.Equal(t, "running", seen.State)
		require.Equal(t, r.StartsAt, seen.StartsAt)
		require.Equal(t, 5, seen.Challenge.Seconds)
		texts[seen.Challenge.Text], plays[seen.Play] = true, true
		require.Equal(t, seen.Play, s.Seen(r, player).Play, "asked again")
	}
	require.Len(t, texts, 1, "all have the same challenge")
	require.Len(t, plays, 5, "and each a play of their own")

	progress := s.Want(http.StatusOK, s.As("user_b", apitest.Post(apitest.RacesAt+"/"+r.ID+"/progress", `{"progress":0.5}`)))
	require.Contains(t, string(progress.Body), `"user_b":0.5`)
	require.Equal(t, 0.5, s.Seen(r, "user_a").Players[1].Progress)

	require.Equal(t, http.StatusUnprocessableEntity, s.Send(s.Finish(r, "user_a", 500)).Status, "the race has begun just now")
	s.Clock.Pass(5 * time.Second)
	for i, player := range players[:4] {
		answer := s.Want(http.StatusCreated, s.Finish(r, player, 100*(i%3+1)))
		require.Contains(t, string(answer.Body), `"race":{"id":"`+r.ID+`","counted":true}`)
	}
	waits := s.Seen(r, "user_a")
	require.True(t, waits.Players[0].Finished)
	require.Nil(t, waits.Players[0].Score, "what there is to beat is not told before all are in")
	s.Want(http.StatusOK, s.As("user_e", apitest.Post(apitest.RacesAt+"/"+r.ID+"/leave", ""))) // one closes
	var end apitest.RaceBody
	for i, player := range players {
		s.Handler = s.Process()
		seen := s.Seen(r, player)
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
	card := s.Want(http.StatusOK, apitest.Get("/v1/leaderboards/sprint"))
	require.Contains(t, string(card.Body), `"total":4`, "results are ordinary plays")
}

// A submission that dies between the board and the race is finished by being sent
// again: one effect on each.
func TestAResultReachesItsRaceWhateverBreaks(t *testing.T) {
	broke := 0
	for nth := range 8 {
		for _, after := range []bool{false, true} {
			s := racing(t)
			r := s.RaceOf("user_a", "user_b")
			s.Clock.Pass(5 * time.Second)
			s.Want(http.StatusCreated, s.Finish(r, "user_a", 100))
			c := s.Finish(r, "user_b", 200)
			n := 0
			s.Redis.Server.Inject(func(upstashtest.Request) upstashtest.Fault {
				n++
				return upstashtest.Fault{CutBefore: n > nth && !after || n > nth+1, CutAfter: n == nth+1 && after}
			})
			if s.Send(c).Status >= 500 {
				broke++
			}
			s.MendRedis()
			s.Handler = s.Process()
			s.Insist(s.As("user_b", c))
			end := s.Seen(r, "user_a")
			require.Equal(t, "decided", end.State)
			require.Equal(t, 1, end.Players[1].Place)
			require.Equal(t, 1016.0, end.Players[1].Rating.After)
			require.Equal(t, 984.0, end.Players[0].Rating.After)
		}
	}
	require.GreaterOrEqual(t, broke, 4, "requests did break")
}

func TestRacesOfTheQueueAndWhatIsRefused(t *testing.T) {
	s := racing(t)
	queue := func(player string) apitest.RaceBody {
		return s.Race(http.StatusOK, s.As(player, apitest.Post(apitest.RaceQueueAt, `{"mode":"sprint"}`)))
	}
	first := queue("user_a")
	require.True(t, first.Open)
	require.Equal(t, "waiting", first.State)
	require.Empty(t, first.Play)
	require.Equal(t, first.ID, queue("user_b").ID)
	require.Equal(t, first.ID, queue("user_a").ID)
	s.Do(s.As("user_a", apitest.Post(apitest.RacesAt, `{"mode":"sprint"}`))).Problem(t, "race-state")
	s.Want(http.StatusOK, s.As("user_b", apitest.Remove(apitest.RaceQueueAt, "")))
	require.Len(t, s.Seen(first, "user_a").Players, 1)

	s.Do(s.As("user_a", apitest.Post(apitest.RacesAt, `{"mode":"plain"}`))).Problem(t, "invalid-request")
	s.Do(s.As("user_a", apitest.Post(apitest.RacesAt, `{"mode":"sprint","players":6}`))).Problem(t, "invalid-request")
	s.Do(s.As("user_a", apitest.Post(apitest.RacesAt, `{"mode":"chess"}`))).Problem(t, "unknown-mode")
	s.Do(s.As("user_a", apitest.Post(apitest.RacesAt+"/nothing/progress", `{"progress":2}`))).Problem(t, "invalid-request")
	s.Do(s.As("user_a", apitest.Get(apitest.RacesAt+"/nothing"))).Problem(t, "unknown-race")
	s.Do(s.As("user_a", apitest.Post(apitest.RacesAt+"/"+first.ID+"/progress", `{"progress":0}`))).Problem(t, "race-state")
}

// Where scores are written later, nobody races, and who did before gets no play any more.
func TestAQueueHasNoRaces(t *testing.T) {
	s := racing(t)
	started := s.RaceOf("user_a", "user_b")
	require.NotEmpty(t, s.Seen(started, "user_a").Play)
	s.Queued = true
	s.Handler = s.Process()
	for _, path := range []string{apitest.RacesAt, apitest.RaceQueueAt} {
		a := s.Do(s.As("user_c", apitest.Post(path, `{"mode":"sprint"}`)))
		a.Problem(t, "play-refused")
		require.Equal(t, "not-taken", a.Reason(t))
	}
	seen := s.Seen(started, "user_a")
	require.Equal(t, "running", seen.State)
	require.Empty(t, seen.Play)
}

func TestAGameWithoutRacesHasNone(t *testing.T) {
	s := racing(t)
	s.Game = "name: g\nmodes: {sprint: {max: 10, play: required}}\n"
	s.Handler = s.Process()
	for _, c := range []apitest.Call{
		apitest.Post(apitest.RacesAt, `{"mode":"sprint"}`), apitest.Post(apitest.RaceQueueAt, `{"mode":"sprint"}`), apitest.Remove(apitest.RaceQueueAt, ""),
		apitest.Get(apitest.RacesAt + "/x"), apitest.Post(apitest.RacesAt+"/x/join", ""), apitest.Post(apitest.RacesAt+"/x/leave", ""), apitest.Post(apitest.RacesAt+"/x/progress", `{"progress":1}`),
	} {
		s.Do(s.As("user_a", c)).Problem(t, "unknown-race")
	}
}
