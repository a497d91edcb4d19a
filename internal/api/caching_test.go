package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

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
	s := apitest.NewStack(t)
	s.Play("user_a", "daily", "700")
	s.Clock.Set(apitest.Noon.AddDate(0, 0, 1))
	s.Play("user_a", "daily", "800")
	for name, test := range map[string]struct {
		call        apitest.Call
		cache, vary string
	}{
		"page of an open day":    {apitest.Get(apitest.Daily), openPage, "Authorization"},
		"page of a closed day":   {apitest.Get(apitest.Daily + "?date=" + apitest.Today), closedPage, "Authorization"},
		"page of the past":       {apitest.Get(apitest.Daily + "?date=2026-08-01"), closedPage, "Authorization"},
		"page of an open week":   {apitest.Get(apitest.Daily + "?period=week"), openPage, "Authorization"},
		"page of a closed week":  {apitest.Get(apitest.Daily + "?period=week&date=2026-11-11"), closedPage, "Authorization"},
		"page of all time":       {apitest.Get(apitest.Daily + "?period=alltime"), openPage, "Authorization"},
		"page of XP":             {apitest.Get("/v1/leaderboards/xp"), openPage, "Authorization"},
		"card of anybody":        {apitest.Get(apitest.Card), "public, no-cache", "Authorization"},
		"own card":               {s.As("user_a", apitest.Get(apitest.Daily+"/players/me")), "private, no-cache", "Authorization"},
		"own card by id":         {s.As("user_a", apitest.Get(apitest.Card)), "private, no-cache", "Authorization"},
		"another's card":         {s.As("user_b", apitest.Get(apitest.Card)), "public, no-cache", "Authorization"},
		"own page":               {s.As("user_a", apitest.Get(apitest.Daily)), "private, no-cache", "Authorization"},
		"page of others":         {s.As("user_b", apitest.Get(apitest.Daily)), openPage, "Authorization"},
		"own row around another": {s.As("user_a", apitest.Get(around)), "private, no-cache", "Authorization"},
		"board of friends":       {s.As("user_a", apitest.Get(apitest.FriendsBoard)), "private, no-cache", "Authorization"},
		"the game":               {apitest.Get("/v1/game"), "public, max-age=0, must-revalidate, s-maxage=300", ""},
		"surroundings":           {apitest.Get(around), "public, no-cache", "Authorization"},
		"own surroundings":       {s.As("user_a", apitest.Get(apitest.Daily+"/around/me")), "private, no-cache", "Authorization"},
		"look-up":                {apitest.Post(apitest.Lookup, goodLookup), "no-store", ""},
		"submission":             {s.As("user_a", apitest.Post(apitest.Scores, apitest.GoodScore)), "no-store", ""},
		"the document":           {apitest.Get("/openapi.yaml"), "public, max-age=300", ""},
		"page without entries":   {apitest.Get("/v1/leaderboards/longest"), openPage, "Authorization"},
		"headers of a page":      {apitest.Call{Method: http.MethodHead, Target: apitest.Daily}, openPage, "Authorization"},
		"page below the top":     {apitest.Get(apitest.Daily + "?offset=1"), openPage, "Authorization"},
		"page of a closed month": {apitest.Get(apitest.Daily + "?period=month&date=2026-10-01"), closedPage, "Authorization"},
	} {
		t.Run(name, func(t *testing.T) {
			a := s.On(t).Want(http.StatusOK, test.call)
			require.Equal(t, test.cache, a.Header.Get("Cache-Control"))
			require.Equal(t, test.vary, a.Header.Get("Vary"))
			networks := map[string]string{openPage: "public, max-age=55, stale-while-revalidate=5", closedPage: "public, max-age=3595, stale-while-revalidate=5"}
			require.Equal(t, networks[test.cache], a.Header.Get("CDN-Cache-Control"))
		})
	}
}

func TestPagesAreNoOlderThanTheGameAllows(t *testing.T) {
	s := apitest.NewStack(t)
	s.Play("user_a", "daily", "700")
	s.Want(http.StatusOK, apitest.Get(apitest.Daily))
	s.Clock.Set(s.Clock.Now().Add(20 * time.Second))
	a := s.Want(http.StatusOK, apitest.Get(apitest.Daily)) // from this process's memory
	require.Equal(t, "public, max-age=0, must-revalidate, s-maxage=35", a.Header.Get("Cache-Control"))
	require.Equal(t, "public, max-age=35, stale-while-revalidate=5", a.Header.Get("CDN-Cache-Control"))
}

func TestTheEntityTagStandsForTheStandings(t *testing.T) {
	s := apitest.NewStack(t)
	s.Play("user_a", "daily", "700")
	for _, target := range []string{apitest.Daily, apitest.Daily + "?period=week", apitest.Card, around, apitest.Daily + "?limit=1", apitest.Daily + "?offset=1"} {
		tag := func() string { return s.Want(http.StatusOK, apitest.Get(target)).Header.Get("ETag") }
		before := tag()
		require.Equal(t, before, tag(), "read again: %s", target)
		s.Clock.Set(s.Clock.Now().Add(10 * time.Second))
		s.Handler = s.Process()
		require.Equal(t, before, tag(), "read later by another process: %s", target)
		s.Play("user_b"+itoa(len(target)), "daily", "900")
		s.Clock.Set(s.Clock.Now().Add(10 * time.Second)) // past a derived board's refresh
		s.Handler = s.Process()
		require.NotEqual(t, before, tag(), "after a change: %s", target)
	}
	require.NotEqual(t, s.Want(http.StatusOK, apitest.Get(apitest.Daily)).Header.Get("ETag"), s.Want(http.StatusOK, apitest.Get(apitest.Daily+"?date="+apitest.Yesterday)).Header.Get("ETag"))
}

