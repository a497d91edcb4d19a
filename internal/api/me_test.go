package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

func jsonInto(a apitest.Answer, v any) error { return json.Unmarshal(a.Body, v) }

func meScenarios() map[string]apitest.Scenario {
	const change = `{"country":"PT"}`
	large := strings.Repeat(" ", 64<<10) + "{}"
	me := apitest.As("user_a", apitest.Get(apitest.Myself))
	return map[string]apitest.Scenario{
		"GET /v1/me 200": {Call: me},
		"GET /v1/me 304": {Call: func(s *apitest.Stack) apitest.Call {
			c := me(s)
			return c.With("If-None-Match", s.Want(http.StatusOK, c).Header.Get("ETag"))
		}},
		"GET /v1/me 400": {Call: apitest.As("user_a", apitest.Get(apitest.Myself+"?days=1")), Kind: "invalid-request"},
		"GET /v1/me 401": {Call: apitest.Plain(apitest.Get(apitest.Myself)), Kind: "unauthenticated"},
		"GET /v1/me 429": {Call: apitest.From("192.0.2.21:1", apitest.Get(apitest.Myself)), Kind: "rate-limited"},
		"GET /v1/me 500": {Call: me, Fault: apitest.RefusedCommand, Kind: "internal"},
		"GET /v1/me 503": {Call: me, Fault: apitest.RedisDown, Kind: "temporarily-unavailable"},

		"PATCH /v1/me 200": {Call: apitest.As("user_a", apitest.Patch(apitest.Myself, change))},
		"PATCH /v1/me 400": {Call: apitest.As("user_a", apitest.Patch(apitest.Myself, `{}`)), Kind: "invalid-request"},
		"PATCH /v1/me 401": {Call: apitest.Plain(apitest.Patch(apitest.Myself, change)), Kind: "unauthenticated"},
		"PATCH /v1/me 413": {Call: apitest.As("user_a", apitest.Patch(apitest.Myself, large)), Kind: "too-large"},
		"PATCH /v1/me 415": {Call: apitest.As("user_a", apitest.Patch(apitest.Myself, change).With("Content-Type", "text/plain")), Kind: "unsupported-media-type"},
		"PATCH /v1/me 429": {Call: apitest.From("192.0.2.22:1", apitest.Patch(apitest.Myself, change)), Kind: "rate-limited"},
		"PATCH /v1/me 500": {Call: apitest.As("user_a", apitest.Patch(apitest.Myself, change)), Fault: apitest.RefusedCommand, Kind: "internal"},
		"PATCH /v1/me 503": {Call: apitest.As("user_a", apitest.Patch(apitest.Myself, change)), Fault: apitest.RedisDown, Kind: "temporarily-unavailable"},
	}
}

func TestWhoHasNeverPlayedHasNothing(t *testing.T) {
	s := apitest.NewStack(t)
	a := s.Want(http.StatusOK, s.As("user_new", apitest.Get(apitest.Myself)))
	require.Equal(t, "private, no-cache", a.Header.Get("Cache-Control"))
	require.Contains(t, string(a.Body), `{"player":"user_new","profile":{"hidden":false},"xp":0,"level":0,"next_level_xp":50,"xp_rank":null,`+
		`"streak":{"current":0,"best":0,"last_played":null,"freezes":0}`)
	require.Contains(t, string(a.Body), `"today":[]`)
}

func TestAPlayCountsForOneselfAtOnceAndStillAfterTheDayIsClosed(t *testing.T) {
	s := apitest.NewStack(t)
	s.Play("user_b", "tied", "9")
	s.Play("user_b", "daily", "900")
	for mode, score := range map[string]string{"daily": "810", "tied": "9", "fastest": "12.34"} {
		s.Play("user_a", mode, score)
	}
	me := s.Me("user_a")
	require.EqualValues(t, 810, me.XP)
	require.EqualValues(t, 4, me.Level, "50·4² ≤ 810")
	require.Nil(t, me.XPRank, "nobody has looked at the XP board yet")
	require.Equal(t, apitest.Today, *me.Streak.LastPlayed)
	require.Equal(t, 1, me.Streak.Current)
	require.Len(t, me.Today, 3)
	require.Equal(t, "daily", me.Today[0].Mode)
	require.EqualValues(t, 2, me.Today[0].Rank)
	require.Equal(t, "fastest", me.Today[1].Mode)
	require.Equal(t, 12.34, me.Today[1].Score)
	require.Equal(t, "tied", me.Today[2].Mode)
	require.EqualValues(t, 1, me.Today[2].Rank, "shared")

	s.Page("/v1/leaderboards/xp")
	require.EqualValues(t, 2, *s.Me("user_a").XPRank)

	s.Clock.Set(apitest.Noon.Add(12*time.Hour + 20*time.Minute))
	_, err := s.Keeper(nil).Daily(t.Context())
	require.NoError(t, err)
	after := s.Me("user_a")
	require.Equal(t, me.XP, after.XP)
	require.Equal(t, me.Streak, after.Streak, "it stands through the next day")
	require.Empty(t, after.Today)
}

