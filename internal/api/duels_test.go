package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

type duelBody struct {
	ID, Status, Opponent, Mode, Invite string
	Players, Reported                  []string
	CreatedAt                          time.Time `json:"created_at"`
	ExpiresAt                          time.Time `json:"expires_at"`
	Winner                             json.RawMessage
	Score                              []int64
	Ratings                            map[string]struct {
		Before, After float64
		Rank          int64
	}
	Points    map[string]int64
	XP        map[string]int64
	DecidedBy string    `json:"decided_by"`
	DecidedAt time.Time `json:"decided_at"`
}

func (s *stack) duel(status int, c call) (d duelBody) {
	s.Helper()
	s.want(status, c).into(s, &d)
	return d
}

func TestADuelByInviteFromChallengeToRematch(t *testing.T) {
	s := newStack(t)
	open := s.duel(201, s.as("user_a", post(duelsPath, `{}`)))
	require.Equal(t, "waiting", open.Status)
	require.Len(t, open.Invite, 26, "130 random bits")
	address := duelsPath + "/" + open.Invite
	s.want(404, s.as("user_b", post(address+"/accept", `{"invite":"another"}`)))
	require.Empty(t, s.duel(200, s.as("user_b", get(address))).Invite)
	require.Equal(t, "ready", s.duel(200, s.as("user_b", post(address+"/accept", `{"invite":"`+open.Invite+`"}`))).Status)
	require.Equal(t, "ready", s.duel(200, s.as("user_b", post(address+"/accept", ""))).Status)
	s.want(409, s.as("user_c", post(address+"/accept", ""))).problem(t, "duel-state")

	told := s.duel(200, s.as("user_a", post(address+"/result", won)))
	require.Equal(t, []string{"user_a"}, told.Reported)
	require.Empty(t, told.Ratings)
	decided := s.duel(200, s.as("user_b", post(address+"/result", won)))
	require.Equal(t, "decided", decided.Status)
	require.Equal(t, "players", decided.DecidedBy)
	require.JSONEq(t, `"user_a"`, string(decided.Winner))
	require.Equal(t, 1016.0, decided.Ratings["user_a"].After)
	require.EqualValues(t, 1, decided.Ratings["user_a"].Rank)
	require.EqualValues(t, 2, decided.Ratings["user_b"].Rank)

	page := s.page("/v1/leaderboards/duels?period=alltime")
	require.Equal(t, 1016.0, page.Entries[0].Score)
	require.Equal(t, 984.0, page.Entries[1].Score)

	again := s.duel(201, s.as("user_b", post(address+"/rematch", "")))
	require.Equal(t, "user_a", again.Opponent)
	require.Equal(t, again.ID, s.duel(201, s.as("user_b", post(address+"/rematch", ""))).ID)
	met := s.duel(201, s.as("user_a", post(address+"/rematch", "")))
	require.Equal(t, again.ID, met.ID)
	require.Equal(t, "ready", met.Status)
}

// A draw between unequal players moves ratings by fractions: the board shows
// whole points, the duel all digits.
func TestRatingsAreExactInAnswersAndRoundedOnTheBoard(t *testing.T) {
	s := newStack(t)
	s.want(200, post(s.arrange("m1", "user_a", "user_b")+"/result", won).signed())
	d := s.duel(200, post(s.arrange("m2", "user_a", "user_b")+"/result", `{"winner":null}`).signed())
	require.JSONEq(t, `null`, string(d.Winner))
	a := d.Ratings["user_a"].After
	require.InDelta(t, 1014.530, a, 0.001)
	require.NotEqual(t, a, float64(int64(a)))
	require.InDelta(t, 2000, a+d.Ratings["user_b"].After, 1e-9)
	page := s.page("/v1/leaderboards/duels?period=alltime&limit=1")
	require.Equal(t, 1015.0, page.Entries[0].Score)
	page = s.page("/v1/leaderboards/duels?period=alltime&limit=1&cursor=" + page.NextCursor)
	require.Equal(t, 985.0, page.Entries[0].Score)
	require.Equal(t, "user_b", page.Entries[0].Player)
}

