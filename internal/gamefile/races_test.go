package gamefile_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/race"
)

func TestRacesAreOffUntilAGameHasThem(t *testing.T) {
	const modes = "name: g\nmodes: {daily: {max: 10, play: required}}\n"
	for file, want := range map[string]func() *race.Rules{
		"":           func() *race.Rules { return nil },
		"races: off": func() *race.Rules { return nil },
		"races: {}":  func() *race.Rules { r := race.DefaultRules(); return &r },
		"races: {players: 2, wait: 0s, invite: 1h, silent: 30s, timeout: 5m, keep: 30d}": func() *race.Rules {
			return &race.Rules{Players: 2, Invite: time.Hour, Silent: 30 * time.Second, Timeout: 5 * time.Minute, Keep: 30 * 24 * time.Hour}
		},
	} {
		g, err := parsed(t, "g.yaml", []byte(modes+file))
		require.NoError(t, err, file)
		require.Equal(t, want(), race.RulesOf(g), file)
	}
	_, err := parsed(t, "g.yaml", []byte("name: g\nmodes: {daily: {max: 10}}\nraces: {}"))
	require.EqualError(t, err, "g.yaml:3: races: no mode has plays, which results of races require; set play: required in a mode, or leave this out")
	for file, want := range map[string]string{
		"races: {players: 6}":   "g.yaml:3: races.players: 6 is out of range; use 2 to 5",
		"races: {wait: 1h}":     "g.yaml:3: races.wait: 1h is out of range; use 0s to 10m",
		"races: {silent: 1s}":   "g.yaml:3: races.silent: 1s is out of range; use 5s to 5m",
		"races: {keep: 1d}":     "g.yaml:3: races.keep: 1d is out of range; use 2d to 30d",
		"races: {rounds: 3}":    "g.yaml:3: races.rounds: the key is unknown; use players, wait, invite, silent, timeout or keep",
		"races: {timeout: 1ms}": "",
	} {
		_, err := parsed(t, "g.yaml", []byte(modes+file))
		require.Error(t, err, file)
		if want != "" {
			require.EqualError(t, err, want)
		}
	}
}
