package api_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

const myself = "/v1/me"

func jsonInto(a answer, v any) error { return json.Unmarshal(a.body, v) }

func patch(target, body string) call {
	c := post(target, body)
	c.method = http.MethodPatch
	return c
}

type meBody struct {
	Player  string
	Profile struct {
		Name, Picture, Country string
		Hidden                 bool
	}
	XP          int64
	Level       int64
	NextLevelXP int64  `json:"next_level_xp"`
	XPRank      *int64 `json:"xp_rank"`
	Streak      struct {
		Current, Best, Freezes int
		LastPlayed             *string `json:"last_played"`
	}
	Badges []struct {
		ID, Title, Earned  string
		Rarity             *float64
		Kind, Mode, Period string
		PeriodKey          string `json:"period_key"`
		Scope              string
		Rank               int64
		AwardedAt          time.Time `json:"awarded_at"`
	}
	BadgesUnavailable bool `json:"badges_unavailable"`
	Today             []struct {
		Mode, Date string
		Rank       int64
		Score      float64
	}
}

func (s *stack) me(player string) (me meBody) {
	s.Helper()
	s.want(http.StatusOK, s.as(player, get(myself))).into(s, &me)
	return me
}

func meScenarios() map[string]scenario {
	const change = `{"country":"PT"}`
	large := strings.Repeat(" ", 64<<10) + "{}"
	me := as("user_a", get(myself))
	return map[string]scenario{
		"GET /v1/me 200": {call: me},
		"GET /v1/me 304": {call: func(s *stack) call {
			c := me(s)
			return c.with("If-None-Match", s.want(http.StatusOK, c).header.Get("ETag"))
		}},
		"GET /v1/me 400": {call: as("user_a", get(myself+"?days=1")), kind: "invalid-request"},
		"GET /v1/me 401": {call: plain(get(myself)), kind: "unauthenticated"},
		"GET /v1/me 429": {call: from("192.0.2.21:1", get(myself)), kind: "rate-limited"},
		"GET /v1/me 500": {call: me, fault: refusedCommand, kind: "internal"},
		"GET /v1/me 503": {call: me, fault: redisDown, kind: "temporarily-unavailable"},

		"PATCH /v1/me 200": {call: as("user_a", patch(myself, change))},
		"PATCH /v1/me 400": {call: as("user_a", patch(myself, `{}`)), kind: "invalid-request"},
		"PATCH /v1/me 401": {call: plain(patch(myself, change)), kind: "unauthenticated"},
		"PATCH /v1/me 413": {call: as("user_a", patch(myself, large)), kind: "too-large"},
		"PATCH /v1/me 415": {call: as("user_a", patch(myself, change).with("Content-Type", "text/plain")), kind: "unsupported-media-type"},
		"PATCH /v1/me 429": {call: from("192.0.2.22:1", patch(myself, change)), kind: "rate-limited"},
		"PATCH /v1/me 500": {call: as("user_a", patch(myself, change)), fault: refusedCommand, kind: "internal"},
		"PATCH /v1/me 503": {call: as("user_a", patch(myself, change)), fault: redisDown, kind: "temporarily-unavailable"},
	}
}

func TestWhoHasNeverPlayedHasNothing(t *testing.T) {
	s := newStack(t)
	a := s.want(http.StatusOK, s.as("user_new", get(myself)))
	require.Equal(t, "private, no-cache", a.header.Get("Cache-Control"))
	require.JSONEq(t, `{"player":"user_new","profile":{"hidden":false},"xp":0,"level":0,"next_level_xp":50,"xp_rank":null,
		"streak":{"current":0,"best":0,"last_played":null,"freezes":0},"badges":[],"today":[]}`, string(a.body))
}

