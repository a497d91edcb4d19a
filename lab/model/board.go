package model

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
)

// XP is the mode of the XP board.
const XP = -1

// Board identifies a leaderboard.
type Board struct {
	Mode   int // index of its rule, or XP
	Period game.Period
	Scope  int // 0 for global
}

// Row is a place on a board.
type Row struct {
	Player int32
	Rank   int64
	Score  int64 // scaled
	tie    int64
	plays  int // days that the score combines
}

// Rows returns a board in order, with ranks.
func (m *Model) Rows(b Board) []Row {
	rows := m.combined(b)
	r := m.RuleOf(b)
	slices.SortFunc(rows, func(x, y Row) int {
		order := cmp.Or(cmp.Compare(x.Score, y.Score), cmp.Compare(x.tie, y.tie))
		if order == 0 {
			order = strings.Compare(m.IDs[x.Player], m.IDs[y.Player])
		}
		if r.Order == game.Asc {
			return order
		}
		return -order
	})
	for i := range rows {
		rows[i].Rank = int64(i) + 1
		if r.Ties == game.Shared && i > 0 && rows[i-1].Score == rows[i].Score {
			rows[i].Rank = rows[i-1].Rank
		}
	}
	return rows
}

// xpRule orders the XP board: by points only.
var xpRule = Rule{Mode: &game.Mode{Name: "xp", Order: game.Desc, Ties: game.Earliest}, Exact: true}

// RuleOf returns the rule of a board's mode.
func (m *Model) RuleOf(b Board) Rule {
	if b.Mode == XP {
		return xpRule
	}
	return m.Rules[b.Mode]
}

// Interchangeable reports whether two rows of a board may change places. On boards of all
// time that add up scores, equal sums may come in any order: the product adds true
// scores, but the scores of days that were not closed may still include their tie
// fractions.
func (m *Model) Interchangeable(b Board, x, y Row) bool {
	if x.Player == y.Player {
		return true
	}
	r := m.RuleOf(b)
	if x.Score != y.Score {
		return false
	}
	if b.Mode != XP && r.Aggregate == game.Sum && b.Period.Kind() == game.AllTime {
		return true
	}
	return max(x.tie-y.tie, y.tie-x.tie) <= r.slack(max(x.plays, y.plays))
}

// MayRank reports whether rank is that of row, or of another row with which row may
// change places.
func (m *Model) MayRank(b Board, rows []Row, row Row, rank int64) bool {
	return slices.ContainsFunc(rows, func(other Row) bool {
		return other.Rank == rank && m.Interchangeable(b, other, row)
	})
}

// IsShare reports whether a percentage, rounded to two decimals, is n of total. Nobody has 0,
// and of those who are not the first nobody has the percentile 100: for both the nearest number
// does.
func IsShare(percent float64, n, total int64) bool {
	if percent == 0.01 || percent == 99.99 {
		return math.Abs(percent-100*float64(n)/float64(total)) < 0.01001
	}
	return percent != 0 && math.Abs(percent-100*float64(n)/float64(total)) < 0.00501
}
