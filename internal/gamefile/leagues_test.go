package gamefile_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/league"
)

func TestLeaguesAreOffUntilAGameHasThem(t *testing.T) {
	const modes = "name: g\nmodes: {daily: {max: 10, xp: 1}}\n"
	for file, want := range map[string]func() *league.Rules{
		"":             func() *league.Rules { return nil },
		"leagues: off": func() *league.Rules { return nil },
		"leagues: {}":  func() *league.Rules { l := league.DefaultRules(); return &l },
		"leagues: {tiers: [Wood, Tin], size: 10, promote: 3, relegate: 2, pace: [5, 10], rewards: [a hat]}": func() *league.Rules {
			return &league.Rules{Tiers: []string{"Wood", "Tin"}, Size: 10, Promote: 3, Relegate: 2, Pace: []int64{5, 10}, Rewards: []string{"a hat"}}
		},
	} {
		g, err := parsed(t, "g.yaml", []byte(modes+file))
		require.NoError(t, err, file)
		require.Equal(t, want(), league.RulesOf(g), file)
	}
	_, err := parsed(t, "g.yaml", []byte("name: g\nmodes: {daily: {max: 10}}\nleagues: {}"))
	require.EqualError(t, err, "g.yaml:3: leagues: no mode gives XP, which is what counts in a week; set xp in a mode, or leave this out")
	for file, want := range map[string]string{
		"leagues: {size: 31}":                  "g.yaml:3: leagues.size: 31 is out of range; use 2 to 30",
		"leagues: {tiers: []}":                 "g.yaml:3: leagues.tiers: 0 is out of range; use 1 to 20",
		"leagues: {tiers: [Tin, Tin]}":         `g.yaml:3: leagues.tiers[1]: "Tin" is there twice; use another name`,
		`leagues: {tiers: [""]}`:               `g.yaml:3: leagues.tiers[0]: "" is empty or too long; use 1 to 60 bytes`,
		"leagues: {promote: 20, relegate: 11}": "g.yaml:3: leagues.promote: 20 promoted and 11 relegated of 30 players; use at most size for both together",
		"leagues: {pace: [10, 10]}":            "g.yaml:3: leagues.pace[1]: 10 is not above 10; use ascending numbers",
		"leagues: {pace: 10}":                  "g.yaml:3: leagues.pace: 10 is a number; use a list of XP, such as [500, 2000]",
		"leagues: {rewards: {1: a hat}}":       "g.yaml:3: leagues.rewards: this is a mapping; use a list of rewards, that of the first place first",
		"leagues: {zones: 3}":                  "g.yaml:3: leagues.zones: the key is unknown; use tiers, size, promote, relegate, pace or rewards",
		"leagues: {pace: [1,2,3,4,5,6,7,8]}":   "g.yaml:3: leagues.pace: 8 is out of range; use 0 to 7",
	} {
		_, err := parsed(t, "g.yaml", []byte(modes+file))
		require.EqualError(t, err, want, file)
	}
}
