package friend_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func ids(relations []apitest.RelationBody) []string {
	var all []string
	for _, r := range relations {
		all = append(all, r.Player)
	}
	return all
}

func TestFriendsAreRankedAmongThemselves(t *testing.T) {
	s := apitest.NewKeptStack(t)
	for player, score := range map[string]string{"user_a": "500", "user_b": "700", "user_c": "900", "user_d": "600"} {
		s.Want(http.StatusCreated, s.As(player, apitest.Post(apitest.Scores, `{"mode":"daily","score":`+score+`}`)))
	}
	s.MakeFriends("user_a", "user_b")
	s.MakeFriends("user_d", "user_a")
	s.MakeFriends("user_a", "user_never_played")
	for _, target := range []string{apitest.FriendsBoard, apitest.FriendsBoard + "?period=week", apitest.FriendsBoard + "?period=month", apitest.FriendsBoard + "?period=alltime", "/v1/leaderboards/xp/friends"} {
		b := s.Board("user_a", target)
		var places []string
		for _, e := range b.Entries {
			places = append(places, fmt.Sprint(e.Rank, e.Player, e.Score, e.Me))
		}
		require.Equal(t, []string{"1user_b700 false", "2user_d600 false", "3user_a500 true"}, places, target)
	}
	require.Empty(t, s.Board("user_a", apitest.FriendsBoard+"?date="+apitest.Yesterday).Entries)
	require.Empty(t, s.Board("user_a", "/v1/leaderboards/duels/friends").Entries)
	require.Len(t, s.Board("user_c", apitest.FriendsBoard).Entries, 1, "without friends one is alone")
	require.Empty(t, s.Board("user_never_seen", apitest.FriendsBoard).Entries)
	s.Want(http.StatusBadRequest, s.As("user_a", apitest.Get(apitest.FriendsBoard+"?scope=global"))).Problem(t, "invalid-request")
}

func TestARequestIsAskedAcceptedAndEnded(t *testing.T) {
	s := apitest.NewKeptStack(t)
	ask := apitest.Post(apitest.RequestsPath, `{"player":"user_b"}`)
	require.JSONEq(t, `{"player":"user_b","status":"requested"}`, string(s.Want(http.StatusCreated, s.As("user_a", ask)).Body))
	s.Want(http.StatusOK, s.As("user_a", ask))
	require.Equal(t, []string{"user_b"}, ids(s.FriendsBody("user_a").Sent))
	require.Equal(t, []string{"user_a"}, ids(s.FriendsBody("user_b").Received))

	s.Want(http.StatusNoContent, s.As("user_b", apitest.Remove(apitest.RequestsPath+"/user_a", ""))) // declined
	require.Empty(t, s.FriendsBody("user_a").Sent)
	s.Want(http.StatusNotFound, s.As("user_b", apitest.Post(apitest.RequestsPath+"/user_a/accept", ""))).Problem(t, "no-request")

	s.Want(http.StatusCreated, s.As("user_a", ask))
	both := s.Want(http.StatusOK, s.As("user_b", apitest.Post(apitest.RequestsPath, `{"player":"user_a"}`)))
	require.JSONEq(t, `{"player":"user_a","status":"friends"}`, string(both.Body), "both have asked")
	require.Equal(t, []string{"user_b"}, ids(s.FriendsBody("user_a").Friends))
	require.Equal(t, []string{"user_a"}, ids(s.FriendsBody("user_b").Friends))

	for range 2 {
		s.Want(http.StatusNoContent, s.As("user_a", apitest.Remove(apitest.FriendsPath+"/user_b", "")))
	}
	require.Empty(t, s.FriendsBody("user_b").Friends)
	for _, c := range []apitest.Call{apitest.Post(apitest.RequestsPath, `{"player":"user_a"}`), apitest.Post(apitest.RequestsPath, `{"player":"a b"}`), apitest.Post(apitest.RequestsPath, `{}`), apitest.Post(apitest.RequestsPath, `{"player":"user_b","as":"x"}`), apitest.Put(apitest.BlocksPath+"/user_a", "")} {
		s.Want(http.StatusBadRequest, s.As("user_a", c)).Problem(t, "invalid-request")
	}
}

