package archive_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
)

// history is every day's results of one mode as one would keep them without a
// database.
type history map[game.Date][]game.Result

// players are few and tie often; they differ in case, so that any order but
// that of bytes shows.
var players = []string{"a", "A", "b", "B", "_", "a:1", "a.1", "z"}

// drawHistory plays some days, with equal scores and equal fractions.
func drawHistory(t *rapid.T, m *game.Mode, from game.Date, days int) history {
	scopes := []game.Scope{scope(t, "country:BR"), scope(t, "country:DE"), scope(t, "group:x")}
	h := history{}
	for n := range days {
		d := from.AddDays(n)
		for _, player := range players {
			if rapid.IntRange(0, 2).Draw(t, "plays") == 0 {
				continue
			}
			stored := func() float64 {
				return m.Encode(game.Score(rapid.IntRange(-2, 2).Draw(t, "score")), rapid.Int64Range(1, 3).Draw(t, "tick"))
			}
			r := game.Result{Player: player, Stored: stored()}
			for _, s := range scopes {
				switch rapid.IntRange(0, 4).Draw(t, "scope") {
				case 0:
					r.Scopes = append(r.Scopes, game.ScopedResult{Scope: s, Stored: r.Stored})
				case 1:
					r.Scopes = append(r.Scopes, game.ScopedResult{Scope: s, Stored: stored()})
				}
			}
			h[d] = append(h[d], r)
		}
	}
	return h
}

func (h history) keep(t require.TestingT, a *archive.Archive, m *game.Mode, from game.Date, days int) {
	for n := range days {
		put(t, a, m.Name, from.AddDays(n), h[from.AddDays(n)]...)
	}
}

// combined is what a board over the days from from to to holds, by player.
func (h history) combined(m *game.Mode, from, to game.Date, s game.Scope, trueScores bool) map[string]float64 {
	all := map[string]float64{}
	for d := from; !d.After(to); d = d.AddDays(1) {
		for _, r := range h[d] {
			stored, on := r.Stored, s == game.Scope{}
			for _, scoped := range r.Scopes {
				if scoped.Scope == s {
					stored, on = scoped.Stored, true
				}
			}
			if !on {
				continue
			}
			if trueScores && m.Aggregate == game.Sum {
				stored = math.Floor(stored)
			}
			old, had := all[r.Player]
			switch {
			case !had, m.Aggregate == game.Last:
				all[r.Player] = stored
			case m.Aggregate == game.Max:
				all[r.Player] = max(old, stored)
			case m.Aggregate == game.Min:
				all[r.Player] = min(old, stored)
			default:
				all[r.Player] = old + stored
			}
		}
	}
	return all
}

// ranked puts players in board order, with ranks.
func ranked(m *game.Mode, stored map[string]float64) []game.Entry {
	var all []game.Entry
	for player, s := range stored {
		all = append(all, game.Entry{Player: player, Stored: s, Score: game.Score(math.Floor(s))})
	}
	slices.SortFunc(all, func(a, b game.Entry) int {
		up := cmp.Or(cmp.Compare(a.Stored, b.Stored), strings.Compare(a.Player, b.Player))
		if m.Order == game.Desc {
			return -up
		}
		return up
	})
	for i := range all {
		all[i].Rank = int64(i) + 1
		if i > 0 && m.Ties == game.Shared && all[i].Score == all[i-1].Score {
			all[i].Rank = all[i-1].Rank
		}
	}
	return all
}

// drawMode is a mode with any order, tie style and aggregate that go together.
func drawMode(t *rapid.T, number int) *game.Mode {
	f := fields{
		order: rapid.SampledFrom([]game.Order{game.Desc, game.Asc}).Draw(t, "order"),
		ties:  rapid.SampledFrom([]game.TieStyle{game.Earliest, game.Shared}).Draw(t, "ties"),
	}
	best := game.Max
	if f.order == game.Asc {
		best = game.Min
	}
	f.aggregate = rapid.SampledFrom([]game.Aggregate{game.Sum, best, game.Last}).Draw(t, "aggregate")
	return mode(t, fmt.Sprintf("mode%d", number), f)
}