func TestAPlayCountsForOneselfAtOnceAndStillAfterTheDayIsClosed(t *testing.T) {
	s := newStack(t)
	s.play("user_b", "tied", "9")
	s.play("user_b", "daily", "900")
	for mode, score := range map[string]string{"daily": "810", "tied": "9", "fastest": "12.34"} {
		s.play("user_a", mode, score)
	}
	me := s.me("user_a")
	require.EqualValues(t, 810, me.XP)
	require.EqualValues(t, 4, me.Level, "50·4² ≤ 810")
	require.Nil(t, me.XPRank, "nobody has looked at the XP board yet")
	require.Equal(t, today, *me.Streak.LastPlayed)
	require.Equal(t, 1, me.Streak.Current)
	require.Len(t, me.Today, 3)
	require.Equal(t, "daily", me.Today[0].Mode)
	require.EqualValues(t, 2, me.Today[0].Rank)
	require.Equal(t, "fastest", me.Today[1].Mode)
	require.Equal(t, 12.34, me.Today[1].Score)
	require.Equal(t, "tied", me.Today[2].Mode)
	require.EqualValues(t, 1, me.Today[2].Rank, "shared")
	require.False(t, me.BadgesUnavailable)

	s.page("/v1/leaderboards/xp")
	require.EqualValues(t, 2, *s.me("user_a").XPRank)

	s.clock.Set(noon.Add(12*time.Hour + 20*time.Minute))
	_, err := s.keeper(nil).Daily(t.Context())
	require.NoError(t, err)
	after := s.me("user_a")
	require.Equal(t, me.XP, after.XP)
	require.Equal(t, me.Streak, after.Streak, "it stands through the next day")
	require.Empty(t, after.Today)
}

func TestWhereEverybodyHasTheirOwnMidnightSeveralDatesAreToday(t *testing.T) {
	s := newStack(t)
	s.game = strings.Replace(s.game, "name: testing", "name: testing\nday: local", 1)
	s.handler = s.process()
	for i, date := range []string{"2026-11-17", "2026-11-18", "2026-11-19"} {
		s.clock.Set(noon.Add(-time.Hour + time.Duration(i)*time.Second)) // 11:00 UTC: 23:00 of the 17th and 01:00 of the 19th, somewhere
		s.want(http.StatusCreated, s.as("user_a", post(scores, `{"mode":"daily","score":100,"date":"`+date+`"}`)))
	}
	me := s.me("user_a")
	require.Len(t, me.Today, 3)
	require.EqualValues(t, 300, me.XP)
	require.Equal(t, 3, me.Streak.Current)
	s.clock.Set(noon.Add(time.Minute)) // the 17th has ended everywhere, and takes scores in its grace
	me = s.me("user_a")
	require.Len(t, me.Today, 2)
	require.Equal(t, 3, me.Streak.Current)
	require.EqualValues(t, 300, me.XP)
}

func TestBadgesComeFromHistoryNewestFirst(t *testing.T) {
	s, a := playHistory(t)
	s.handler = s.process()
	me := s.me("user_7")
	require.NotEmpty(t, me.Badges)
	require.LessOrEqual(t, len(me.Badges), 50)
	all, err := a.Achievements.Of(t.Context(), "user_7")
	require.NoError(t, err)
	require.Len(t, me.Badges, min(len(all), 50))
	for i, b := range me.Badges {
		require.Contains(t, []string{"champion", "podium", "top10"}, b.Kind)
		require.True(t, i == 0 || !b.AwardedAt.After(me.Badges[i-1].AwardedAt))
	}
	require.Equal(t, "2026-W47", me.Badges[0].PeriodKey)
}

func TestWithoutPostgresOnlyBadgesAreMissing(t *testing.T) {
	s := newStack(t)
	s.history = jobs.NewHistory(openArchive(t, "postgres://nobody@127.0.0.1:1/none"))
	s.handler = s.process()
	s.play("user_a", "daily", "810")
	me := s.me("user_a")
	require.True(t, me.BadgesUnavailable)
	require.Empty(t, me.Badges)
	require.EqualValues(t, 810, me.XP)
	s.want(http.StatusOK, s.as("user_a", patch(myself, `{"country":"PT"}`)))
	require.Equal(t, "PT", s.me("user_a").Profile.Country)
}

