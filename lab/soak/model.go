package soak

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// model is what stands, as one would keep it without Redis: each day's entries
// in a map, everything else worked out when it is asked for.
type model struct {
	rules   []rule
	people  []person
	places  *places
	days    []map[game.Date]map[int32]entry // by mode
	retired map[int32]bool                  // erased players
}

// entry is what stands for one player on one day.
type entry struct {
	score  int64 // scaled
	tick   int64 // of the play that counts, or of the newest addition
	scopes scopeSet
}

func newModel(rules []rule, people []person, places *places) *model {
	m := &model{rules: rules, people: people, places: places, retired: map[int32]bool{}}
	for range rules {
		m.days = append(m.days, map[game.Date]map[int32]entry{})
	}
	return m
}

// play is one submission.
type play struct {
	mode   int
	date   game.Date
	player int32
	score  int64
	at     time.Time
	scopes scopeSet
}

// submit applies the mode's policy and tells the status and the score that
// must be answered; the status is empty where the play must be refused.
func (m *model) submit(p play) (status string, stands int64) {
	r := m.rules[p.mode]
	day := m.days[p.mode][p.date]
	if day == nil {
		day = map[int32]entry{}
		m.days[p.mode][p.date] = day
	}
	e := entry{p.score, r.tickOf(p.date, p.at), p.scopes}
	old, again := day[p.player]
	status = "accepted"
	if again {
		status = "improved"
		e.scopes |= old.scopes
		if m.takes(p) { // a play that is kept adds its groups as well
			day[p.player] = entry{old.score, old.tick, e.scopes}
		}
	}
	switch {
	case r.Policy == game.Sum:
		if !m.takes(p) {
			return "", old.score
		}
		e.score += old.score
	case !again:
	case r.Policy == game.First,
		r.Policy == game.Best && !r.ahead(p.score, old.score) && (p.score != old.score || e.tick >= old.tick),
		r.Policy == game.Latest && e.tick <= old.tick:
		return "kept", old.score
	}
	day[p.player] = e
	return status, e.score
}

// takes reports whether a play is not refused.
func (m *model) takes(p play) bool {
	r := m.rules[p.mode]
	total := m.days[p.mode][p.date][p.player].score + p.score
	return r.Policy != game.Sum || total >= int64(r.DayMin) && total <= int64(r.DayMax)
}

// leaveGroups takes a day's entries off the boards of groups: what an open day has
// of them is archived when it closes.
func (m *model) leaveGroups(d game.Date) {
	for _, days := range m.days {
		for player, e := range days[d] {
			e.scopes &= 1<<(m.places.countries+1) - 1 // those of groups follow
			days[d][player] = e
		}
	}
}

// remove takes one player's day out.
func (m *model) remove(mode int, d game.Date, player int32) { delete(m.days[mode][d], player) }

// erase takes a player out of everything.
func (m *model) erase(player int32) {
	m.retired[player] = true
	for _, days := range m.days {
		for _, day := range days {
			delete(day, player)
		}
	}
}

// board names one leaderboard of the model.
type board struct {
	mode   int // -1: XP
	period game.Period
	scope  int // of places.names; global is 0
}

// row is a place on a board.
type row struct {
	player int32
	rank   int64
	score  int64
	tie    int64
	plays  int // days in it
}

// rows is a board in order, with ranks.
func (m *model) rows(b board) []row {
	rows := m.combined(b)
	r := m.ruleOf(b)
	slices.SortFunc(rows, func(x, y row) int {
		order := cmp.Or(cmp.Compare(x.score, y.score), cmp.Compare(x.tie, y.tie),
			strings.Compare(m.people[x.player].id, m.people[y.player].id))
		if r.Order == game.Asc {
			return order
		}
		return -order
	})
	for i := range rows {
		rows[i].rank = int64(i) + 1
		if r.Ties == game.Shared && i > 0 && rows[i].score == rows[i-1].score {
			rows[i].rank = rows[i-1].rank
		}
	}
	return rows
}

// xpRule is how the XP board is ordered: by points alone.
var xpRule = rule{Mode: &game.Mode{Name: "xp", Order: game.Desc, Ties: game.Earliest}, exact: true}

func (m *model) ruleOf(b board) rule {
	if b.mode < 0 {
		return xpRule
	}
	return m.rules[b.mode]
}

// interchangeable reports whether two rows of a board may change places. All
// time adds up true scores, but days that were not closed yet may bring their
// ties along, so that equal sums may come in any order.
func (m *model) interchangeable(b board, x, y row) bool {
	if x.player == y.player {
		return true
	}
	r := m.ruleOf(b)
	if x.score != y.score {
		return false
	}
	if b.mode >= 0 && r.Aggregate == game.Sum && b.period.Kind() == game.AllTime {
		return true
	}
	slack := r.slack(max(x.plays, y.plays))
	return slack > 0 && max(x.tie-y.tie, y.tie-x.tie) <= slack
}