func TestWhereEverybodyHasTheirOwnMidnightSeveralDatesAreToday(t *testing.T) {
	s := apitest.NewStack(t)
	s.Game = strings.Replace(s.Game, "name: testing", "name: testing\nday: local", 1)
	s.Handler = s.Process()
	for i, date := range []string{"2026-11-17", "2026-11-18", "2026-11-19"} {
		s.Clock.Set(apitest.Noon.Add(-time.Hour + time.Duration(i)*time.Second)) // 11:00 UTC: 23:00 of the 17th and 01:00 of the 19th, somewhere
		s.Want(http.StatusCreated, s.As("user_a", apitest.Post(apitest.Scores, `{"mode":"daily","score":100,"date":"`+date+`"}`)))
	}
	me := s.Me("user_a")
	require.Len(t, me.Today, 3)
	require.EqualValues(t, 300, me.XP)
	require.Equal(t, 3, me.Streak.Current)
	s.Clock.Set(apitest.Noon.Add(time.Minute)) // the 17th has ended everywhere, and takes scores in its grace
	me = s.Me("user_a")
	require.Len(t, me.Today, 2)
	require.Equal(t, 3, me.Streak.Current)
	require.EqualValues(t, 300, me.XP)
}

func TestAProfileIsChangedFieldByField(t *testing.T) {
	s := apitest.NewStack(t)
	a := apitest.OpenArchive(t, archivetest.Database(t))
	s.History = jobs.NewHistory(a)
	s.Handler = s.Process()
	named := func(c apitest.Call) apitest.Call {
		return c.Bearer(s.TokenWith("user_a", map[string]any{"name": "Ana"}))
	}
	s.Want(http.StatusCreated, named(apitest.Post(apitest.Scores, `{"mode":"daily","score":5}`)))
	shown := func() apitest.EntryBody {
		s.Handler = s.Process()
		return s.Page(apitest.Daily).Entries[0]
	}
	for _, step := range []struct{ change, profile, shows string }{
		{`{"country":"PT"}`, `{"name":"Ana","country":"PT","hidden":false}`, "Ana  PT"},
		{`{"name":" Bea "}`, `{"name":"Bea","country":"PT","hidden":false}`, "Bea  PT"},
		{`{"picture":"https://img.test/b.png","name":null}`, `{"name":"Bea","picture":"https://img.test/b.png","country":"PT","hidden":false}`, "Bea https://img.test/b.png PT"},
		{`{"hidden":true}`, `{"name":"Bea","picture":"https://img.test/b.png","country":"PT","hidden":true}`, "  PT"},
		{`{"picture":"","country":""}`, `{"name":"Bea","hidden":true}`, "  "},
		{`{"hidden":false}`, `{"name":"Bea","hidden":false}`, "Bea  "},
	} {
		a := s.Want(http.StatusOK, s.As("user_a", apitest.Patch(apitest.Myself, step.change)))
		require.JSONEq(t, `{"player":"user_a","profile":`+step.profile+`}`, string(a.Body))
		e := shown()
		require.Equal(t, step.shows, e.Name+" "+e.Picture+" "+e.Country, step.change)
		var me map[string]json.RawMessage
		require.NoError(t, jsonInto(s.Want(http.StatusOK, s.As("user_a", apitest.Get(apitest.Myself))), &me))
		require.JSONEq(t, step.profile, string(me["profile"]))
	}
	kept, err := a.Profiles.Of(t.Context(), []string{"user_a"})
	require.NoError(t, err)
	require.Equal(t, "Bea", kept[0].Name, "and history knows it too")

	require.Equal(t, "Zoe", func() string {
		var me apitest.MeBody
		s.Want(http.StatusOK, apitest.Get(apitest.Myself).Bearer(s.TokenWith("user_z", map[string]any{"name": "Zoe"}))).Into(t, &me)
		return me.Profile.Name
	}(), "who has no profile yet is called what the token says")
}

func TestAProfileTakesOnlyWhatIsFitForOthersPages(t *testing.T) {
	s := apitest.NewStack(t)
	for body, pointer := range map[string]string{
		`{}`: "", `[]`: "", `null`: "", `{"hat":1}`: "/hat",
		`{"name":7}`: "/name", `{"name":"a\u0000b"}`: "/name", `{"name":"a\u202eb"}`: "/name", `{"name":"` + strings.Repeat("x", 81) + `"}`: "/name",
		`{"picture":"http://img.test/a.png"}`: "/picture", `{"picture":"javascript:alert(1)"}`: "/picture", `{"picture":true}`: "/picture",
		`{"country":"br"}`: "/country", `{"country":"XX"}`: "/country", `{"hidden":"yes"}`: "/hidden", `{"hidden":1}`: "/hidden",
	} {
		p := s.Want(http.StatusBadRequest, s.As("user_a", apitest.Patch(apitest.Myself, body))).Problem(t, "invalid-request")
		require.Equal(t, pointer, p.Errors[0].Pointer, body)
	}
	require.Equal(t, apitest.MeBody{}.Profile, s.Me("user_a").Profile, "and nothing of it is kept")
}

func TestWhatReadingOneselfCosts(t *testing.T) {
	s := apitest.NewStack(t)
	s.Play("user_a", "daily", "810")
	s.Clock.Set(apitest.Noon.Add(12*time.Hour + 20*time.Minute))
	_, err := s.Keeper(nil).Daily(t.Context())
	require.NoError(t, err)
	s.Handler = s.Process()
	token := s.Token("user_a")
	commands, roundTrips := s.Spent(func() { s.Want(http.StatusOK, apitest.Get(apitest.Myself).Bearer(token)) })
	require.EqualValues(t, 7+6, commands, "one for each mode, and six")
	require.EqualValues(t, 1, roundTrips)
}
