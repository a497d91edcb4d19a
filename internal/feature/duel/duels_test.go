package duel_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestADuelByInviteFromChallengeToRematch(t *testing.T) {
	s := apitest.NewStack(t)
	open := s.Duel(201, s.As("user_a", apitest.Post(apitest.DuelsPath, `{}`)))
	require.Equal(t, "waiting", open.Status)
	require.Len(t, open.Invite, 26, "130 random bits")
	address := apitest.DuelsPath + "/" + open.Invite
	s.Want(404, s.As("user_b", apitest.Post(address+"/accept", `{"invite":"another"}`)))
	require.Empty(t, s.Duel(200, s.As("user_b", apitest.Get(address))).Invite)
	require.Equal(t, "ready", s.Duel(200, s.As("user_b", apitest.Post(address+"/accept", `{"invite":"`+open.Invite+`"}`))).Status)
	require.Equal(t, "ready", s.Duel(200, s.As("user_b", apitest.Post(address+"/accept", ""))).Status)
	s.Want(409, s.As("user_c", apitest.Post(address+"/accept", ""))).Problem(t, "duel-state")

	answer := s.Duel(200, s.As("user_a", apitest.Post(address+"/result", apitest.Won)))
	require.Equal(t, []string{"user_a"}, answer.Reported)
	require.Empty(t, answer.Ratings)
	decided := s.Duel(200, s.As("user_b", apitest.Post(address+"/result", apitest.Won)))
	require.Equal(t, "decided", decided.Status)
	require.Equal(t, "players", decided.DecidedBy)
	require.JSONEq(t, `"user_a"`, string(decided.Winner))
	require.Equal(t, 1016.0, decided.Ratings["user_a"].After)
	require.EqualValues(t, 1, decided.Ratings["user_a"].Rank)
	require.EqualValues(t, 2, decided.Ratings["user_b"].Rank)

	page := s.Page("/v1/leaderboards/duels?period=alltime")
	require.Equal(t, 1016.0, page.Entries[0].Score)
	require.Equal(t, 984.0, page.Entries[1].Score)

	again := s.Duel(201, s.As("user_b", apitest.Post(address+"/rematch", "")))
	require.Equal(t, "user_a", again.Opponent)
	require.Equal(t, again.ID, s.Duel(201, s.As("user_b", apitest.Post(address+"/rematch", ""))).ID)
	met := s.Duel(201, s.As("user_a", apitest.Post(address+"/rematch", "")))
	require.Equal(t, again.ID, met.ID)
	require.Equal(t, "ready", met.Status)
}

// A draw between unequal players moves ratings by fractions: the board shows
// whole points, the duel all digits.
func TestRatingsAreExactInAnswersAndRoundedOnTheBoard(t *testing.T) {
	s := apitest.NewStack(t)
	s.Want(200, apitest.Post(s.Arrange("m1", "user_a", "user_b")+"/result", apitest.Won).Signed())
	d := s.Duel(200, apitest.Post(s.Arrange("m2", "user_a", "user_b")+"/result", `{"winner":null}`).Signed())
	require.JSONEq(t, `null`, string(d.Winner))
	a := d.Ratings["user_a"].After
	require.InDelta(t, 1014.530, a, 0.001)
	require.NotEqual(t, a, float64(int64(a)))
	require.InDelta(t, 2000, a+d.Ratings["user_b"].After, 1e-9)
	page := s.Page("/v1/leaderboards/duels?period=alltime&limit=1")
	require.Equal(t, 1015.0, page.Entries[0].Score)
	page = s.Page("/v1/leaderboards/duels?period=alltime&limit=1&cursor=" + page.NextCursor)
	require.Equal(t, 985.0, page.Entries[0].Score)
	require.Equal(t, "user_b", page.Entries[0].Player)
}