// No answer reveals to a player that another has blocked them: each is as for a player who
// does not react.
func TestABlockShowsNowhere(t *testing.T) {
	s := apitest.NewKeptStack(t)
	s.Clock.Stop()
	s.Play("user_a", "daily", "500")
	s.Play("user_b", "daily", "700")
	s.Play("user_idle", "daily", "700")
	s.MakeFriends("user_a", "user_b")
	s.MakeFriends("user_a", "user_idle")
	var invite apitest.InviteBody
	s.Want(http.StatusCreated, s.As("user_b", apitest.Post(apitest.InvitesPath, `{"uses":1}`))).Into(t, &invite)
	// a cannot tell being blocked by b from idle's having ended the friendship.
	s.Want(http.StatusNoContent, s.As("user_b", apitest.Put(apitest.BlocksPath+"/user_a", "")))
	s.Want(http.StatusNoContent, s.As("user_idle", apitest.Remove(apitest.FriendsPath+"/user_a", "")))
	for _, player := range []string{"user_b", "user_idle"} {
		s.Want(http.StatusCreated, s.As("user_a", apitest.Post(apitest.RequestsPath, `{"player":"`+player+`"}`)))
		s.Want(http.StatusOK, s.As("user_a", apitest.Post(apitest.RequestsPath, `{"player":"`+player+`"}`)))
		s.Want(http.StatusNotFound, s.As("user_a", apitest.Post(apitest.RequestsPath+"/"+player+"/accept", ""))).Problem(t, "no-request")
		s.Want(http.StatusNoContent, s.As("user_a", apitest.Remove(apitest.FriendsPath+"/"+player, "")))
	}
	mine := s.FriendsBody("user_a")
	require.Empty(t, mine.Friends)
	sent := ids(mine.Sent)
	slices.Sort(sent)
	require.Equal(t, []string{"user_b", "user_idle"}, sent)
	require.Empty(t, mine.Blocked)
	gone := s.Want(http.StatusNotFound, s.As("user_a", apitest.Post(apitest.InvitesPath+"/"+invite.Code+"/accept", ""))).Problem(t, "no-invite")
	never := s.Want(http.StatusNotFound, s.As("user_a", apitest.Post(apitest.InvitesPath+"/abcdefghijklmnopqrstuvwxyz/accept", ""))).Problem(t, "no-invite")
	require.Equal(t, never.Detail, gone.Detail)
	require.Len(t, s.Board("user_a", apitest.FriendsBoard).Entries, 1)

	blocker := s.FriendsBody("user_b")
	require.Empty(t, blocker.Received)
	require.Equal(t, []string{"user_a"}, ids(blocker.Blocked))
	s.Want(http.StatusNotFound, s.As("user_b", apitest.Post(apitest.RequestsPath+"/user_a/accept", ""))).Problem(t, "no-request")
	s.Want(http.StatusConflict, s.As("user_b", apitest.Post(apitest.RequestsPath, `{"player":"user_a"}`))).Problem(t, "player-blocked")
	require.Len(t, s.Board("user_b", apitest.FriendsBoard).Entries, 1)
	s.Want(http.StatusNoContent, s.As("user_b", apitest.Remove(apitest.BlocksPath+"/user_a", "")))
	require.Empty(t, s.FriendsBody("user_b").Friends, "lifting it makes no friends")
}

// A block made through one process is seen by all others in their next answer.
func TestABlockHoldsAtOnceInEveryProcess(t *testing.T) {
	s := apitest.NewKeptStack(t)
	s.Play("user_a", "daily", "500")
	s.Play("user_b", "daily", "700")
	s.MakeFriends("user_a", "user_b")
	other := s.On(t)
	other.Handler = other.Process()
	for range 2 { // the list is remembered then
		require.Len(t, other.Board("user_a", apitest.FriendsBoard).Entries, 2)
	}
	s.Want(http.StatusNoContent, s.As("user_b", apitest.Put(apitest.BlocksPath+"/user_a", "")))
	require.Len(t, other.Board("user_a", apitest.FriendsBoard).Entries, 1)
	require.Len(t, other.Board("user_b", apitest.FriendsBoard).Entries, 1)
}

