package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

type relationBody struct{ Player, Name, Picture, Country, Since string }

type friendsBody struct{ Friends, Received, Sent, Blocked []relationBody }

type friendsBoardBody struct {
	Mode, Period, Key, Scope string
	Total                    int64
	UpdatedAt                time.Time `json:"updated_at"`
	Closed                   bool
	Entries                  []entryBody
}

func newFriendsStack(t *testing.T) *stack {
	s := newStack(t)
	s.befriend()
	return s
}

func (s *stack) friendsBody(player string) (b friendsBody) {
	s.want(http.StatusOK, s.as(player, get(friendsPath))).into(s, &b)
	return b
}

func (s *stack) board(player, target string) (b friendsBoardBody) {
	s.want(http.StatusOK, s.as(player, get(target))).into(s, &b)
	return b
}

// makeFriends has one ask and the other accept.
func (s *stack) makeFriends(one, other string) {
	s.send(s.as(one, post(requestsPath, `{"player":"`+other+`"}`)))
	s.want(http.StatusOK, s.as(other, post(requestsPath+"/"+one+"/accept", "")))
}

func ids(relations []relationBody) []string {
	var all []string
	for _, r := range relations {
		all = append(all, r.Player)
	}
	return all
}

func TestFriendsAreRankedAmongThemselves(t *testing.T) {
	s := newFriendsStack(t)
	for player, score := range map[string]string{"user_a": "500", "user_b": "700", "user_c": "900", "user_d": "600"} {
		s.want(http.StatusCreated, s.as(player, post(scores, `{"mode":"daily","score":`+score+`}`)))
	}
	s.makeFriends("user_a", "user_b")
	s.makeFriends("user_d", "user_a")
	s.makeFriends("user_a", "user_never_played")
	for _, target := range []string{friendsBoard, friendsBoard + "?period=week", friendsBoard + "?period=month", friendsBoard + "?period=alltime", "/v1/leaderboards/xp/friends"} {
		b := s.board("user_a", target)
		var places []string
		for _, e := range b.Entries {
			places = append(places, fmt.Sprint(e.Rank, e.Player, e.Score, e.Me))
		}
		require.Equal(t, []string{"1user_b700 false", "2user_d600 false", "3user_a500 true"}, places, target)
	}
	require.Empty(t, s.board("user_a", friendsBoard+"?date="+yesterday).Entries)
	require.Empty(t, s.board("user_a", "/v1/leaderboards/duels/friends").Entries)
	require.Len(t, s.board("user_c", friendsBoard).Entries, 1, "without friends one is alone")
	require.Empty(t, s.board("user_never_seen", friendsBoard).Entries)
	s.want(http.StatusBadRequest, s.as("user_a", get(friendsBoard+"?scope=global"))).problem(t, "invalid-request")
}

func TestARequestIsAskedAcceptedAndEnded(t *testing.T) {
	s := newFriendsStack(t)
	ask := post(requestsPath, `{"player":"user_b"}`)
	require.JSONEq(t, `{"player":"user_b","status":"requested"}`, string(s.want(http.StatusCreated, s.as("user_a", ask)).body))
	s.want(http.StatusOK, s.as("user_a", ask))
	require.Equal(t, []string{"user_b"}, ids(s.friendsBody("user_a").Sent))
	require.Equal(t, []string{"user_a"}, ids(s.friendsBody("user_b").Received))

	s.want(http.StatusNoContent, s.as("user_b", remove(requestsPath+"/user_a", ""))) // declined
	require.Empty(t, s.friendsBody("user_a").Sent)
	s.want(http.StatusNotFound, s.as("user_b", post(requestsPath+"/user_a/accept", ""))).problem(t, "no-request")

	s.want(http.StatusCreated, s.as("user_a", ask))
	both := s.want(http.StatusOK, s.as("user_b", post(requestsPath, `{"player":"user_a"}`)))
	require.JSONEq(t, `{"player":"user_a","status":"friends"}`, string(both.body), "both have asked")
	require.Equal(t, []string{"user_b"}, ids(s.friendsBody("user_a").Friends))
	require.Equal(t, []string{"user_a"}, ids(s.friendsBody("user_b").Friends))

	for range 2 {
		s.want(http.StatusNoContent, s.as("user_a", remove(friendsPath+"/user_b", "")))
	}
	require.Empty(t, s.friendsBody("user_b").Friends)
	for _, c := range []call{post(requestsPath, `{"player":"user_a"}`), post(requestsPath, `{"player":"a b"}`), post(requestsPath, `{}`), post(requestsPath, `{"player":"user_b","as":"x"}`), put(blocksPath+"/user_a", "")} {
		s.want(http.StatusBadRequest, s.as("user_a", c)).problem(t, "invalid-request")
	}
}

