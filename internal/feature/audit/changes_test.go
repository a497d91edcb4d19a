package audit_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/gamefile/ruleset"
)

// A record of a date begins before anybody has played it, wherever on earth.
func TestARecordBeginsWithADateToCome(t *testing.T) {
	const before = "name: g\nmodes:\n  a: {max: 5}\n"
	parsed := func(t *testing.T, text string) *game.Game {
		g, err := gamefile.Parse("g.yaml", []byte(text))
		require.NoError(t, err)
		return g
	}
	const plain, first, later = "outbox: true", "outbox: true\naudit: {since: 2026-04-10}", "outbox: true\naudit: {since: 2026-04-20}"
	for _, c := range []struct {
		name, old, now string
		today          int // of April 2026
		effect         ruleset.Effect
	}{
		{"from a date to come", plain, first, 8, ruleset.Forward},
		{"from a date that has begun somewhere", plain, first, 9, ruleset.Refused},
		{"from a date that is over", plain, first, 11, ruleset.Refused},
		{"ended", first, plain, 15, ruleset.Forward},
		{"begun anew from a date to come", first, later, 15, ruleset.Forward},
		{"begun anew from a date before", later, first, 15, ruleset.Refused},
	} {
		t.Run(c.name, func(t *testing.T) {
			on := game.NewDate(2026, time.April, c.today)
			old, now := ruleset.Of(parsed(t, before+c.old)), ruleset.Of(parsed(t, before+c.now))
			check := func(old ruleset.Rules) {
				var worst ruleset.Effect
				for _, change := range ruleset.Diff(old, now, on) {
					require.Contains(t, change.Path, "audit.")
					require.NotEmpty(t, change.Why)
					require.Equal(t, change.Effect == ruleset.Refused, change.Instead != "")
					worst = max(worst, change.Effect)
				}
				require.Equal(t, c.effect, worst)
				require.Equal(t, c.effect == ruleset.Refused, ruleset.Check([]ruleset.Rules{old}, now, on) != nil)
			}
			check(old)
			if c.old == plain { // boards that were kept before there was the key
				delete(old, "audit.since")
				check(old)
			}
		})
	}
	rules := ruleset.Of(parsed(t, before+first))
	require.NoError(t, ruleset.Check([]ruleset.Rules{rules}, rules, game.NewDate(2028, time.January, 1)))
}
