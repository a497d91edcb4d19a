package daily

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/notices"
	"github.com/framedle/leaderboards/internal/rollup"
)

// Flaw is what is wrong with a day's key in Redis, apart from its entries.
type Flaw struct {
	Key  string
	Text string
}

// flawPage is how many keys one command, or one round trip, asks about.
const flawPage = 500

// Flaws checks the boards of a mode's days that can be in Redis. Each must be on the index,
// since otherwise no week contains it and no closing sees it, and each must have its expiry.
// scopes are scopes to check besides those on the index.
//
// Cost: 2 billed commands; 1 for each board on the index; for every 500 others 1, and 1 for
// each if one of these exists.
func (ds *Days) Flaws(ctx context.Context, m *game.Mode, scopes []game.Scope) ([]Flaw, error) {
	global, scoped, err := ds.Rollup.Calendar.Indexes(ctx, m)
	if err != nil {
		return nil, err
	}
	scoped[game.Scope{}] = global
	for _, scope := range scopes {
		if !scope.ByCountry() && scoped[scope] == nil {
			scoped[scope] = &rollup.Index{}
		}
	}
	var known, others []notices.DayKey
	for d := ds.DB.Game.Today(ds.DB.Now()).AddDays(1); ds.DB.Alive(d); d = d.AddDays(-1) {
		for _, scope := range rollup.SortedScopes(scoped) {
			key := notices.DayKey{Mode: m.Name, Date: d, Scope: scope}
			if scoped[scope].Has(d) {
				known = append(known, key)
			} else {
				others = append(others, key)
			}
		}
		if m.Details || m.NeedsPlay {
			known = append(known, notices.DayKey{Mode: m.Name, Date: d, Details: true})
		}
		if m.NeedsPlay {
			known = append(known, notices.DayKey{Mode: m.Name, Date: d, Plays: true})
		}
	}
	var flaws []Flaw
	for some := range slices.Chunk(known, flawPage) {
		lives, err := ds.Notices.Keys.AskEach(ctx, "TTL", some)
		if err != nil {
			return nil, err
		}
		for i, key := range some {
			if lives[i] == notices.NoExpiry {
				flaws = append(flaws, Flaw{key.Key(), "no expiry"})
			}
		}
	}
	for some := range slices.Chunk(others, flawPage) {
		there, err := ds.Notices.Keys.There(ctx, some)
		if err != nil {
			return nil, err
		}
		for _, key := range there {
			flaws = append(flaws, Flaw{key.Key(), "off the index"})
		}
	}
	return flaws, nil
}