func TestWhatTheCallerHasIsNotSentAgain(t *testing.T) {
	s := apitest.NewStack(t)
	s.Play("user_a", "daily", "700")
	for _, c := range []apitest.Call{apitest.Get(apitest.Daily), apitest.Get(apitest.Card), apitest.Get(around), s.As("user_a", apitest.Get(apitest.Daily+"/players/me")), s.As("user_a", apitest.Get(apitest.Daily+"/around/me"))} {
		whole := s.Want(http.StatusOK, c)
		tag := whole.Header.Get("ETag")
		for _, known := range []string{tag, tag[len("W/"):], `"x", ` + tag, `W/"x",` + tag + `,"y"`, "*"} {
			a := s.Want(http.StatusNotModified, c.With("If-None-Match", known))
			require.Empty(t, a.Body)
			require.Empty(t, a.Header.Get("Content-Type"))
			for _, name := range []string{"ETag", "Cache-Control", "Vary"} {
				require.Equal(t, whole.Header.Get(name), a.Header.Get(name), name)
			}
		}
		for _, other := range []string{`W/"x"`, `"` + tag + `"`, "W/", tag[:len(tag)-1], ""} {
			require.NotEmpty(t, s.Want(http.StatusOK, c.With("If-None-Match", other)).Body)
		}
		s.Want(http.StatusNotModified, apitest.Call{Method: http.MethodHead, Target: c.Target, Header: c.Header}.With("If-None-Match", tag))
	}
}

func TestHeadIsGetWithoutTheBody(t *testing.T) {
	s := apitest.NewStack(t)
	s.Play("user_a", "daily", "700")
	for _, target := range []string{apitest.Daily, apitest.Card, around, "/openapi.yaml", apitest.Daily + "?limit=0", "/v1/leaderboards/nothing", apitest.Daily + "/players/nobody", apitest.Daily + "/players/me", "/nothing"} {
		whole := s.Do(apitest.Get(target))
		head := s.Do(apitest.Call{Method: http.MethodHead, Target: target})
		require.Equal(t, whole.Status, head.Status, target)
		require.NotEmpty(t, head.Header.Get("X-Request-Id"), target)
		whole.Header.Del("X-Request-Id")
		head.Header.Del("X-Request-Id")
		require.Equal(t, whole.Header, head.Header, target)
		require.Empty(t, head.Body, target)
		require.NotEmpty(t, whole.Body, target)
	}
}

// Details may contain anything, even text that looks like the time of a page. A card's tag
// changes with everything in the details, and with everything else that the card shows.
func TestACardsTagChangesWithAllOfIt(t *testing.T) {
	s := apitest.NewStack(t)
	s.Clock.Set(apitest.Noon.AddDate(0, 0, -1))
	s.Play("user_a", "longest", "700")
	s.Play("user_b", "longest", "600")
	s.Clock.Set(apitest.Noon)
	tags := map[string]string{}
	changed := func(what string, target string) {
		a := s.Want(http.StatusOK, apitest.Get(target))
		require.Empty(t, tags[a.Header.Get("ETag")], "%s: as after %s: %s", what, tags[a.Header.Get("ETag")], a.Body)
		tags[a.Header.Get("ETag")] = what
	}
	const longest = "/v1/leaderboards/longest/players/user_a"
	s.Play("user_a", "longest", "10")
	changed("a score", longest)
	s.Play("user_b", "longest", "20")
	s.Handler = s.Process()
	changed("a rank and a total", longest)
	s.Play("user_c", "longest", "5")
	s.Handler = s.Process()
	changed("a total", longest)
	s.Want(http.StatusOK, s.As("user_a", apitest.Patch(apitest.Myself, `{"name":"Ana"}`)))
	s.Handler = s.Process()
	changed("a name", longest)
	s.Want(http.StatusOK, s.As("user_a", apitest.Patch(apitest.Myself, `{"country":"BR"}`)))
	s.Handler = s.Process()
	changed("a country", longest)
	s.Want(http.StatusOK, s.As("user_a", apitest.Patch(apitest.Myself, `{"hidden":true}`)))
	s.Handler = s.Process()
	changed("hidden", longest)
	s.Want(http.StatusOK, apitest.Call{Method: http.MethodDelete, Target: "/v1/ops/scores", Body: `{"mode":"longest","date":"` + apitest.Yesterday + `","player":"user_a"}`}.Bearer(apitest.OpsToken).With("Content-Type", "application/json"))
	s.Handler = s.Process()
	changed("the rank before", longest)

	for i, details := range []string{`{"updated_at":"a","n":1}`, `{"updated_at":"b","n":1}`, `{"updated_at":"b\"","n":1}`, `{"n":1}`} {
		player := "user_d" + itoa(i)
		s.Want(http.StatusCreated, s.As(player, apitest.Post(apitest.Scores, `{"mode":"daily","score":1,"details":`+details+`}`)))
	}
	// Of the very same player, in the record that the details are kept in.
	key := "details:daily:" + apitest.Today
	for _, details := range []string{`{"updated_at":"a"}`, `{"updated_at":"b"}`, `{"updated_at":"a","x":"updated_at\":\""}`} {
		held, err := s.Redis.Server.Redis().Do(t.Context(), "HGET", key, "user_d0")
		require.NoError(t, err)
		before, _, _ := strings.Cut(held.(string), "{")
		_, err = s.Redis.Server.Redis().Do(t.Context(), "HSET", key, "user_d0", before+details)
		require.NoError(t, err)
		changed(details, apitest.Daily+"/players/user_d0")
	}
}
