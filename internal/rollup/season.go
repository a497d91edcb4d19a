package rollup

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// A season that adds days up holds the true scores of rolled-up days, since the tie
// fractions of so many would reach 1, and adds the newest ones as they are stored.
// That would have equal totals change places for some days after the season, while
// its last days are rolled up one by one. So once it is over it is made of true
// scores alone: equal totals stand by player from then on, as the archive has them.

// Settles reports whether a board is made of true scores alone.
func (ru *Rollup) Settles(b game.Board) bool {
	return b.Period.Kind() == game.Season && b.Mode.Aggregate == game.Sum && ru.db.Age(b.Period) >= game.Closed
}

// combineTrue makes a board hold what was rolled up and the true scores of its other days,
// added up by add.
//
// Cost: 2 billed commands where everything is rolled up and nothing decays; else 1 for
// each source, 1 for every 10,000 entries of the board, and 6; where it is large, 1 for
// every 20,000 entries of each source.
func (f ofDays) combineTrue(ctx context.Context, b game.Board, add Adding, dates []game.Date, u *refreshRun) error {
	sources := []string{game.RolledUpKey(b.Key)}
	if len(dates) == 0 && add.decay == nil {
		return f.ru.combine(ctx, b, sources, u)
	}
	for _, d := range dates {
		sources = append(sources, game.BoardKey(b.Mode.Name, game.Day.Of(d), b.Scope))
	}
	all := NewSums(add.aggregate)
	err := f.eachSource(ctx, b, sources, func(i int, members []rdb.Member) {
		if i > 0 {
			for m := range members {
				members[m].Stored = add.Day(dates[i-1], members[m].Stored)
			}
		}
		all.Take(i, members)
	})
	if err != nil {
		return err
	}
	return replace(ctx, f.ru, b, all.Players(), func(yield func(string, float64) bool) {
		for player, sum := range all.Entries() {
			if !yield(player, add.Shown(sum)) {
				return
			}
		}
	})
}

// eachSource reads the sources of a board, in their order: those of a small one in one
// round trip, those of a large one in pages, of which two may show the same player.
func (f ofDays) eachSource(ctx context.Context, b game.Board, sources []string, each func(i int, members []rdb.Member)) error {
	ru := f.ru
	large, err := ru.Large(ctx, b.Key, sources)
	if err != nil {
		return err
	}
	if large {
		for i, source := range sources {
			err := ru.db.ScanMembers(ctx, source, func(page []rdb.Member) error {
				each(i, page)
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	}
	read := make([][]rdb.Member, len(sources))
	var p rdb.Pipeline
	for i, source := range sources {
		p.Add(upstash.Cmd("ZRANGE", source, "0", "-1", "WITHSCORES"), rdb.MembersInto(&read[i]))
	}
	if _, err := p.Run(ctx, ru.db.Redis); err != nil {
		return err
	}
	for i, members := range read {
		each(i, members)
	}
	return nil
}
