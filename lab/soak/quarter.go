package soak

import (
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

const day = 24 * time.Hour

// largestDay is a day's bound for which the largest total of a month takes 31 bits. This
// leaves ticks of two thirds of a second, so coarse that the scenario knows the tick of
// each play.
func largestDay(a game.Aggregate) game.Score {
	if a == game.Sum {
		return 60_000_000
	}
	return 2_000_000_000
}

// Quarter is the game that is played: every policy with every order and every aggregate
// that goes with it, in both tie styles, with and without decimals, scopes and XP. Weeks
// and months have short lives, so that some expire within a quarter.
func Quarter() (*game.Game, error) {
	g := game.Game{
		Name: "quarter", Day: game.UTC, Grace: 15 * time.Minute, Refresh: time.Second,
		Lives:  game.Lives{Day: 8 * day, Week: 16 * day, Month: 40 * day},
		Level:  game.LevelCurve{Base: 50},
		Streak: game.StreakRule{Freezes: 2, Every: 5},
	}
	for p, policy := range []game.Policy{game.First, game.Best, game.Latest, game.Sum} {
		for o, order := range []game.Order{game.Desc, game.Asc} {
			end := game.Max
			if order == game.Asc {
				end = game.Min
			}
			for a, aggregate := range []game.Aggregate{game.Sum, end, game.Last} {
				m := &game.Mode{Policy: policy, Order: order, Aggregate: aggregate}
				m.Name = fmt.Sprintf("%s_%s_%s", policy, order, aggregate)
				m.Title = m.Name
				vary(m, p+o+a)
				g.Modes = append(g.Modes, m)
			}
		}
	}
	return game.New(g)
}

// vary sets the properties that do not depend on policy, order and aggregate.
func vary(m *game.Mode, n int) {
	m.Ties, m.DayMax = game.Earliest, largestDay(m.Aggregate)
	if n%2 == 1 {
		m.Ties = game.Shared
	}
	switch n % 3 {
	case 0:
		m.Scopes = []game.ScopeKind{game.Country, game.Group}
	case 1:
		m.Scopes = []game.ScopeKind{game.Country}
		m.Decimals = 2
	}
	switch n % 4 {
	case 2:
		m.Min = -50
	case 3:
		m.DayMax = 1200 // ticks of some microseconds
	}
	m.DayMin, m.Max = 20*m.Min, m.DayMax
	if m.Policy == game.Sum {
		if m.Aggregate != game.Sum {
			m.DayMax = m.DayMax * 11 / 20 // two large plays exceed it, and their sum still takes 31 bits
		}
		m.Max = m.DayMax * 4 / 5
	}
	if m.Order == game.Desc {
		m.XP.Weight = [...]int64{1000, 1100, 700, 333}[n%4]
		return
	}
	// Most scores are at most 40 above the lowest, see pickScore.
	m.XP.Play = int64(n % 3 * 7)
	for i := range int64(4) {
		m.XP.Scores = append(m.XP.Scores, game.XPScore{Score: m.Min + game.Score(8*i+5), XP: 25 * (4 - i)})
	}
}
