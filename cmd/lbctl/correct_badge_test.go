package main

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What is corrected with the tool is shown by dry runs before, has happened once even if it is
// repeated, is in the log with the name of who did it, and is undone by the opposite.
func TestBadgesAreCorrected(t *testing.T) {
	c := newCorrecting(t)
	badges := func() string { return c.send(http.MethodGet, "/v1/players/user_a/badges", "") }

	require.Equal(t, map[string]any{"player": "user_a", "badge": "streak_7", "before": "none", "changed": true, "dry_run": true}, c.did("badge", "give", "user_a", "streak_7", "--dry-run"))
	require.NotContains(t, badges(), "streak_7")
	for _, changed := range []bool{true, false} {
		require.Equal(t, changed, c.did("badge", "give", "user_a", "streak_7", "--date", "2026-01-02")["changed"])
		require.Contains(t, badges(), `"id":"streak_7","title":"A week in a row","earned":"2026-01-02"`)
	}
	require.Equal(t, true, c.did("badge", "take", "user_a", "streak_7", "--dry-run")["changed"])
	require.Contains(t, badges(), "streak_7")
	for _, changed := range []bool{true, false} {
		require.Equal(t, changed, c.did("badge", "take", "user_a", "streak_7")["changed"])
		require.NotContains(t, badges(), "streak_7")
	}

	log := c.log()
	require.Equal(t, 1, strings.Count(log, "give_badge"), log)
	require.Equal(t, 1, strings.Count(log, "take_badge"), log)
	require.Equal(t, 2, strings.Count(log, "lbctl ada "), log)

	c.refuses(map[string]string{
		"badge give user_a streak_7":                          "--reason: say why",
		"badge give not/one streak_7 --date today":            `"not/one" is not a player id`,
		"badge give user_a nothing --reason x":                `has no badge "nothing"; it has streak_7, streak_30`,
		"badge give user_a streak_7 --reason x --date 2999-1": "--date: ",
		"badge take user_a --reason x":                        "missing PLAYER and BADGE",
	})
}
