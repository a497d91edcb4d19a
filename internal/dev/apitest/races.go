package apitest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/api/idempotency"
	"github.com/framedle/leaderboards/upstash"
)

const (
	RacesAt     = "/v1/races"
	RaceQueueAt = RacesAt + "/queue"
)

type RaceBody struct {
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
	People []api.Person
}

func (s *Stack) Race(status int, c Call) (r RaceBody) {
	s.Helper()
	s.Want(status, c).Into(s, &r)
	return r
}

// RaceOf starts a race of players, at its start.
func (s *Stack) RaceOf(players ...string) RaceBody {
	s.Helper()
	r := s.Race(http.StatusCreated, s.As(players[0], Post(RacesAt, fmt.Sprintf(`{"mode":"sprint","players":%d,"invite":true}`, len(players)))))
	for _, player := range players[1:] {
		r = s.Race(http.StatusOK, s.As(player, Post(RacesAt+"/"+r.ID+"/join", "")))
	}
	require.Equal(s, "ready", r.State)
	s.Clock.Set(r.StartsAt)
	return r
}

func (s *Stack) Seen(r RaceBody, player string) RaceBody {
	s.Helper()
	return s.Race(http.StatusOK, s.As(player, Get(RacesAt+"/"+r.ID)))
}

func (s *Stack) Finish(r RaceBody, player string, score int) Call {
	return s.As(player, Post(Scores, fmt.Sprintf(`{"mode":"sprint","play":%q,"score":%d}`, s.Seen(r, player).Play, score)))
}

// Insist sends a play until it has taken effect, and returns the answer. After a request that
// died with the play, the next ones have to wait.
func (s *Stack) Insist(c Call) Answer {
	s.Helper()
	a := s.Send(c)
	if a.Status == http.StatusConflict {
		a.Problem(s, "idempotency-key-in-use")
		require.NotEmpty(s, a.Header.Get("Retry-After"))
		s.passTurns()
		a = s.Send(c)
	}
	require.Contains(s, []int{http.StatusOK, http.StatusCreated, http.StatusAccepted}, a.Status, "%s", a.Body)
	return a
}

// passTurns lets so much time pass that no process can still hold a claimed play without an
// answer.
func (s *Stack) passTurns() {
	ctx := context.Background()
	reply, err := s.Redis.Client.Do(ctx, upstash.Cmd("KEYS", "turn:*"))
	require.NoError(s, err)
	keys, err := reply.Strings()
	require.NoError(s, err)
	for _, key := range keys {
		left, err := s.Redis.Client.Do(ctx, upstash.Cmd("PTTL", key))
		require.NoError(s, err)
		ms, err := left.Int64()
		require.NoError(s, err)
		_, err = s.Redis.Client.Do(ctx, upstash.Cmd("PEXPIRE", key, strconv.FormatInt(ms-idempotency.Deadline.Milliseconds(), 10)).Idempotent())
		require.NoError(s, err)
	}
}

// racers counts the players that tests have sent to race: each is in one race alone.
var racers int

func NewRacer() string { racers++; return fmt.Sprint("user_racer", racers) }

// Racing has the game of the tests have races, if it has none yet.
func (s *Stack) Racing() {
	if !strings.Contains(s.Game, "races:") {
		mode, challenges, _ := strings.Cut(TypedMode, "\n") // others may have added sections behind the modes
		s.Game = "races: {}\n" + challenges + strings.Replace(s.Game, "modes:\n", "modes:\n"+mode+"\n", 1)
		s.Handler = s.Process()
	}
}

// WaitingRace is the path of a race that waits, with its player.
func (s *Stack) WaitingRace(more string) (path, player string) {
	s.Racing()
	var r struct{ ID string }
	player = NewRacer()
	a := s.Want(http.StatusCreated, s.As(player, Post(RacesAt, `{"mode":"typed"`+more+`}`)))
	require.NoError(s, json.Unmarshal(a.Body, &r))
	return RacesAt + "/" + r.ID, player
}

// StartedRace is the path of a race of two that has begun.
func (s *Stack) StartedRace() (path string, players [2]string) {
	path, players[0] = s.WaitingRace(`,"players":2`)
	players[1] = NewRacer()
	s.Want(http.StatusOK, s.As(players[1], Post(path+"/join", "")))
	s.Clock.Pass(3 * time.Second)
	return path, players
}

func WatchRace(path string) Call {
	return Get("/v1/live/races" + path[strings.LastIndexByte(path, '/'):])
}
