package game

import (
	"cmp"
	"slices"
	"strings"
)

// Follows reports whether entries of the board change with the day's board, without being
// written here.
func (b Board) Follows() bool {
	return b.Period.Kind() == Day && b.Scope.Kind() == Group && b.Mode.Policy != First
}

// HasDetails reports whether cards of the board may show what a play was sent with.
func (b Board) HasDetails() bool { return b.Mode.Details && b.Period.Kind() == Day }

// Sort sorts entries as Redis does: by stored score, equal ones by member,
// both in the board's reading direction.
func (b Board) Sort(entries []Entry) {
	slices.SortFunc(entries, func(a, c Entry) int {
		up := cmp.Compare(a.Stored, c.Stored)
		if up == 0 {
			up = strings.Compare(a.Player, c.Player)
		}
		if b.Mode.Order == Asc {
			return up
		}
		return -up
	})
}

// RankAmongThemselves numbers entries, in board order, as if they were the whole board.
func (b Board) RankAmongThemselves(entries []Entry) { b.Rank(entries, 0, 0) }

// Rank numbers entries, in board order, that begin at the zero-based position first; so many
// entries as better says have a better true score than the first of them.
func (b Board) Rank(entries []Entry, first, better int64) {
	for i := range entries {
		switch {
		case b.Mode.Ties != Shared || i > 0 && entries[i].Score != entries[i-1].Score:
			entries[i].Rank = first + int64(i) + 1
		case i == 0:
			entries[i].Rank = better + 1
		default:
			entries[i].Rank = entries[i-1].Rank
		}
	}
}

// Board names one leaderboard.
type Board struct {
	Mode   *Mode
	Period Period
	Scope  Scope
	Key    string
}

// BoardOf names the board of a mode, period and scope.
func BoardOf(m *Mode, p Period, scope Scope) Board {
	switch m.Name {
	case XPMode:
		return Board{Mode: m, Period: p, Key: XPKey}
	case DuelMode:
		return Board{Mode: m, Period: p, Key: DuelKey}
	}
	return Board{Mode: m, Period: p, Scope: scope, Key: BoardKey(m.Name, p, scope)}
}

// Derived reports whether the board is derived from others and not written.
func (b Board) Derived() bool {
	switch {
	case b.Mode.Name == XPMode, b.Scope.ByCountry(), b.OfTeams(), b.Follows():
		return true
	case b.Scope.Kind() == Worldwide:
		return false // a schedule writes them
	}
	return b.Mode.Name != DuelMode && b.Period.Kind() != Day
}

// OfTeams reports whether a board's players are groups.
func (b Board) OfTeams() bool { return b.Scope.Kind() == Teams }

// ModeOfXP is the mode of the XP board.
var ModeOfXP = Mode{Name: XPMode, Title: "XP", Order: Desc, Ties: Earliest, Aggregate: Sum}

// ModeNamed finds a mode by what callers call it, or the mode of a board that belongs to the
// game as a whole: xp and duels, which have all time only.
func (g *Game) ModeNamed(name string) (*Mode, bool) {
	switch name {
	case XPMode:
		return &ModeOfXP, true
	case DuelMode:
		return &Mode{Name: name, Title: "Duel rating", Order: Desc, Ties: Earliest, Aggregate: Last, Ratings: g.Duels.Decay}, true
	}
	return g.ModeCalled(name)
}
