package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// Where every score is computed from what players do, the requests tell of something.
func TestWhatTheGreetingOffersWorksWhereModesAreComputed(t *testing.T) {
	club := func(event string) string {
		return "name: g\nactivity:\n  events: {met: " + event + "}\n  pillars: {talk: {met: 1}}\n" +
			"modes:\n  talk: {policy: latest, max: 100, scopes: [group]}\n"
	}
	campus, err := os.ReadFile(filepath.Join("..", "..", "games", "campus.yaml"))
	require.NoError(t, err)
	games := map[string]string{
		"the campus": string(campus),
		"to":         club("{who: [from, to], count: {met: to}}"),
		"user":       club("{who: [user], count: {met: user}}"),
		"winner":     club("{who: [users], count: {met: winner}}"),
	}
	for name, rules := range games {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "game.yaml")
			require.NoError(t, os.WriteFile(path, []byte(rules), 0o600))
			greeting(t, func(text string) {
				var script string
				for _, command := range regexp.MustCompile(`(?m)^    .*=.*$|^    curl .*$`).FindAllString(text, -1) {
					script += command + "\n"
				}
				out, err := exec.CommandContext(t.Context(), "bash", "-ec", script).CombinedOutput() // #nosec G204 -- what the product printed
				require.NoError(t, err, "%s", out)
				require.Contains(t, string(out), `{"new":1,"known":0,"refused":[]}`, script)
				require.Regexp(t, `"player":"user_ana","score":[1-9]`, string(out), script)
			}, "-database-url", "none", "-schedules=false", "-game", path)
		})
	}
}