func TestAnInviteMakesFriendsAsOftenAsItSays(t *testing.T) {
	s := apitest.NewKeptStack(t)
	var invite apitest.InviteBody
	s.Want(http.StatusCreated, s.As("user_a", apitest.Post(apitest.InvitesPath, `{"uses":2}`))).Into(t, &invite)
	require.Equal(t, 2, invite.Uses)
	require.Equal(t, "2026-11-25T12:00:00Z", invite.ExpiresAt)
	accept := apitest.Post(apitest.InvitesPath+"/"+invite.Code+"/accept", "")
	s.Want(http.StatusNotFound, s.As("user_a", accept)).Problem(t, "no-invite")
	for _, player := range []string{"user_b", "user_b", "user_c", "user_b"} { // a repetition uses nothing up
		require.JSONEq(t, `{"player":"user_a","status":"friends"}`, string(s.Want(http.StatusOK, s.As(player, accept)).Body))
	}
	s.Want(http.StatusNotFound, s.As("user_d", accept)).Problem(t, "no-invite")
	require.ElementsMatch(t, []string{"user_b", "user_c"}, ids(s.FriendsBody("user_a").Friends))

	s.Want(http.StatusCreated, s.As("user_a", apitest.Post(apitest.InvitesPath, ""))).Into(t, &invite)
	s.Clock.Set(apitest.Noon.Add(7*24*time.Hour + time.Second))
	s.Want(http.StatusNotFound, s.As("user_e", apitest.Post(apitest.InvitesPath+"/"+invite.Code+"/accept", ""))).Problem(t, "no-invite")
	for _, body := range []string{`{"uses":0}`, `{"uses":101}`, `{"uses":1.5}`, `{"uses":"1"}`, `[]`} {
		s.Want(http.StatusBadRequest, s.As("user_a", apitest.Post(apitest.InvitesPath, body))).Problem(t, "invalid-request")
	}
}

// 500 friends cost one command in one round trip, by the client's count and by
// that of Redis.
func TestABoardOf500FriendsCostsOneCommand(t *testing.T) {
	s := apitest.NewKeptStack(t)
	s.InDatabase(`
WITH others AS (SELECT 'user_' || to_char(n, 'FM000') AS player FROM generate_series(1, 500) AS n),
players AS (
    INSERT INTO friend_players (player, version, friends)
    SELECT player, nextval('friend_versions'), 1 FROM others UNION ALL SELECT 'user_000', nextval('friend_versions'), 500
    RETURNING 1
)
SELECT count(*) FROM players`)
	s.InDatabase(`INSERT INTO friend_pairs (low, high, friends, since)
SELECT 'user_000', 'user_' || to_char(n, 'FM000'), true, now() FROM generate_series(1, 500) AS n`)
	require.Len(t, s.FriendsBody("user_000").Friends, 500) // which copies what was not copied
	for i := range 40 {
		s.Play(fmt.Sprintf("user_%03d", i), "daily", fmt.Sprint(500+i))
	}
	c := s.As("user_000", apitest.Get(apitest.FriendsBoard))
	cold, trips := s.Spent(func() { s.Want(http.StatusOK, c) })
	require.Equal(t, []int64{2, 2}, []int64{cold, trips}, "the scores and the names")
	before := s.Redis.Ran()
	commands, trips := s.Spent(func() { s.Want(http.StatusOK, c) })
	require.Equal(t, []int64{1, 1}, []int64{commands, trips})
	require.Equal(t, commands, s.Redis.Ran()-before)
	require.Len(t, s.Board("user_000", apitest.FriendsBoard).Entries, 40)
}
