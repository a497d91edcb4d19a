package live

import (
	"slices"

	"github.com/framedle/leaderboards/internal/game"
)

// between is the difference between two states of a page: the rows that changed or moved, in
// the order of the new page, and the players who are no longer on it. If one of the rows that
// share a rank has changed or moved, all of them are included, so that a viewer with the old
// page learns their order.
func between(old, now []game.Entry) (changed []game.Entry, gone []string) {
	before := byRank(old)
	stays := make(map[string]bool, len(now))
	for _, group := range groups(now) {
		for _, row := range group {
			stays[row.Player] = true
		}
		if !slices.EqualFunc(before[group[0].Rank], group, alike) {
			changed = append(changed, group...)
		}
	}
	for _, row := range old {
		if !stays[row.Player] {
			gone = append(gone, row.Player)
		}
	}
	return changed, gone
}

// alike reports whether two rows look the same.
func alike(a, b game.Entry) bool {
	return a.Player == b.Player && a.Rank == b.Rank && a.Score == b.Score && a.Profile == b.Profile
}

// groups splits a page into runs of rows that share a rank.
func groups(page []game.Entry) (all [][]game.Entry) {
	for first, i := 0, 1; i <= len(page); i++ {
		if i == len(page) || page[i].Rank != page[first].Rank {
			all = append(all, page[first:i:i])
			first = i
		}
	}
	return all
}

func byRank(page []game.Entry) map[int64][]game.Entry {
	all := make(map[int64][]game.Entry, len(page))
	for _, group := range groups(page) {
		all[group[0].Rank] = group
	}
	return all
}
