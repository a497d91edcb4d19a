package api_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// absent is what a player is told who asks for themselves and is not on the board.
type absent struct {
	Rank, Score, Percentile, TopPercent, PreviousRank, RankChange *float64
	Total                                                         int64
	Player                                                        string
	Me                                                            bool
	History                                                       string
	Entries                                                       []entryBody
}

func (s *stack) absentMe(target string) (a absent) {
	s.Helper()
	answered := s.want(http.StatusOK, s.as("user_z", get(target)))
	require.Equal(s, "private, no-cache", answered.header.Get("Cache-Control"))
	for _, null := range []string{`"rank":null`, `"score":null`} {
		require.Contains(s, string(answered.body), null)
	}
	require.NoError(s, json.Unmarshal(answered.body, &a))
	require.Empty(s, a.Entries)
	return a
}

// Before the first play nobody is on a board, and that is no error of the page's.
func TestWhoHasNotPlayedIsToldTheTotal(t *testing.T) {
	s, _ := playHistory(t)
	for _, target := range []string{"?", "?period=week&", "?period=month&", "?period=alltime&", "?scope=country:BR&", "?date=2026-11-17&", "?period=week&date=2026-11-17&"} {
		page := s.page(daily + target + "limit=200")
		for _, path := range []string{"/players/", "/around/"} {
			for range 2 { // of Redis, and of memory
				me := s.absentMe(daily + path + "me" + target + "near=3")
				require.Equal(t, page.Total, me.Total, path+target)
				require.Empty(t, me.History)
			}
			s.want(http.StatusNotFound, s.as("user_z", get(daily+path+"user_y"+target+"near=3"))).problem(t, "not-on-board")
			s.want(http.StatusNotFound, get(daily+path+"user_z"+target+"near=3")).problem(t, "not-on-board")
		}
	}
	me := s.absentMe(daily + "/players/me")
	require.Equal(t, absent{Player: "user_z", Me: true}, me, "nothing has been played today")
	s.absentMe("/v1/leaderboards/xp/players/me")
	s.absentMe("/v1/leaderboards/duels/around/me")

	s.leaveRedis() // the archive tells
	for _, target := range []string{"?date=2026-11-17", "?period=week&date=2026-11-17"} {
		total := s.page(daily + target).Total
		require.Positive(t, total)
		for _, path := range []string{"/players/me", "/around/me"} {
			require.Equal(t, total, s.absentMe(daily+path+target).Total, path+target)
		}
	}
}

// Where nothing keeps what has left Redis, a total of 0 tells nothing.
func TestWithoutAHistoryTheTotalOfThePastIsUnknown(t *testing.T) {
	s := newStack(t)
	for _, path := range []string{"/players/me", "/around/me"} {
		require.Equal(t, "unavailable", s.absentMe(daily+path+"?date="+longAgo).History)
	}
}

// A caller's own row is marked wherever a token is sent, and for nobody else: no cache
// may show one caller the mark of another.
func TestOwnRowsAreMarked(t *testing.T) {
	s := newStack(t)
	for _, player := range []string{"user_a", "user_b", "user_c"} {
		s.play(player, "daily", "500")
	}
	device := s.device()
	s.want(http.StatusCreated, post(scores, goodScore).bearer(device.Token))
	marks := func(c call) (me []string, a answer) {
		a = s.want(http.StatusOK, c)
		var shown struct {
			entryBody
			Entries []entryBody
		}
		require.NoError(t, json.Unmarshal(a.body, &shown))
		for _, e := range append(shown.Entries, shown.entryBody) {
			if e.Me {
				me = append(me, e.Player)
			}
		}
		return me, a
	}
	targets := map[string]call{
		"page": get(daily), "next page": get(daily + "?limit=200&offset=1"), "week": get(daily + "?period=week"), "XP": get("/v1/leaderboards/xp"),
		"around": get(around), "around another": get(daily + "/around/user_c"), "look-up": post(lookup, `{"players":["user_a","user_b"]}`),
	}
	for name, c := range targets {
		mine, own := marks(s.as("user_b", c))
		require.Equal(t, []string{"user_b"}, mine, name)
		nobodys, public := marks(c)
		require.Empty(t, nobodys, name)
		bad, _ := marks(c.bearer("no.good.token"))
		require.Empty(t, bad, name)
		if c.method == http.MethodGet {
			require.Equal(t, "private, no-cache", own.header.Get("Cache-Control"), name)
			require.Contains(t, public.header.Get("Cache-Control"), "public", name)
			require.NotEqual(t, own.header.Get("ETag"), public.header.Get("ETag"), name)
			s.want(http.StatusOK, c.with("If-None-Match", own.header.Get("ETag")))
		}
	}
	for _, target := range []string{card, daily + "/players/me", daily + "/around/me", friendsBoard} {
		mine, a := marks(s.as("user_a", get(target)))
		require.Equal(t, []string{"user_a"}, mine, target)
		require.Equal(t, "private, no-cache", a.header.Get("Cache-Control"), target)
	}
	mine, a := marks(s.as("user_b", get(card)))
	require.Empty(t, mine, "another's card")
	require.Equal(t, "public, no-cache", a.header.Get("Cache-Control"))
	mine, _ = marks(get(daily).bearer(device.Token))
	require.Equal(t, []string{device.Player}, mine, "a device's")
}
