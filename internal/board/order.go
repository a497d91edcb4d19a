package board

import (
	"cmp"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
)

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
