package board

import (
	"cmp"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
)

// follows reports whether a board's entries may change on the day's board
// without being written here.
func (b Board) follows() bool {
	return b.Period.Kind() == game.Day && b.Scope.Kind() == game.Group && b.Mode.Policy != game.First
}

// hasDetails tells boards whose cards may show what a play was sent with.
func (b Board) hasDetails() bool { return b.Mode.Details && b.Period.Kind() == game.Day }

// order sorts entries as Redis does: by stored score, equal ones by member,
// both in the board's reading direction.
func (b Board) order(entries []Entry) {
	slices.SortFunc(entries, func(a, c Entry) int {
		up := cmp.Or(cmp.Compare(a.stored, c.stored), strings.Compare(a.Player, c.Player))
		if b.Mode.Order == game.Asc {
			return up
		}
		return -up
	})
}

// rankAmongThemselves numbers entries in board order that are a board of their own.
func (b Board) rankAmongThemselves(entries []Entry) {
	for i := range entries {
		if i > 0 && b.Mode.Ties == game.Shared && entries[i].Score == entries[i-1].Score {
			entries[i].Rank = entries[i-1].Rank
			continue
		}
		entries[i].Rank = int64(i) + 1
	}
}

// Board names one leaderboard.
type Board struct {
	Mode   *game.Mode
	Period game.Period
	Scope  game.Scope
	Key    string
}

// BoardOf names the board of a mode, period and scope.
func BoardOf(m *game.Mode, p game.Period, scope game.Scope) Board {
	switch m.Name {
	case game.XPMode:
		return Board{Mode: m, Period: p, Key: game.XPKey}
	case game.DuelMode:
		return Board{Mode: m, Period: p, Key: game.DuelKey}
	}
	return Board{Mode: m, Period: p, Scope: scope, Key: game.BoardKey(m.Name, p, scope)}
}

// isDerived tells boards that follow from others from those that are written.
func (b Board) isDerived() bool {
	switch {
	case b.Mode.Name == game.XPMode, b.Scope.Kind() == game.Country, b.ofTeams(), b.follows():
		return true
	}
	return b.Mode.Name != game.DuelMode && b.Period.Kind() != game.Day
}

// ofTeams reports whether a board's players are groups.
func (b Board) ofTeams() bool { return b.Scope.Kind() == game.Teams }

// xpMode is the mode of the XP board.
var xpMode = game.Mode{Name: game.XPMode, Title: "XP", Order: game.Desc, Ties: game.Earliest, Aggregate: game.Sum}
