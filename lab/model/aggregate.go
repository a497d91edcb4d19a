package model

import (
	"maps"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
)

// combined returns a board's rows without order: each player's days, combined by the
// mode's aggregate.
func (m *Model) combined(b Board) []Row {
	if b.Mode == XP {
		return m.xpRows()
	}
	r, days := m.Rules[b.Mode], m.days[b.Mode]
	at := map[int32]int{}
	var rows []Row
	for _, d := range slices.SortedFunc(maps.Keys(days), game.Date.Compare) {
		if !b.Period.Contains(d) {
			continue
		}
		for player, e := range days[d] {
			if b.Scope > 0 && !e.scopes.Has(b.Scope) {
				continue
			}
			next := Row{Player: player, Score: e.score, tie: r.tie(e.tick), plays: 1}
			i, again := at[player]
			if !again {
				at[player] = len(rows)
				rows = append(rows, next)
				continue
			}
			rows[i] = r.combine(rows[i], next)
		}
	}
	return rows
}

// combine adds a newer day to the combination of the earlier ones.
func (r Rule) combine(so, next Row) Row {
	switch r.Aggregate {
	case game.Sum:
		next.Score += so.Score
		next.tie += so.tie
		next.plays += so.plays
		return next
	case game.Last:
		return next
	}
	if next.Score == so.Score && r.ahead(next.tie, so.tie) || r.ahead(next.Score, so.Score) {
		return next
	}
	return so
}

// xpRows adds up the XP of each day and mode.
func (m *Model) xpRows() []Row {
	points := map[int32]int64{}
	for i, r := range m.Rules {
		if r.XP.None() {
			continue
		}
		for _, day := range m.days[i] {
			for player, e := range day {
				points[player] += xpOf(r, e.score)
			}
		}
	}
	rows := make([]Row, 0, len(points))
	for player, n := range points {
		rows = append(rows, Row{Player: player, Score: n})
	}
	return rows
}

// xpOf is the sum of three parts: score times weight, rounded down and never below 0; the XP of a play; and
// the highest XP among those scores of the rule that this score reaches.
func xpOf(r Rule, score int64) int64 {
	unit := int64(1000)
	for range r.Decimals {
		unit *= 10
	}
	n := max(0, score*r.XP.Weight/unit)
	most := int64(0)
	for _, step := range r.XP.Scores {
		if r.reaches(score, int64(step.Score)) {
			most = max(most, step.XP)
		}
	}
	return n + r.XP.Play + most
}

// Level is the largest n for which base·n² is at most points.
func Level(base, points int64) int64 {
	n := int64(0)
	for base*(n+1)*(n+1) <= points {
		n++
	}
	return n
}
