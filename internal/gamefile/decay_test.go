package gamefile_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
)

// decaying is a game of one mode with a decay and other keys.
func decaying(t *testing.T, decay string, more ...string) (*game.DecayRule, error) {
	if len(more) == 0 {
		more = []string{"max: 1000"}
	}
	g, err := parsed(t, "game.yaml", []byte("name: t\nmodes:\n  m:\n    "+strings.Join(more, "\n    ")+"\n    decay: "+decay+"\n"))
	if err != nil {
		return nil, err
	}
	return g.Modes[0].Decay, nil
}

func TestDecayIsRead(t *testing.T) {
	for text, want := range map[string]*game.DecayRule{
		"off":                                          nil,
		"{factor: 0.95}":                               {Factor: 950_000, Every: 1},
		"{factor: 0.5, every: 7d}":                     {Factor: 500_000, Every: 7},
		"{factor: 0.999, every: 1d, keep: base}":       {Factor: 999_000, Every: 1},
		"{factor: 0.95, every: 1d, floor: 0}":          {Factor: 950_000, Every: 1},
		"{factor: 0.975625, every: 24h, floor: 0.000}": {Factor: 975_625, Every: 1},
	} {
		rule, err := decaying(t, text)
		require.NoError(t, err, text)
		require.Equal(t, want, rule, text)
	}
	rule, err := decaying(t, "{factor: 0.95, floor: 2.5}", "decimals: 1", "min: 2.5", "max: 100")
	require.NoError(t, err)
	require.Equal(t, game.Score(25), rule.Floor)
}

func TestDecayIsRefusedWithWhatWouldBeRight(t *testing.T) {
	for _, wrong := range []struct {
		decay, says string
		more        []string
	}{
		{"on", `modes.m.decay: "on" is not a decay; use off`, nil},
		{"{every: 1d}", "modes.m.decay.factor: it is missing; use what is left of a score each time, as 0.95", nil},
		{"{factor: 1}", "modes.m.decay.factor: 1 is out of range; use 0.5 to 0.999999", nil},
		{"{factor: 0.4}", "modes.m.decay.factor: 0.4 is out of range", nil},
		{"{factor: 0.8}", "modes.m.decay.factor: less than 0.9 of a score would be left after a day; use a larger factor, or a longer every", nil},
		{"{factor: 0.9999999}", "use a number with at most 6 decimals", nil},
		{"{factor: 0.95, every: 36h}", "modes.m.decay.every: 36h0m0s are no whole days; use whole days, as 1d or 7d", nil},
		{"{factor: 0.95, every: 31d}", "modes.m.decay.every: 31 days are out of range; use 1d to 30d", nil},
		{"{factor: 0.95, floor: 1}", "modes.m.decay.floor: 1 is not between 0 and min, 0", nil},
		{"{factor: 0.95, keep: all}", `modes.m.decay.keep: "all" is not what is kept; use base`, nil},
		{"{factor: 0.95, from: 1d}", "the key is unknown; use factor, every, floor or keep", nil},
		{"{factor: 0.999999}", "modes.m.decay.factor: with so slow a decay of scores up to 1000, sums could not be kept to a thousandth", []string{"max: 1000"}},
		{"{factor: 0.95}", "aggregate max does not; use aggregate: sum, or leave decay out", []string{"policy: best", "max: 10"}},
		{"{factor: 0.95}", "use order: desc, or leave decay out", []string{"order: asc", "max: 10"}},
		{"{factor: 0.95}", "use bounds from 0 on, or leave decay out", []string{"min: -1", "max: 10"}},
		{"{factor: 0.95}", "leave teams out, or decay", []string{"max: 10", "scopes: [group]", "teams: sum"}},
		{"{factor: 0.95}", "rank by one score, or leave decay out", []string{"policy: best", "score: [{name: a, max: 5}, {name: b, max: 5}]"}},
	} {
		_, err := decaying(t, wrong.decay, wrong.more...)
		require.ErrorContains(t, err, wrong.says, wrong.decay)
		require.Regexp(t, `^game\.yaml:\d+: `, err.Error(), wrong.decay)
	}
}
