package ruleset_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile/ruleset"
)

func TestASeasonMayChangeUntilItBegins(t *testing.T) {
	const spring, later = "seasons: [{name: spring, first: 2026-04-01, last: 2026-05-31}]", "seasons: [{name: spring, first: 2026-04-10, last: 2026-06-30}]"
	for _, c := range []struct {
		name, old, now string
		today          int // of April 2026; beyond 30, of May and on
		effect         ruleset.Effect
	}{
		{"added before it begins", "", spring, -20, ruleset.Safe},
		{"added on its first day", "", spring, 1, ruleset.Safe},
		{"added before a day of it is rolled up", "", spring, 6, ruleset.Safe},
		{"added too late", "", spring, 7, ruleset.Refused},
		{"added when it is over", "", spring, 200, ruleset.Refused},
		{"changed before it begins", spring, later, 0, ruleset.Safe},
		{"changed on its first day", spring, later, 1, ruleset.Refused},
		{"changed when it is over", spring, later, 200, ruleset.Refused},
		{"moved to days that are past", later, spring, 7, ruleset.Refused},
		{"taken out before it begins", spring, "", 0, ruleset.Safe},
		{"taken out on its first day", spring, "", 1, ruleset.Refused},
		{"taken out while days of it are not rolled up", spring, "", 61 + 31, ruleset.Refused},
		{"taken out later", spring, "", 61 + 32, ruleset.Forward},
	} {
		t.Run(c.name, func(t *testing.T) {
			on := game.NewDate(2026, time.April, c.today)
			old, now := ruleset.Of(parse(t, before+c.old)), ruleset.Of(parse(t, before+c.now))
			changes := ruleset.Diff(old, now, on)
			require.Len(t, changes, 1)
			require.Equal(t, "seasons.spring", changes[0].Path)
			require.Equal(t, c.effect, changes[0].Effect, changes[0])
			require.NotEmpty(t, changes[0].Why)
			require.Equal(t, c.effect == ruleset.Refused, changes[0].Instead != "")

			// What is stored says the same, and a season stays known under its name.
			stored, err := ruleset.Parse(ruleset.Keep(nil, old))
			require.NoError(t, err)
			require.Equal(t, c.effect == ruleset.Refused, ruleset.Check([]ruleset.Rules{stored}, now, on) != nil)
			again, err := ruleset.Parse(ruleset.Keep([]ruleset.Rules{stored}, now))
			require.NoError(t, err)
			require.Contains(t, again, "seasons.spring")
		})
	}
}
