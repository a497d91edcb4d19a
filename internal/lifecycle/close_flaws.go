package lifecycle

import (
	"context"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Flaw is what is wrong with a day's key in Redis, apart from its entries.
type Flaw struct {
	Key  string
	Text string
}

// Flaws checks the keys of a mode's days that can be in Redis. A board must be on the index once
// its day has closed, since otherwise no month has it and nothing rolls it up; a key must have
// its expiry once the day is rolled up. scopes are scopes to check besides those on the index.
//
// Cost: 2 billed commands; 1 for each key of a day that is rolled up; some 1 for every 1,000
// others.
func (ds *Days) Flaws(ctx context.Context, m *game.Mode, scopes []game.Scope) ([]Flaw, error) {
	global, scoped, err := ds.Rollup.Calendar.Indexes(ctx, m)
	if err != nil {
		return nil, err
	}
	scoped[game.Scope{}] = global
	for _, scope := range scopes {
		if !scope.ByCountry() && scoped[scope] == nil {
			scoped[scope] = &derive.Index{}
		}
	}
	var rolledUp, unlisted []derive.DayKey
	for d := ds.DB.Game.Today(ds.DB.Now()).AddDays(1); ds.DB.Alive(d); d = d.AddDays(-1) {
		for _, scope := range derive.SortedScopes(scoped) {
			key := derive.DayKey{Mode: m.Name, Date: d, Scope: scope}
			if index := scoped[scope]; index.RolledUp[d] {
				rolledUp = append(rolledUp, key)
			} else if !index.Has(d) {
				unlisted = append(unlisted, key)
			}
		}
		if global.RolledUp[d] {
			rolledUp = append(rolledUp, derive.DayKey{Mode: m.Name, Date: d, Details: true}, derive.DayKey{Mode: m.Name, Date: d, Plays: true})
		}
	}
	var flaws []Flaw
	lives := make([]int64, len(rolledUp))
	var p redis.Pipeline
	for i, key := range rolledUp {
		p.Add(upstash.Cmd("TTL", key.Key()), redis.IntInto(&lives[i]))
	}
	if _, err := p.Run(ctx, ds.DB.Redis); err != nil {
		return nil, redis.Wrap("look at boards", err)
	}
	for i, key := range rolledUp {
		if lives[i] == noExpiry {
			flaws = append(flaws, Flaw{key.Key(), "no expiry"})
		}
	}
	there, err := ds.Rollup.Calendar.FindExisting(ctx, unlisted)
	for _, key := range there {
		flaws = append(flaws, Flaw{key.Key(), "off the index"})
	}
	return flaws, err
}

// noExpiry is how TTL answers for a key that stays for ever.
const noExpiry = -1
