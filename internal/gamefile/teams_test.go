package gamefile_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
)

func TestTeamsAreReadOrOff(t *testing.T) {
	for text, want := range map[string]game.TeamRule{
		"": {}, "teams: off": {}, "teams: sum": {Sum: true}, "teams: {best: 5}": {Best: 5}, "teams: {best: 1000}": {Best: 1000},
	} {
		g, err := parsed(t, "g.yaml", []byte("name: g\nmodes:\n  a:\n    max: 5\n    scopes: [group]\n    "+text))
		require.NoError(t, err, text)
		require.Equal(t, want, g.Modes[0].Teams, text)
		require.Equal(t, want != game.TeamRule{}, g.Modes[0].HasScope(game.Teams), text)
	}
}

func TestWrongTeamsSayWhatWouldBeRight(t *testing.T) {
	for text, want := range map[string]string{
		"scopes: [group], teams: all":                   `g.yaml:3: modes.a.teams: "all" is not a way to rank groups; use off or sum`,
		"scopes: [group], teams: 5":                     "g.yaml:3: modes.a.teams: 5 is a number; use off or sum",
		"scopes: [group], teams: {}":                    "g.yaml:3: modes.a.teams.best: it is missing; use how many of the best members count, such as 5",
		"scopes: [group], teams: {best: 0}":             "g.yaml:3: modes.a.teams.best: 0 is out of range; use 1 or more",
		"scopes: [group], teams: {best: 1001}":          "g.yaml:3: modes.a.teams.best: 1001 is out of range; use 1 to 1000",
		"scopes: [group], teams: {worst: 3}":            "g.yaml:3: modes.a.teams.worst: the key is unknown; use best",
		"scopes: [country], teams: sum":                 "g.yaml:3: modes.a.teams: the mode keeps no boards of groups; add group to its scopes",
		"scopes: [group], order: asc, teams: {best: 3}": "g.yaml:3: modes.a.teams: where the lowest score leads, a group with fewer members would lead; leave it out with order asc",
	} {
		_, err := parsed(t, "g.yaml", []byte("name: g\nmodes:\n  a: {max: 5, "+text+"}"))
		require.ErrorContains(t, err, want, text)
	}
}