// No answer reveals to a player that another has blocked them: each is as for a player who
// does not react.
func TestABlockShowsNowhere(t *testing.T) {
	s := newFriendsStack(t)
	s.clock.Stop()
	s.play("user_a", "daily", "500")
	s.play("user_b", "daily", "700")
	s.play("user_idle", "daily", "700")
	s.makeFriends("user_a", "user_b")
	s.makeFriends("user_a", "user_idle")
	var invite inviteBody
	s.want(http.StatusCreated, s.as("user_b", post(invitesPath, `{"uses":1}`))).into(t, &invite)
	// a cannot tell being blocked by b from idle's having ended the friendship.
	s.want(http.StatusNoContent, s.as("user_b", put(blocksPath+"/user_a", "")))
	s.want(http.StatusNoContent, s.as("user_idle", remove(friendsPath+"/user_a", "")))
	for _, player := range []string{"user_b", "user_idle"} {
		s.want(http.StatusCreated, s.as("user_a", post(requestsPath, `{"player":"`+player+`"}`)))
		s.want(http.StatusOK, s.as("user_a", post(requestsPath, `{"player":"`+player+`"}`)))
		s.want(http.StatusNotFound, s.as("user_a", post(requestsPath+"/"+player+"/accept", ""))).problem(t, "no-request")
		s.want(http.StatusNoContent, s.as("user_a", remove(friendsPath+"/"+player, "")))
	}
	mine := s.friendsBody("user_a")
	require.Empty(t, mine.Friends)
	sent := ids(mine.Sent)
	slices.Sort(sent)
	require.Equal(t, []string{"user_b", "user_idle"}, sent)
	require.Empty(t, mine.Blocked)
	gone := s.want(http.StatusNotFound, s.as("user_a", post(invitesPath+"/"+invite.Code+"/accept", ""))).problem(t, "no-invite")
	never := s.want(http.StatusNotFound, s.as("user_a", post(invitesPath+"/abcdefghijklmnopqrstuvwxyz/accept", ""))).problem(t, "no-invite")
	require.Equal(t, never.Detail, gone.Detail)
	require.Len(t, s.board("user_a", friendsBoard).Entries, 1)

	blocker := s.friendsBody("user_b")
	require.Empty(t, blocker.Received)
	require.Equal(t, []string{"user_a"}, ids(blocker.Blocked))
	s.want(http.StatusNotFound, s.as("user_b", post(requestsPath+"/user_a/accept", ""))).problem(t, "no-request")
	s.want(http.StatusConflict, s.as("user_b", post(requestsPath, `{"player":"user_a"}`))).problem(t, "player-blocked")
	require.Len(t, s.board("user_b", friendsBoard).Entries, 1)
	s.want(http.StatusNoContent, s.as("user_b", remove(blocksPath+"/user_a", "")))
	require.Empty(t, s.friendsBody("user_b").Friends, "lifting it makes no friends")
}

// A block made through one process is seen by all others in their next answer.
func TestABlockHoldsAtOnceInEveryProcess(t *testing.T) {
	s := newFriendsStack(t)
	s.play("user_a", "daily", "500")
	s.play("user_b", "daily", "700")
	s.makeFriends("user_a", "user_b")
	other := s.on(t)
	other.handler = other.process()
	for range 2 { // the list is remembered then
		require.Len(t, other.board("user_a", friendsBoard).Entries, 2)
	}
	s.want(http.StatusNoContent, s.as("user_b", put(blocksPath+"/user_a", "")))
	require.Len(t, other.board("user_a", friendsBoard).Entries, 1)
	require.Len(t, other.board("user_b", friendsBoard).Entries, 1)
}

