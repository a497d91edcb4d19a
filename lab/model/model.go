// Package model keeps the boards of a game in the plainest way, without Redis: it stores
// each day's entries in a map, and computes everything else when asked. The scenarios of
// the laboratory compare the product's answers with this model.
//
// The package knows the declarations of a game's modes, and nothing of how the product
// keeps boards. It must not ask package game for a policy, a tie, a period's sum or XP: a
// model that agreed with the product by asking it would prove nothing.
package model

import (
	"github.com/framedle/leaderboards/internal/game"
)

// Model is the current state of all boards. It is not safe for concurrent use while it
// changes.
type Model struct {
	Rules   []Rule
	IDs     []string                        // of players; a player's number is the index here
	Retired map[int32]bool                  // erased players
	days    []map[game.Date]map[int32]entry // by mode
}

// entry is one player's entry on one day.
type entry struct {
	score  int64 // scaled
	tick   int64 // of the play that counts; of the newest one if plays add up
	scopes Scopes
}

// Scopes is a set of scopes other than global, by number, 1 to 31. The scenario assigns
// the numbers.
type Scopes uint32

// Has reports whether a scope is in the set.
func (s Scopes) Has(scope int) bool { return s&(1<<scope) != 0 }

// With returns the set with one more scope.
func (s Scopes) With(scope int) Scopes { return s | 1<<scope }

// New returns a model in which nobody has played.
func New(rules []Rule, ids []string) *Model {
	m := &Model{Rules: rules, IDs: ids, Retired: map[int32]bool{}}
	for range rules {
		m.days = append(m.days, map[game.Date]map[int32]entry{})
	}
	return m
}

// Play is one submission.
type Play struct {
	Mode   int // index of its rule
	Date   game.Date
	Player int32
	Score  int64 // scaled
	Tick   int64 // when the play came, see [Rule.TickOf]
	Scopes Scopes
}

// Submit applies the mode's policy. It returns the status and the score that the product
// must answer; the status is empty if the product must refuse the play.
func (m *Model) Submit(p Play) (status string, current int64) {
	r := m.Rules[p.Mode]
	day := m.days[p.Mode][p.Date]
	if day == nil {
		day = map[int32]entry{}
		m.days[p.Mode][p.Date] = day
	}
	e := entry{p.Score, p.Tick, p.Scopes}
	old, again := day[p.Player]
	status = "accepted"
	if again {
		status = "improved"
		e.scopes |= old.scopes
		if m.Takes(p) { // even a play with status kept adds its groups
			day[p.Player] = entry{old.score, old.tick, e.scopes}
		}
	}
	switch {
	case r.Policy == game.Sum:
		if !m.Takes(p) {
			return "", old.score
		}
		e.score += old.score
	case !again:
	case r.Policy == game.First,
		r.Policy == game.Best && !r.ahead(p.Score, old.score) && (p.Score != old.score || e.tick >= old.tick),
		r.Policy == game.Latest && e.tick <= old.tick:
		return "kept", old.score
	}
	day[p.Player] = e
	return status, e.score
}

// Takes reports whether the product must accept a play: sums must stay within the day's
// bounds.
func (m *Model) Takes(p Play) bool {
	r := m.Rules[p.Mode]
	total := m.days[p.Mode][p.Date][p.Player].score + p.Score
	return r.Policy != game.Sum || total >= int64(r.DayMin) && total <= int64(r.DayMax)
}

// Leave takes a day's entries off the boards of some scopes.
func (m *Model) Leave(d game.Date, scopes Scopes) {
	for _, days := range m.days {
		for player, e := range days[d] {
			e.scopes &^= scopes
			days[d][player] = e
		}
	}
}

// Remove removes one player's entry of a day.
func (m *Model) Remove(mode int, d game.Date, player int32) { delete(m.days[mode][d], player) }

// Erase removes a player from all days.
func (m *Model) Erase(player int32) {
	m.Retired[player] = true
	for _, days := range m.days {
		for _, day := range days {
			delete(day, player)
		}
	}
}