func TestTwoPlayersFrom64ConnectionsHaveOneEffect(t *testing.T) {
	s := apitest.NewStack(t)
	address := s.Arrange("m1", "user_a", "user_b")
	calls := []apitest.Call{s.As("user_a", apitest.Post(address+"/result", apitest.Won)), s.As("user_b", apitest.Post(address+"/result", apitest.Won))}
	var wait sync.WaitGroup
	for i := range 64 {
		wait.Go(func() { s.Want(200, calls[i%2]) })
	}
	wait.Wait()
	d := s.Duel(200, apitest.Post(address+"/result", apitest.Won).Signed())
	require.Equal(t, 1016.0, d.Ratings["user_a"].After)
	require.Equal(t, 1016.0, s.Page("/v1/leaderboards/duels?period=alltime").Entries[0].Score)
}

func TestTheQueueBringsTwoTogether(t *testing.T) {
	s := apitest.NewStack(t)
	var place struct {
		Status, Since, Mode string
		Rating, Window      float64
		PollAfter           int `json:"poll_after"`
	}
	s.Want(200, s.As("user_a", apitest.Post(apitest.QueuePath, ""))).Into(t, &place)
	require.Equal(t, "queued", place.Status)
	found := s.Duel(200, s.As("user_b", apitest.Post(apitest.QueuePath, `{}`)))
	require.Equal(t, "ready", found.Status)
	require.Equal(t, found.ID, s.Duel(200, s.As("user_a", apitest.Post(apitest.QueuePath, ""))).ID)
	s.Want(200, s.As("user_a", apitest.Call{Method: http.MethodDelete, Target: apitest.QueuePath}))
}

func TestAPlayersDuelsArePagedNewestFirst(t *testing.T) {
	s := apitest.NewStack(t)
	s.Clock.Stop()
	for i := range 7 {
		if i%3 == 0 {
			s.Clock.Set(s.Clock.Now().Add(time.Second))
		}
		s.Arrange(fmt.Sprintf("m%d", i), "user_a", "user_b")
	}
	var ids []string
	for cursor := ""; ; {
		var page struct {
			Duels      []apitest.DuelBody
			NextCursor string `json:"next_cursor"`
		}
		s.Want(200, s.As("user_b", apitest.Get(apitest.DuelsPath+"?player=me&limit=2"+cursor))).Into(t, &page)
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
	s := apitest.NewStack(t)
	c := s.As("user_a", apitest.Post(apitest.DuelsPath, `{"opponent":"user_b"}`)).With("Idempotency-Key", "one")
	first := s.Duel(201, c)
	a := s.Want(201, c)
	require.Equal(t, "true", a.Header.Get("Idempotency-Replayed"))
	require.Contains(t, string(a.Body), first.ID)
}

func TestAResultNeedsItsPlayersOrASignature(t *testing.T) {
	s := apitest.NewStack(t)
	address := s.Arrange("m1", "user_a", "user_b")
	s.Want(404, s.As("user_c", apitest.Post(address+"/result", apitest.Won))).Problem(t, "unknown-duel")
	s.Want(401, apitest.Post(address+"/result", apitest.Won)).Problem(t, "unauthenticated")
	p := s.Want(400, apitest.Post(address+"/result", `{"winner":"user_c"}`).Signed()).Problem(t, "invalid-request")
	require.Equal(t, "/winner", p.Errors[0].Pointer)
	require.Equal(t, "/winner: this must be one of the two players, or null for a draw", p.Detail)
	for _, body := range []string{
		`{}`, `{"winner":7}`, `{"winner":"a b"}`, `{"winner":null,"score":[1]}`, `{"winner":null,"score":[1,-1]}`,
		`{"winner":null,"score":[1,2.5]}`, `{"winner":null,"score":"3:1"}`, `{"winner":null,"score":[51,0]}`, `{"winner":"user_b","score":[0,1000000]}`, `{"winner":null,"hat":1}`,
	} {
		s.Want(400, apitest.Post(address+"/result", body).Signed()).Problem(t, "invalid-request")
	}
	s.Want(200, s.As("user_a", apitest.Post(address+"/result", apitest.Won)))
	d := s.Duel(200, s.As("user_b", apitest.Post(address+"/result", `{"winner":"user_b","score":[1,3]}`)))
	require.Equal(t, "disputed", d.Status)
	require.Empty(t, d.Ratings)
}
