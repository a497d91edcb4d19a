package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// The greeting's requests run as they stand, whatever the game's modes ask for.
func TestWhatTheGreetingOffersWorks(t *testing.T) {
	games := map[string]string{
		"the built-in one":   "",
		"scores that add up": "name: g\nmodes:\n  coins: {policy: sum, max: 500, day_max: 20000}\n",
		"game servers alone": "name: g\nmodes:\n  coins: {policy: sum, max: 500, day_max: 20000, authoritative: true}\n",
		"plays are needed":   "name: g\nmodes:\n  coins: {policy: best, max: 500, play: required}\n",
		"a later mode":       "name: g\nmodes:\n  coins: {max: 5, authoritative: true}\n  lap: {max: 60, min: -1.5, decimals: 1, order: asc}\n",
	}
	for name, rules := range games {
		t.Run(name, func(t *testing.T) {
			args := []string{"-database-url", "none", "-schedules=false"}
			if rules != "" {
				path := filepath.Join(t.TempDir(), "game.yaml")
				require.NoError(t, os.WriteFile(path, []byte(rules), 0o600))
				args = append(args, "-game", path)
			}
			greeting(t, func(text string) {
				commands := regexp.MustCompile(`(?m)^    .*=.*$|^    curl .*$`).FindAllString(text, -1)
				var script string
				for _, command := range commands {
					script += command + "\n"
				}
				out, err := exec.CommandContext(t.Context(), "bash", "-ec", script).CombinedOutput() // #nosec G204 -- what the product printed
				require.NoError(t, err, "%s", out)
				require.Contains(t, string(out), `"status":"accepted"`, script)
				require.Contains(t, string(out), `"entries":[{"rank":1,"player":"user_ana"`)
				require.Contains(t, string(out), `"percentile":100,"top_percent":100`)
			}, args...)
		})
	}
}

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
