package ruleset_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/gamefile/ruleset"
)

// Rules that older builds have stored say of formulas what the code says of them.
func TestTitlesOfCountersChangeNoPoints(t *testing.T) {
	of := func(term string) ruleset.Rules {
		return ruleset.Of(parse(t, "name: g\nactivity:\n  events: {sent: {who: [user], count: {n: user}}}\n  pillars: {p: {n: "+term+"}}\nmodes:\n  p: {policy: latest, max: 90}\n"))
	}
	plain := of("{weight: 1, cap: 9}")
	require.Equal(t, "[{p [{n 1000000 9}]}] { 0 0}", plain["activity.pillars, overall"])
	require.Empty(t, plain["activity.pillars titles"])
	changes := ruleset.Diff(plain, of("{weight: 1, cap: 9, title: Notes, titles: {de: Notizen}}"), today)
	require.Len(t, changes, 1)
	require.Equal(t, "activity.pillars titles", changes[0].Path)
	require.Equal(t, ruleset.Safe, changes[0].Effect)
	require.Len(t, ruleset.Diff(plain, of("{weight: 1, cap: 8}"), today), 1)
}