func TestAProfileIsChangedFieldByField(t *testing.T) {
	s := newStack(t)
	a := openArchive(t, archivetest.Database(t))
	s.history = jobs.NewHistory(a)
	s.handler = s.process()
	named := func(c call) call { return c.bearer(s.tokenWith("user_a", map[string]any{"name": "Ana"})) }
	s.want(http.StatusCreated, named(post(scores, `{"mode":"daily","score":5}`)))
	shown := func() entryBody {
		s.handler = s.process()
		return s.page(daily).Entries[0]
	}
	for _, step := range []struct{ change, profile, shows string }{
		{`{"country":"PT"}`, `{"name":"Ana","country":"PT","hidden":false}`, "Ana  PT"},
		{`{"name":" Bea "}`, `{"name":"Bea","country":"PT","hidden":false}`, "Bea  PT"},
		{`{"picture":"https://img.test/b.png","name":null}`, `{"name":"Bea","picture":"https://img.test/b.png","country":"PT","hidden":false}`, "Bea https://img.test/b.png PT"},
		{`{"hidden":true}`, `{"name":"Bea","picture":"https://img.test/b.png","country":"PT","hidden":true}`, "  PT"},
		{`{"picture":"","country":""}`, `{"name":"Bea","hidden":true}`, "  "},
		{`{"hidden":false}`, `{"name":"Bea","hidden":false}`, "Bea  "},
	} {
		a := s.want(http.StatusOK, s.as("user_a", patch(myself, step.change)))
		require.JSONEq(t, `{"player":"user_a","profile":`+step.profile+`}`, string(a.body))
		e := shown()
		require.Equal(t, step.shows, e.Name+" "+e.Picture+" "+e.Country, step.change)
		var me map[string]json.RawMessage
		require.NoError(t, jsonInto(s.want(http.StatusOK, s.as("user_a", get(myself))), &me))
		require.JSONEq(t, step.profile, string(me["profile"]))
	}
	kept, err := a.Profiles.Of(t.Context(), []string{"user_a"})
	require.NoError(t, err)
	require.Equal(t, "Bea", kept[0].Name, "and history knows it too")

	require.Equal(t, "Zoe", func() string {
		var me meBody
		s.want(http.StatusOK, get(myself).bearer(s.tokenWith("user_z", map[string]any{"name": "Zoe"}))).into(t, &me)
		return me.Profile.Name
	}(), "who has no profile yet is called what the token says")
}

func TestAProfileTakesOnlyWhatIsFitForOthersPages(t *testing.T) {
	s := newStack(t)
	for body, pointer := range map[string]string{
		`{}`: "", `[]`: "", `null`: "", `{"hat":1}`: "/hat",
		`{"name":7}`: "/name", `{"name":"a\u0000b"}`: "/name", `{"name":"a\u202eb"}`: "/name", `{"name":"` + strings.Repeat("x", 81) + `"}`: "/name",
		`{"picture":"http://img.test/a.png"}`: "/picture", `{"picture":"javascript:alert(1)"}`: "/picture", `{"picture":true}`: "/picture",
		`{"country":"br"}`: "/country", `{"country":"XX"}`: "/country", `{"hidden":"yes"}`: "/hidden", `{"hidden":1}`: "/hidden",
	} {
		p := s.want(http.StatusBadRequest, s.as("user_a", patch(myself, body))).problem(t, "invalid-request")
		require.Equal(t, pointer, p.Errors[0].Pointer, body)
	}
	require.Equal(t, meBody{}.Profile, s.me("user_a").Profile, "and nothing of it is kept")
}

func TestWhatReadingOneselfCosts(t *testing.T) {
	s := newStack(t)
	s.play("user_a", "daily", "810")
	s.clock.Set(noon.Add(12*time.Hour + 20*time.Minute))
	_, err := s.keeper(nil).Daily(t.Context())
	require.NoError(t, err)
	s.handler = s.process()
	token := s.token("user_a")
	commands, roundTrips := s.spent(func() { s.want(http.StatusOK, get(myself).bearer(token)) })
	require.EqualValues(t, 7+6, commands, "one for each mode, and six")
	require.EqualValues(t, 1, roundTrips)
}
