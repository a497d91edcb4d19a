package ruleset_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/gamefile/ruleset"
)

// The rule says how an entry of the board of ratings is read. So it may not change unnoticed,
// nor be turned on over rules that an older build has stored.
func TestWhatIdleWeeksCostMayNotChangeUnseen(t *testing.T) {
	of := func(decay string) ruleset.Rules {
		return ruleset.Of(parse(t, before+"\nduels: {decay: "+decay+"}\n"))
	}
	old := of("off")
	delete(old, "duels.decay")
	for name, c := range map[string]struct {
		was, is ruleset.Rules
		changes int
	}{
		"never":            {old, of("off"), 0},
		"the same":         {of("{points: 10}"), of("{after: 4, points: 10}"), 0},
		"on":               {of("off"), of("{points: 10}"), 1},
		"on, by old rules": {old, of("{points: 10}"), 1},
		"other points":     {of("{points: 10}"), of("{points: 11}"), 1},
		"off":              {of("{points: 10}"), of("off"), 1},
	} {
		changes := ruleset.Diff(c.was, c.is, today)
		require.Len(t, changes, c.changes, name)
		for _, change := range changes {
			require.Equal(t, "duels.decay", change.Path, name)
			require.Equal(t, ruleset.Refused, change.Effect, name)
			require.Contains(t, change.Instead, "lbctl restore")
		}
	}
}
