// Package model is the boards of a game as one would keep them without Redis: each
// day's entries in a map, everything else worked out when it is asked for. Whatever
// plays the product holds its answers against this.
//
// It knows the declarations of a game's modes and nothing of how the product keeps
// boards: it must not ask package game for a policy, a tie, a period's sum or XP.
package model

import (
	"github.com/framedle/leaderboards/internal/game"
)

// Model is what stands. It is not safe for concurrent use while it changes.
type Model struct {
	Rules   []Rule
	IDs     []string                        // of players, who are known by their place in it
	Retired map[int32]bool                  // erased players
	days    []map[game.Date]map[int32]entry // by mode
}

// entry is what stands for one player on one day.
type entry struct {
	score  int64 // scaled
	tick   int64 // of the play that counts, or of the newest addition
	scopes Scopes
}

// Scopes is a set of scopes below everybody, by numbers that whoever plays gives
// them, 1 to 31.
type Scopes uint32

// Has reports whether a scope is in the set.
func (s Scopes) Has(scope int) bool { return s&(1<<scope) != 0 }

// With is the set and one scope more.
func (s Scopes) With(scope int) Scopes { return s | 1<<scope }

// New is a game in which nobody has played.
func New(rules []Rule, ids []string) *Model {
	m := &Model{Rules: rules, IDs: ids, Retired: map[int32]bool{}}
	for range rules {
		m.days = append(m.days, map[game.Date]map[int32]entry{})
	}
	return m
}

// Play is one submission.
type Play struct {
	Mode   int // its place in the rules
	Date   game.Date
	Player int32
	Score  int64 // scaled
	Tick   int64 // when it came, see [Rule.TickOf]
	Scopes Scopes
}

// Submit applies the mode's policy and gives the status and the score that must be
// answered; the status is empty where the play must be refused.
func (m *Model) Submit(p Play) (status string, stands int64) {
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
		if m.Takes(p) { // a play that is kept adds its groups as well
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

// Takes reports whether a play is not refused.
func (m *Model) Takes(p Play) bool {
	r := m.Rules[p.Mode]
	total := m.days[p.Mode][p.Date][p.Player].score + p.Score
	return r.Policy != game.Sum || total >= int64(r.DayMin) && total <= int64(r.DayMax)
}

// Leave takes a day's entries off the boards of scopes.
func (m *Model) Leave(d game.Date, scopes Scopes) {
	for _, days := range m.days {
		for player, e := range days[d] {
			e.scopes &^= scopes
			days[d][player] = e
		}
	}
}

// Remove takes one player's day out.
func (m *Model) Remove(mode int, d game.Date, player int32) { delete(m.days[mode][d], player) }

// Erase takes a player out of everything.
func (m *Model) Erase(player int32) {
	m.Retired[player] = true
	for _, days := range m.days {
		for _, day := range days {
			delete(day, player)
		}
	}
}
