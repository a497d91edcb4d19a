package badge_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/feature/badge"
	"github.com/framedle/leaderboards/internal/feature/badge/badgestore"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

func badgeScenarios() map[string]apitest.Scenario {
	return map[string]apitest.Scenario{
		"GET /v1/me/badges 200": {Call: apitest.As("user_a", apitest.Get(apitest.MyBadges))},
		"GET /v1/me/badges 304": {Call: func(s *apitest.Stack) apitest.Call {
			return apitest.Known(s.As("user_a", apitest.Get(apitest.MyBadges)))(s)
		}},
		"GET /v1/me/badges 400": {Call: apitest.As("user_a", apitest.Get(apitest.MyBadges+"?limit=501")), Kind: "invalid-request"},
		"GET /v1/me/badges 401": {Call: apitest.Plain(apitest.Get(apitest.MyBadges)), Kind: "unauthenticated"},
		"GET /v1/me/badges 429": {Call: apitest.From("192.0.2.25:1", apitest.Get(apitest.MyBadges)), Kind: "rate-limited"},

		"GET /v1/players/{player}/badges 200": {Call: apitest.Plain(apitest.Get(apitest.TheirBadges + "?limit=5"))},
		"GET /v1/players/{player}/badges 304": {Call: apitest.Known(apitest.Get(apitest.TheirBadges))},
		"GET /v1/players/{player}/badges 400": {Call: apitest.Plain(apitest.Get("/v1/players/a%20b/badges")), Kind: "invalid-request"},
		"GET /v1/players/{player}/badges 401": {Call: apitest.Plain(apitest.Get("/v1/players/me/badges")), Kind: "unauthenticated"},
		"GET /v1/players/{player}/badges 429": {Call: apitest.From("192.0.2.26:1", apitest.Get(apitest.TheirBadges)), Kind: "rate-limited"},
	}
}

const badged = `
badges:
  streak_2: {title: Two in a row, streak: 2}
  rich: {title: Rich, xp: 900}
  perfect: {title: Perfect, score: best, mode: daily}
  top: {title: Top, rank: 3, period: day, mode: daily}
`

// Badges that follow from today's play are among the player's own badges at once, as the
// closing will give them. Others see the badges that closings have given, unless the player
// is hidden. None of it costs a command.
func TestBadgesAreShownAtOnceAndAsTheyWereGiven(t *testing.T) {
	s := apitest.NewStack(t)
	a := apitest.OpenArchive(t, archivetest.Database(t))
	s.History, s.Game = jobs.NewHistory(a), apitest.TestGame+badged
	s.Handler = s.Process()
	shown := func(c apitest.Call) string { return string(s.Want(http.StatusOK, c).Body) }
	mine := func() string { return shown(s.As("user_a", apitest.Get(apitest.Myself))) }

	plain, _ := s.Spent(func() { mine() })
	require.Contains(t, mine(), `"badges":[]`)
	s.Play("user_a", "daily", "1000")
	require.Contains(t, mine(), `"badges":[{"id":"rich","title":"Rich","earned":"2026-11-18"},{"id":"perfect","title":"Perfect","earned":"2026-11-18","mode":"daily"}]`)
	after, _ := s.Spent(func() { mine() })
	require.LessOrEqual(t, after, plain)
	require.Contains(t, shown(apitest.Get("/v1/players/user_a/badges")), `"badges":[]`, "nothing is given yet")

	require.Contains(t, shown(apitest.Get("/v1/game")), `"badges":[{"id":"streak_2","title":"Two in a row","for":"streak","needs":2},`+
		`{"id":"rich","title":"Rich","for":"xp","needs":900},{"id":"perfect","title":"Perfect","for":"score","needs":1000,"mode":"daily"},`+
		`{"id":"top","title":"Top","for":"rank","needs":3,"mode":"daily","period":"day","scope":"global"}]`)

	d, err := game.ParseDate(apitest.Today)
	require.NoError(t, err)
	given := func(rule string, day game.Date) badgestore.PlayerBadge {
		return badgestore.PlayerBadge{Player: "user_a", Badge: badge.Badge{Rule: rule, Earned: day, Since: day}}
	}
	top := given("top", d)
	top.Key, top.Mode, top.Scope, top.Period = apitest.Today, "daily", "global", "day"
	_, err = badgestore.In(a).Give(t.Context(), []badgestore.PlayerBadge{given("streak_2", d.AddDays(-3)), given("rich", d.AddDays(-2)), top, given("gone", d)}, apitest.Noon)
	require.NoError(t, err)
	require.NoError(t, badgestore.In(a).CountRarities(t.Context(), apitest.Noon))
	const kept = `{"id":"top","title":"Top","earned":"2026-11-18","rarity":1,"mode":"daily","period":"day","period_key":"2026-11-18","scope":"global"},` +
		`{"id":"rich","title":"Rich","earned":"2026-11-16","rarity":1},{"id":"streak_2","title":"Two in a row","earned":"2026-11-15","rarity":1}]`
	require.Contains(t, mine(), `"badges":[{"id":"perfect","title":"Perfect","earned":"2026-11-18","mode":"daily"},`+kept)
	commands, _ := s.Spent(func() {
		require.Contains(t, shown(apitest.Get("/v1/players/user_a/badges")), `"badges":[`+kept)
		require.Contains(t, shown(s.As("user_a", apitest.Get(apitest.MyBadges))), `"badges":[`+kept)
		require.Contains(t, shown(apitest.Get("/v1/players/user_a/badges?limit=1")), `"period_key":"2026-11-18","scope":"global"}]`)
		require.Contains(t, shown(apitest.Get("/v1/players/nobody/badges")), `"badges":[]`)
	})
	require.Zero(t, commands)

	// A badge that was taken is shown nowhere, although the XP are still enough for it.
	rich := given("rich", d.AddDays(-2))
	require.NoError(t, badgestore.In(a).TakeByHand(t.Context(), rich, apitest.Noon))
	for _, shows := range []string{mine(), shown(apitest.Get("/v1/players/user_a/badges")), shown(s.As("user_a", apitest.Get(apitest.MyBadges)))} {
		require.NotContains(t, shows, `"rich"`)
		require.Contains(t, shows, `"streak_2"`)
	}
	require.NoError(t, badgestore.In(a).GiveByHand(t.Context(), rich, apitest.Noon))
	require.Contains(t, mine(), kept)
	s.Want(http.StatusOK, s.As("user_a", apitest.Patch(apitest.Myself, `{"hidden":true}`)))
	require.Contains(t, shown(apitest.Get("/v1/players/user_a/badges")), `"badges":[]`)
	require.Contains(t, shown(s.As("user_a", apitest.Get("/v1/players/me/badges"))), `"badges":[`+kept)

	s.History = jobs.NewHistory(apitest.OpenArchive(t, "postgres://nobody@127.0.0.1:1/none"))
	s.Handler = s.Process()
	require.Contains(t, shown(apitest.Get("/v1/players/user_a/badges")), `"badges":[],"badges_unavailable":true`)
	require.Contains(t, mine(), `"badges":[],"badges_unavailable":true`)
}

func TestEveryStatusOfBadgesHappens(t *testing.T) { apitest.EachStatus(t, badgeScenarios()) }
