package rollup

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// A season that adds days up has true scores for rolled-up days, since the tie fractions of
// that many days would reach 1; the newest days are added as they are stored. If that went on
// after the season's end, equal totals would change places for some days, while the last days
// are rolled up one by one. So once the season is over, it is made from true scores only. From
// then on equal totals are ordered by player id, as in the archive.

// Settles reports whether a board is made of true scores only.
func (ru *Rollup) Settles(b game.Board) bool {
	return b.Period.Kind() == game.Season && b.Mode.Aggregate == game.Sum && ru.db.Age(b.Period) >= game.Closed
}

// combineTrue makes a board from what was rolled up and the true scores of its other days. Add
// adds them up.
//
// Cost: 2 billed commands if everything is rolled up and nothing decays. Otherwise 6, 1 for every
// 10,000 entries of the board, and 1 for each source or, if the board is large, 1 for every
// 20,000 entries of each source.
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

// eachSource reads the sources of a board, in their order: those of a small board in one round
// trip, those of a large one in pages. Two pages may have the same player.
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
