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
