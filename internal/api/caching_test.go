package api_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	openPage   = "public, max-age=0, must-revalidate, s-maxage=55"
	closedPage = "public, max-age=0, must-revalidate, s-maxage=3595"
)

func TestCacheControl(t *testing.T) {
	s := newStack(t)
	s.play("user_a", "daily", "700")
	s.clock.Set(noon.AddDate(0, 0, 1))
	s.play("user_a", "daily", "800")
	for name, test := range map[string]struct {
		call        call
		cache, vary string
	}{
		"page of an open day":    {get(daily), openPage, "Authorization"},
		"page of a closed day":   {get(daily + "?date=" + today), closedPage, "Authorization"},
		"page of the past":       {get(daily + "?date=2026-08-01"), closedPage, "Authorization"},
		"page of an open week":   {get(daily + "?period=week"), openPage, "Authorization"},
		"page of a closed week":  {get(daily + "?period=week&date=2026-11-11"), closedPage, "Authorization"},
		"page of all time":       {get(daily + "?period=alltime"), openPage, "Authorization"},
		"page of XP":             {get("/v1/leaderboards/xp"), openPage, "Authorization"},
		"card of anybody":        {get(card), "public, no-cache", "Authorization"},
		"own card":               {s.as("user_a", get(daily+"/players/me")), "private, no-cache", "Authorization"},
		"own card by id":         {s.as("user_a", get(card)), "private, no-cache", "Authorization"},
		"another's card":         {s.as("user_b", get(card)), "public, no-cache", "Authorization"},
		"own page":               {s.as("user_a", get(daily)), "private, no-cache", "Authorization"},
		"page of others":         {s.as("user_b", get(daily)), openPage, "Authorization"},
		"own row around another": {s.as("user_a", get(around)), "private, no-cache", "Authorization"},
		"board of friends":       {s.as("user_a", get(friendsBoard)), "private, no-cache", "Authorization"},
		"the game":               {get("/v1/game"), "public, max-age=0, must-revalidate, s-maxage=300", ""},
		"surroundings":           {get(around), "public, no-cache", "Authorization"},
		"own surroundings":       {s.as("user_a", get(daily+"/around/me")), "private, no-cache", "Authorization"},
		"look-up":                {post(lookup, goodLookup), "no-store", ""},
		"submission":             {s.as("user_a", post(scores, goodScore)), "no-store", ""},
		"the document":           {get("/openapi.yaml"), "public, max-age=300", ""},
		"page without entries":   {get("/v1/leaderboards/longest"), openPage, "Authorization"},
		"headers of a page":      {call{method: http.MethodHead, target: daily}, openPage, "Authorization"},
		"page below the top":     {get(daily + "?offset=1"), openPage, "Authorization"},
		"page of a closed month": {get(daily + "?period=month&date=2026-10-01"), closedPage, "Authorization"},
	} {
		t.Run(name, func(t *testing.T) {
			a := s.on(t).want(http.StatusOK, test.call)
			require.Equal(t, test.cache, a.header.Get("Cache-Control"))
			require.Equal(t, test.vary, a.header.Get("Vary"))
			networks := map[string]string{openPage: "public, max-age=55, stale-while-revalidate=5", closedPage: "public, max-age=3595, stale-while-revalidate=5"}
			require.Equal(t, networks[test.cache], a.header.Get("CDN-Cache-Control"))
		})
	}
}

func TestPagesAreNoOlderThanTheGameAllows(t *testing.T) {
	s := newStack(t)
	s.play("user_a", "daily", "700")
	s.want(http.StatusOK, get(daily))
	s.clock.Set(s.clock.Now().Add(20 * time.Second))
	a := s.want(http.StatusOK, get(daily)) // from this process's memory
	require.Equal(t, "public, max-age=0, must-revalidate, s-maxage=35", a.header.Get("Cache-Control"))
	require.Equal(t, "public, max-age=35, stale-while-revalidate=5", a.header.Get("CDN-Cache-Control"))
}

func TestTheEntityTagStandsForTheStandings(t *testing.T) {
	s := newStack(t)
	s.play("user_a", "daily", "700")
	for _, target := range []string{daily, daily + "?period=week", card, around, daily + "?limit=1", daily + "?offset=1"} {
		tag := func() string { return s.want(http.StatusOK, get(target)).header.Get("ETag") }
		before := tag()
		require.Equal(t, before, tag(), "read again: %s", target)
		s.clock.Set(s.clock.Now().Add(10 * time.Second))
		s.handler = s.process()
		require.Equal(t, before, tag(), "read later by another process: %s", target)
		s.play("user_b"+itoa(len(target)), "daily", "900")
		s.clock.Set(s.clock.Now().Add(10 * time.Second)) // past a derived board's refresh
		s.handler = s.process()
		require.NotEqual(t, before, tag(), "after a change: %s", target)
	}
	require.NotEqual(t, s.want(http.StatusOK, get(daily)).header.Get("ETag"), s.want(http.StatusOK, get(daily+"?date="+yesterday)).header.Get("ETag"))
}

