package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// Before the first play nobody is on a board, and that is no error of the page's.
func TestWhoHasNotPlayedIsToldTheTotal(t *testing.T) {
	s, _ := playHistory(t)
	for _, target := range []string{"?", "?period=week&", "?period=month&", "?period=alltime&", "?scope=country:BR&", "?date=2026-11-17&", "?period=week&date=2026-11-17&"} {
		page := s.Page(apitest.Daily + target + "limit=200")
		for _, path := range []string{"/players/", "/around/"} {
			for range 2 { // of Redis, and of memory
				me := s.AbsentMe(apitest.Daily + path + "me" + target + "near=3")
				require.Equal(t, page.Total, me.Total, path+target)
				require.Empty(t, me.History)
			}
			s.Want(http.StatusNotFound, s.As("user_z", apitest.Get(apitest.Daily+path+"user_y"+target+"near=3"))).Problem(t, "not-on-board")
			s.Want(http.StatusNotFound, apitest.Get(apitest.Daily+path+"user_z"+target+"near=3")).Problem(t, "not-on-board")
		}
	}
	me := s.AbsentMe(apitest.Daily + "/players/me")
	require.Equal(t, apitest.Absent{Player: "user_z", Me: true}, me, "nothing has been played today")
	s.AbsentMe("/v1/leaderboards/xp/players/me")
	s.AbsentMe("/v1/leaderboards/duels/around/me")

	s.LeaveRedis() // the archive tells
	for _, target := range []string{"?date=2026-11-17", "?period=week&date=2026-11-17"} {
		total := s.Page(apitest.Daily + target).Total
		require.Positive(t, total)
		for _, path := range []string{"/players/me", "/around/me"} {
			require.Equal(t, total, s.AbsentMe(apitest.Daily+path+target).Total, path+target)
		}
	}
}

// Where nothing keeps what has left Redis, a total of 0 tells nothing.
func TestWithoutAHistoryTheTotalOfThePastIsUnknown(t *testing.T) {
	s := apitest.NewStack(t)
	for _, path := range []string{"/players/me", "/around/me"} {
		require.Equal(t, "unavailable", s.AbsentMe(apitest.Daily+path+"?date="+apitest.LongAgo).History)
	}
}

// A caller's own row is marked wherever a token is sent, and for nobody else: no cache
// may show one caller the mark of another.
func TestOwnRowsAreMarked(t *testing.T) {
	s := apitest.NewStack(t)
	for _, player := range []string{"user_a", "user_b", "user_c"} {
		s.Play(player, "daily", "500")
	}
	device := s.Device()
	s.Want(http.StatusCreated, apitest.Post(apitest.Scores, apitest.GoodScore).Bearer(device.Token))
	marks := func(c apitest.Call) (me []string, a apitest.Answer) {
		a = s.Want(http.StatusOK, c)
		var shown struct {
			apitest.EntryBody
			Entries []apitest.EntryBody
		}
		require.NoError(t, json.Unmarshal(a.Body, &shown))
		for _, e := range append(shown.Entries, shown.EntryBody) {
			if e.Me {
				me = append(me, e.Player)
			}
		}
		return me, a
	}
	targets := map[string]apitest.Call{
		"page": apitest.Get(apitest.Daily), "next page": apitest.Get(apitest.Daily + "?limit=200&offset=1"), "week": apitest.Get(apitest.Daily + "?period=week"), "XP": apitest.Get("/v1/leaderboards/xp"),
		"around": apitest.Get(around), "around another": apitest.Get(apitest.Daily + "/around/user_c"), "look-up": apitest.Post(apitest.Lookup, `{"players":["user_a","user_b"]}`),
	}
	for name, c := range targets {
		mine, own := marks(s.As("user_b", c))
		require.Equal(t, []string{"user_b"}, mine, name)
		nobodys, public := marks(c)
		require.Empty(t, nobodys, name)
		bad, _ := marks(c.Bearer("no.good.token"))
		require.Empty(t, bad, name)
		if c.Method == http.MethodGet {
			require.Equal(t, "private, no-cache", own.Header.Get("Cache-Control"), name)
			require.Contains(t, public.Header.Get("Cache-Control"), "public", name)
			require.NotEqual(t, own.Header.Get("ETag"), public.Header.Get("ETag"), name)
			s.Want(http.StatusOK, c.With("If-None-Match", own.Header.Get("ETag")))
		}
	}
	for _, target := range []string{
		apitest.Card, apitest.Daily + "/players/me", apitest.Daily + "/around/me",
		apitest.FriendsBoard,
	} {
		mine, a := marks(s.As("user_a", apitest.Get(target)))
		require.Equal(t, []string{"user_a"}, mine, target)
		require.Equal(t, "private, no-cache", a.Header.Get("Cache-Control"), target)
	}
	mine, a := marks(s.As("user_b", apitest.Get(apitest.Card)))
	require.Empty(t, mine, "another's card")
	require.Equal(t, "public, no-cache", a.Header.Get("Cache-Control"))
	mine, _ = marks(apitest.Get(apitest.Daily).Bearer(device.Token))
	require.Equal(t, []string{device.Player}, mine, "a device's")
}