func TestAnInviteMakesFriendsAsOftenAsItSays(t *testing.T) {
	s := newFriendsStack(t)
	var invite inviteBody
	s.want(http.StatusCreated, s.as("user_a", post(invitesPath, `{"uses":2}`))).into(t, &invite)
	require.Equal(t, 2, invite.Uses)
	require.Equal(t, "2026-11-25T12:00:00Z", invite.ExpiresAt)
	accept := post(invitesPath+"/"+invite.Code+"/accept", "")
	s.want(http.StatusNotFound, s.as("user_a", accept)).problem(t, "no-invite")
	for _, player := range []string{"user_b", "user_b", "user_c", "user_b"} { // a repetition uses nothing up
		require.JSONEq(t, `{"player":"user_a","status":"friends"}`, string(s.want(http.StatusOK, s.as(player, accept)).body))
	}
	s.want(http.StatusNotFound, s.as("user_d", accept)).problem(t, "no-invite")
	require.ElementsMatch(t, []string{"user_b", "user_c"}, ids(s.friendsBody("user_a").Friends))

	s.want(http.StatusCreated, s.as("user_a", post(invitesPath, ""))).into(t, &invite)
	s.clock.Set(noon.Add(7*24*time.Hour + time.Second))
	s.want(http.StatusNotFound, s.as("user_e", post(invitesPath+"/"+invite.Code+"/accept", ""))).problem(t, "no-invite")
	for _, body := range []string{`{"uses":0}`, `{"uses":101}`, `{"uses":1.5}`, `{"uses":"1"}`, `[]`} {
		s.want(http.StatusBadRequest, s.as("user_a", post(invitesPath, body))).problem(t, "invalid-request")
	}
}

func TestAnErasedPlayerIsNobodysFriend(t *testing.T) {
	s := newFriendsStack(t)
	s.play("user_a", "daily", "500")
	s.makeFriends("user_a", "user_b")
	s.want(http.StatusNoContent, s.as("user_b", put(blocksPath+"/user_c", "")))
	s.want(http.StatusOK, s.told("msg_gone", `{"type":"user.deleted","data":{"id":"user_b"}}`))
	require.Empty(t, s.friendsBody("user_a").Friends)
	erased := s.friendsBody("user_b")
	require.Empty(t, slices.Concat(erased.Friends, erased.Received, erased.Sent, erased.Blocked))
	for _, read := range [][]string{{"ZRANGE", "friends:user_a", "0", "-1"}, {"ZRANGE", "friends:user_b", "0", "-1"}, {"HGETALL", "lists"}, {"HGETALL", "blocks"}} {
		stored, err := s.redis.Server.Redis().Do(t.Context(), read...)
		require.NoError(t, err)
		require.NotContains(t, fmt.Sprint(stored), "user_b", "%s", read)
	}
}

// 500 friends cost one command in one round trip, by the client's count and by
// that of Redis.
func TestABoardOf500FriendsCostsOneCommand(t *testing.T) {
	s := newFriendsStack(t)
	s.inDatabase(`
WITH others AS (SELECT 'user_' || to_char(n, 'FM000') AS player FROM generate_series(1, 500) AS n),
players AS (
    INSERT INTO friend_players (player, version, friends)
    SELECT player, nextval('friend_versions'), 1 FROM others UNION ALL SELECT 'user_000', nextval('friend_versions'), 500
    RETURNING 1
)
SELECT count(*) FROM players`)
	s.inDatabase(`INSERT INTO friend_pairs (low, high, friends, since)
SELECT 'user_000', 'user_' || to_char(n, 'FM000'), true, now() FROM generate_series(1, 500) AS n`)
	require.Len(t, s.friendsBody("user_000").Friends, 500) // which copies what was not copied
	for i := range 40 {
		s.play(fmt.Sprintf("user_%03d", i), "daily", fmt.Sprint(500+i))
	}
	c := s.as("user_000", get(friendsBoard))
	cold, trips := s.spent(func() { s.want(http.StatusOK, c) })
	require.Equal(t, []int64{2, 2}, []int64{cold, trips}, "the scores and the names")
	before := s.redis.Ran()
	commands, trips := s.spent(func() { s.want(http.StatusOK, c) })
	require.Equal(t, []int64{1, 1}, []int64{commands, trips})
	require.Equal(t, commands, s.redis.Ran()-before)
	require.Len(t, s.board("user_000", friendsBoard).Entries, 40)
}