func TestWhatTheCallerHasIsNotSentAgain(t *testing.T) {
	s := newStack(t)
	s.play("user_a", "daily", "700")
	for _, c := range []call{get(daily), get(card), get(around), s.as("user_a", get(daily+"/players/me")), s.as("user_a", get(daily+"/around/me"))} {
		whole := s.want(http.StatusOK, c)
		tag := whole.header.Get("ETag")
		for _, known := range []string{tag, tag[len("W/"):], `"x", ` + tag, `W/"x",` + tag + `,"y"`, "*"} {
			a := s.want(http.StatusNotModified, c.with("If-None-Match", known))
			require.Empty(t, a.body)
			require.Empty(t, a.header.Get("Content-Type"))
			for _, name := range []string{"ETag", "Cache-Control", "Vary"} {
				require.Equal(t, whole.header.Get(name), a.header.Get(name), name)
			}
		}
		for _, other := range []string{`W/"x"`, `"` + tag + `"`, "W/", tag[:len(tag)-1], ""} {
			require.NotEmpty(t, s.want(http.StatusOK, c.with("If-None-Match", other)).body)
		}
		s.want(http.StatusNotModified, call{method: http.MethodHead, target: c.target, header: c.header}.with("If-None-Match", tag))
	}
}

func TestHeadIsGetWithoutTheBody(t *testing.T) {
	s := newStack(t)
	s.play("user_a", "daily", "700")
	for _, target := range []string{daily, card, around, "/openapi.yaml", daily + "?limit=0", "/v1/leaderboards/nothing", daily + "/players/nobody", daily + "/players/me", "/nothing"} {
		whole := s.do(get(target))
		head := s.do(call{method: http.MethodHead, target: target})
		require.Equal(t, whole.status, head.status, target)
		require.NotEmpty(t, head.header.Get("X-Request-Id"), target)
		whole.header.Del("X-Request-Id")
		head.header.Del("X-Request-Id")
		require.Equal(t, whole.header, head.header, target)
		require.Empty(t, head.body, target)
		require.NotEmpty(t, whole.body, target)
	}
}

// Details may contain anything, even text that looks like the time of a page. A card's tag
// changes with everything in the details, and with everything else that the card shows.
func TestACardsTagChangesWithAllOfIt(t *testing.T) {
	s := newStack(t)
	s.clock.Set(noon.AddDate(0, 0, -1))
	s.play("user_a", "longest", "700")
	s.play("user_b", "longest", "600")
	s.clock.Set(noon)
	tags := map[string]string{}
	changed := func(what string, target string) {
		a := s.want(http.StatusOK, get(target))
		require.Empty(t, tags[a.header.Get("ETag")], "%s: as after %s: %s", what, tags[a.header.Get("ETag")], a.body)
		tags[a.header.Get("ETag")] = what
	}
	const longest = "/v1/leaderboards/longest/players/user_a"
	s.play("user_a", "longest", "10")
	changed("a score", longest)
	s.play("user_b", "longest", "20")
	s.handler = s.process()
	changed("a rank and a total", longest)
	s.play("user_c", "longest", "5")
	s.handler = s.process()
	changed("a total", longest)
	s.want(http.StatusOK, s.as("user_a", patch(myself, `{"name":"Ana"}`)))
	s.handler = s.process()
	changed("a name", longest)
	s.want(http.StatusOK, s.as("user_a", patch(myself, `{"country":"BR"}`)))
	s.handler = s.process()
	changed("a country", longest)
	s.want(http.StatusOK, s.as("user_a", patch(myself, `{"hidden":true}`)))
	s.handler = s.process()
	changed("hidden", longest)
	s.want(http.StatusOK, call{method: http.MethodDelete, target: "/v1/ops/scores", body: `{"mode":"longest","date":"` + yesterday + `","player":"user_a"}`}.bearer(opsToken).with("Content-Type", "application/json"))
	s.handler = s.process()
	changed("the rank before", longest)

	for i, details := range []string{`{"updated_at":"a","n":1}`, `{"updated_at":"b","n":1}`, `{"updated_at":"b\"","n":1}`, `{"n":1}`} {
		player := "user_d" + itoa(i)
		s.want(http.StatusCreated, s.as(player, post(scores, `{"mode":"daily","score":1,"details":`+details+`}`)))
	}
	// Of the very same player, in the record that the details are kept in.
	key := "details:daily:" + today
	for _, details := range []string{`{"updated_at":"a"}`, `{"updated_at":"b"}`, `{"updated_at":"a","x":"updated_at\":\""}`} {
		held, err := s.redis.Server.Redis().Do(t.Context(), "HGET", key, "user_d0")
		require.NoError(t, err)
		before, _, _ := strings.Cut(held.(string), "{")
		_, err = s.redis.Server.Redis().Do(t.Context(), "HSET", key, "user_d0", before+details)
		require.NoError(t, err)
		changed(details, daily+"/players/user_d0")
	}
}
