// Package badge finds out when a player's days, XP, duels and peers reach what a rule of the
// game asks for. It is pure and uses dates only, so it answers the same at any time and any
// number of times. It does not know what is kept of players, nor when players are given
// badges.
package badge

import (
	"slices"

	"github.com/framedle/leaderboards/internal/game"
)

// History is what a player has done on days that are over.
type History struct {
	Days  []Day   // on which the player has a score
	Duels []Duels // by date
	Met   []Met
}

// Day is a day on which the player has a score in any mode.
type Day struct {
	Date game.Date
	XP   int64
}

// Duels are a player's duels decided on one date in UTC.
type Duels struct {
	Date game.Date
	Won  int64
	XP   int64
}

// Met are the other players whom the player had to do with on one date.
type Met struct {
	Date  game.Date
	Peers []string
}

// Reached returns the day on which a player has reached what a rule asks for, or false. It
// does not decide on ranks and scores: those are read from boards.
func Reached(g *game.Game, rule Rule, h History) (game.Date, bool) {
	switch rule.Fact {
	case OfStreak:
		return streak(g.Streak, rule.Bound, h.Days)
	case OfDays:
		dates := sorted(h.Days, func(d Day) (game.Date, int64) { return d.Date, 1 })
		return reaching(rule.Bound, distinct(dates))
	case OfXP:
		return reaching(rule.Bound, append(
			sorted(h.Days, func(d Day) (game.Date, int64) { return d.Date, d.XP }),
			sorted(h.Duels, func(d Duels) (game.Date, int64) { return d.Date, d.XP })...))
	case OfWins:
		return reaching(rule.Bound, sorted(h.Duels, func(d Duels) (game.Date, int64) { return d.Date, d.Won }))
	case OfPeers:
		return met(rule, h.Met)
	}
	return game.Date{}, false
}

// gain is what one date adds.
type gain struct {
	date game.Date
	n    int64
}

func byDate(a, b gain) int { return a.date.Compare(b.date) }

func sorted[Row any](rows []Row, of func(Row) (game.Date, int64)) []gain {
	gains := make([]gain, len(rows))
	for i, row := range rows {
		gains[i].date, gains[i].n = of(row)
	}
	slices.SortFunc(gains, byDate)
	return gains
}

func distinct(gains []gain) []gain {
	return slices.CompactFunc(gains, func(a, b gain) bool { return a.date == b.date })
}

// reaching returns the date on which the gains add up to a bound.
func reaching(bound int64, gains []gain) (game.Date, bool) {
	slices.SortStableFunc(gains, byDate)
	sum := int64(0)
	for _, g := range gains {
		if sum += g.n; sum >= bound {
			return g.date, true
		}
	}
	return game.Date{}, false
}

func streak(rule game.StreakRule, bound int64, days []Day) (game.Date, bool) {
	var s game.Streak
	for _, d := range sorted(days, func(d Day) (game.Date, int64) { return d.Date, 1 }) {
		if s = rule.Play(s, d.date); int64(s.Current) >= bound {
			return d.date, true
		}
	}
	return game.Date{}, false
}

// met returns the first date that ends enough days in a row with enough different peers.
func met(rule Rule, days []Met) (game.Date, bool) {
	days = slices.SortedFunc(slices.Values(days), func(a, b Met) int { return a.Date.Compare(b.Date) })
	within := map[string]int{} // other -> on how many of the days
	first := 0
	for _, day := range days {
		for ; days[first].Date.Before(day.Date.AddDays(1 - rule.Within)); first++ {
			for _, peer := range days[first].Peers {
				if within[peer]--; within[peer] == 0 {
					delete(within, peer)
				}
			}
		}
		for _, peer := range day.Peers {
			within[peer]++
		}
		if int64(len(within)) >= rule.Bound {
			return day.Date, true
		}
	}
	return game.Date{}, false
}