func TestTwoPlayersFrom64ConnectionsHaveOneEffect(t *testing.T) {
	s := newStack(t)
	address := s.arrange("m1", "user_a", "user_b")
	calls := []call{s.as("user_a", post(address+"/result", won)), s.as("user_b", post(address+"/result", won))}
	var wait sync.WaitGroup
	for i := range 64 {
		wait.Go(func() { s.want(200, calls[i%2]) })
	}
	wait.Wait()
	d := s.duel(200, post(address+"/result", won).signed())
	require.Equal(t, 1016.0, d.Ratings["user_a"].After)
	require.Equal(t, 1016.0, s.page("/v1/leaderboards/duels?period=alltime").Entries[0].Score)
}

func TestTheQueueBringsTwoTogether(t *testing.T) {
	s := newStack(t)
	var place struct {
		Status, Since, Mode string
		Rating, Window      float64
		PollAfter           int `json:"poll_after"`
	}
	s.want(200, s.as("user_a", post(queuePath, ""))).into(t, &place)
	require.Equal(t, "queued", place.Status)
	found := s.duel(200, s.as("user_b", post(queuePath, `{}`)))
	require.Equal(t, "ready", found.Status)
	require.Equal(t, found.ID, s.duel(200, s.as("user_a", post(queuePath, ""))).ID)
	s.want(200, s.as("user_a", call{method: http.MethodDelete, target: queuePath}))
}

func TestAPlayersDuelsArePagedNewestFirst(t *testing.T) {
	s := newStack(t)
	s.clock.Stop()
	for i := range 7 {
		if i%3 == 0 {
			s.clock.Set(s.clock.Now().Add(time.Second))
		}
		s.arrange(fmt.Sprintf("m%d", i), "user_a", "user_b")
	}
	var ids []string
	for cursor := ""; ; {
		var page struct {
			Duels      []duelBody
			NextCursor string `json:"next_cursor"`
		}
		s.want(200, s.as("user_b", get(duelsPath+"?player=me&limit=2"+cursor))).into(t, &page)
		for _, d := range page.Duels {
			ids = append(ids, d.ID)
		}
		if page.NextCursor == "" {
			break
		}
		cursor = "&cursor=" + page.NextCursor
	}
	require.Equal(t, []string{"m6", "m5", "m4", "m3", "m2", "m1", "m0"}, ids)
}

func TestAnAnswerThatWasLostIsGivenAgain(t *testing.T) {
	s := newStack(t)
	c := s.as("user_a", post(duelsPath, `{"opponent":"user_b"}`)).with("Idempotency-Key", "one")
	first := s.duel(201, c)
	a := s.want(201, c)
	require.Equal(t, "true", a.header.Get("Idempotency-Replayed"))
	require.Contains(t, string(a.body), first.ID)
}

func TestAResultNeedsItsPlayersOrASignature(t *testing.T) {
	s := newStack(t)
	address := s.arrange("m1", "user_a", "user_b")
	s.want(404, s.as("user_c", post(address+"/result", won))).problem(t, "unknown-duel")
	s.want(401, post(address+"/result", won)).problem(t, "unauthenticated")
	p := s.want(400, post(address+"/result", `{"winner":"user_c"}`).signed()).problem(t, "invalid-request")
	require.Equal(t, "/winner", p.Errors[0].Pointer)
	require.Equal(t, "/winner: this must be one of the two players, or null for a draw", p.Detail)
	for _, body := range []string{
		`{}`, `{"winner":7}`, `{"winner":"a b"}`, `{"winner":null,"score":[1]}`, `{"winner":null,"score":[1,-1]}`,
		`{"winner":null,"score":[1,2.5]}`, `{"winner":null,"score":"3:1"}`, `{"winner":null,"score":[51,0]}`, `{"winner":"user_b","score":[0,1000000]}`, `{"winner":null,"hat":1}`,
	} {
		s.want(400, post(address+"/result", body).signed()).problem(t, "invalid-request")
	}
	s.want(200, s.as("user_a", post(address+"/result", won)))
	d := s.duel(200, s.as("user_b", post(address+"/result", `{"winner":"user_b","score":[1,3]}`)))
	require.Equal(t, "disputed", d.Status)
	require.Empty(t, d.Ratings)
}
