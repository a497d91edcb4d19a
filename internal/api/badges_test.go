package api_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/feature/badge/badgestore"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

const (
	myBadges    = "/v1/me/badges"
	theirBadges = "/v1/players/user_b/badges"
)

func badgeScenarios() map[string]scenario {
	return map[string]scenario{
		"GET /v1/me/badges 200": {call: as("user_a", get(myBadges))},
		"GET /v1/me/badges 304": {call: func(s *stack) call { return known(s.as("user_a", get(myBadges)))(s) }},
		"GET /v1/me/badges 400": {call: as("user_a", get(myBadges+"?limit=501")), kind: "invalid-request"},
		"GET /v1/me/badges 401": {call: plain(get(myBadges)), kind: "unauthenticated"},
		"GET /v1/me/badges 429": {call: from("192.0.2.25:1", get(myBadges)), kind: "rate-limited"},

		"GET /v1/players/{player}/badges 200": {call: plain(get(theirBadges + "?limit=5"))},
		"GET /v1/players/{player}/badges 304": {call: known(get(theirBadges))},
		"GET /v1/players/{player}/badges 400": {call: plain(get("/v1/players/a%20b/badges")), kind: "invalid-request"},
		"GET /v1/players/{player}/badges 401": {call: plain(get("/v1/players/me/badges")), kind: "unauthenticated"},
		"GET /v1/players/{player}/badges 429": {call: from("192.0.2.26:1", get(theirBadges)), kind: "rate-limited"},
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
	s := newStack(t)
	a := openArchive(t, archivetest.Database(t))
	s.history, s.game = jobs.NewHistory(a), testGame+badged
	s.handler = s.process()
	shown := func(c call) string { return string(s.want(http.StatusOK, c).body) }
	mine := func() string { return shown(s.as("user_a", get(myself))) }

	plain, _ := s.spent(func() { mine() })
	require.Contains(t, mine(), `"badges":[]`)
	s.play("user_a", "daily", "1000")
	require.Contains(t, mine(), `"badges":[{"id":"rich","title":"Rich","earned":"2026-11-18"},{"id":"perfect","title":"Perfect","earned":"2026-11-18","mode":"daily"}]`)
	after, _ := s.spent(func() { mine() })
	require.LessOrEqual(t, after, plain)
	require.Contains(t, shown(get("/v1/players/user_a/badges")), `"badges":[]`, "nothing is given yet")

	require.Contains(t, shown(get("/v1/game")), `"badges":[{"id":"streak_2","title":"Two in a row","for":"streak","needs":2},`+
		`{"id":"rich","title":"Rich","for":"xp","needs":900},{"id":"perfect","title":"Perfect","for":"score","needs":1000,"mode":"daily"},`+
		`{"id":"top","title":"Top","for":"rank","needs":3,"mode":"daily","period":"day","scope":"global"}]`)

	d, err := game.ParseDate(today)
	require.NoError(t, err)
	given := func(rule string, day game.Date) badgestore.Given {
		return badgestore.Given{Player: "user_a", Badge: game.Badge{Rule: rule, Earned: day, Since: day}}
	}
	top := given("top", d)
	top.Key, top.Mode, top.Scope, top.Period = today, "daily", "global", "day"
	_, err = badgestore.In(a).Give(t.Context(), []badgestore.Given{given("streak_2", d.AddDays(-3)), given("rich", d.AddDays(-2)), top, given("gone", d)}, noon)
	require.NoError(t, err)
	require.NoError(t, badgestore.In(a).CountRarities(t.Context(), noon))
	const kept = `{"id":"top","title":"Top","earned":"2026-11-18","rarity":1,"mode":"daily","period":"day","period_key":"2026-11-18","scope":"global"},` +
		`{"id":"rich","title":"Rich","earned":"2026-11-16","rarity":1},{"id":"streak_2","title":"Two in a row","earned":"2026-11-15","rarity":1}]`
	require.Contains(t, mine(), `"badges":[{"id":"perfect","title":"Perfect","earned":"2026-11-18","mode":"daily"},`+kept)
	commands, _ := s.spent(func() {
		require.Contains(t, shown(get("/v1/players/user_a/badges")), `"badges":[`+kept)
		require.Contains(t, shown(s.as("user_a", get(myBadges))), `"badges":[`+kept)
		require.Contains(t, shown(get("/v1/players/user_a/badges?limit=1")), `"period_key":"2026-11-18","scope":"global"}]`)
		require.Contains(t, shown(get("/v1/players/nobody/badges")), `"badges":[]`)
	})
	require.Zero(t, commands)

	s.want(http.StatusOK, s.as("user_a", patch(myself, `{"hidden":true}`)))
	require.Contains(t, shown(get("/v1/players/user_a/badges")), `"badges":[]`)
	require.Contains(t, shown(s.as("user_a", get("/v1/players/me/badges"))), `"badges":[`+kept)

	s.history = jobs.NewHistory(openArchive(t, "postgres://nobody@127.0.0.1:1/none"))
	s.handler = s.process()
	require.Contains(t, shown(get("/v1/players/user_a/badges")), `"badges":[],"badges_unavailable":true`)
	require.Contains(t, mine(), `"badges":[],"badges_unavailable":true`)
}
