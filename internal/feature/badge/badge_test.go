package badge_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/badge"
	"github.com/framedle/leaderboards/internal/game"
)

var first = game.NewDate(2026, time.December, 20)

// plain decides who has reached what as on paper: day by day, from everything done up to that
// day.
func plain(g *game.Game, rule badge.Rule, h badge.History, days int) (game.Date, bool) {
	played, xp := map[game.Date]bool{}, map[game.Date]int64{}
	for _, d := range h.Days {
		played[d.Date] = true
		xp[d.Date] += d.XP
	}
	won := map[game.Date]int64{}
	for _, d := range h.Duels {
		won[d.Date] += d.Won
		xp[d.Date] += d.XP
	}
	for n := range days {
		today := first.AddDays(n)
		var got int64
		switch rule.Fact {
		case badge.OfStreak:
			for d := today; played[d]; d = d.AddDays(-1) {
				got++
			}
		case badge.OfPeers:
			peers := map[string]bool{}
			for _, m := range h.Met {
				if back := today.DaysSince(m.Date); back >= 0 && back < rule.Within {
					for _, p := range m.Peers {
						peers[p] = true
					}
				}
			}
			got = int64(len(peers))
		default:
			for d := first; !d.After(today); d = d.AddDays(1) {
				switch {
				case rule.Fact == badge.OfXP:
					got += xp[d]
				case rule.Fact == badge.OfWins:
					got += won[d]
				case played[d]:
					got++
				}
			}
		}
		if got >= rule.Bound {
			return today, true
		}
	}
	return game.Date{}, false
}

// Whatever a player does, in any order, each rule is reached on the day on which a plain count
// reaches it.
func TestWhatIsReachedIsWhatAPlainCountReaches(t *testing.T) {
	g := testkit.Game(t, "name: g\nmodes: {m: {max: 9, xp: 1}}")
	rapid.Check(t, func(t *rapid.T) {
		const days = 30
		var h badge.History
		for n := range days {
			d := first.AddDays(n)
			if rapid.IntRange(0, 3).Draw(t, "plays") > 0 {
				h.Days = append(h.Days, badge.Day{Date: d, XP: rapid.Int64Range(0, 50).Draw(t, "xp")})
			}
			if rapid.Bool().Draw(t, "duels") {
				h.Duels = append(h.Duels, badge.Duels{Date: d, Won: rapid.Int64Range(0, 4).Draw(t, "won"), XP: rapid.Int64Range(0, 9).Draw(t, "duels' xp")})
			}
			if rapid.Bool().Draw(t, "meets") {
				h.Met = append(h.Met, badge.Met{Date: d, Peers: rapid.SliceOfDistinct(rapid.StringMatching("[a-h]"), rapid.ID[string]).Draw(t, "peers")})
			}
		}
		h.Days = rapid.Permutation(h.Days).Draw(t, "days")
		h.Duels = rapid.Permutation(h.Duels).Draw(t, "of duels")
		h.Met = rapid.Permutation(h.Met).Draw(t, "of others")
		for _, rule := range []badge.Rule{
			{Fact: badge.OfStreak, Bound: rapid.Int64Range(1, 12).Draw(t, "streak")},
			{Fact: badge.OfDays, Bound: rapid.Int64Range(1, 28).Draw(t, "of days")},
			{Fact: badge.OfXP, Bound: rapid.Int64Range(1, 900).Draw(t, "of xp")},
			{Fact: badge.OfWins, Bound: rapid.Int64Range(1, 40).Draw(t, "wins")},
			{Fact: badge.OfPeers, Bound: rapid.Int64Range(1, 8).Draw(t, "of peers"), Within: rapid.IntRange(1, 9).Draw(t, "within")},
		} {
			want, reached := plain(g, rule, h, days)
			got, ok := badge.Reached(g, rule, h)
			require.Equal(t, reached, ok, "%+v", rule)
			require.Equal(t, want, got, "%+v", rule)
		}
	})
}

// A day that a freeze covers ends no streak, and does not count itself.
func TestAStreakGoesByTheGamesFreezes(t *testing.T) {
	g := testkit.Game(t, "name: g\nstreak: {freezes: 1, every: 3}\nmodes: {m: {max: 9}}")
	var h badge.History
	for _, n := range []int{0, 1, 2, 4, 5} { // the fourth day is missed
		h.Days = append(h.Days, badge.Day{Date: first.AddDays(n)})
	}
	day, ok := badge.Reached(g, badge.Rule{Fact: badge.OfStreak, Bound: 5}, h)
	require.True(t, ok)
	require.Equal(t, first.AddDays(5), day)
}
