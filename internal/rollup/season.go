package rollup

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
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

// combineTrue makes a board hold what was rolled up and the true scores of its other
// days, as they are added up.
//
// Cost: 2 billed commands where everything is rolled up and nothing decays; else 1 for
// each source and every 20,000 entries of it, 1 for every 10,000 of the board, and 6.
func (f ofDays) combineTrue(ctx context.Context, b game.Board, add Adding, dates []game.Date, u *union) error {
	rolledUp := game.RolledUpKey(b.Key)
	if len(dates) == 0 && add.decay == nil {
		return f.ru.combine(ctx, b, []string{rolledUp}, u)
	}
	all, err := f.ru.db.Scan(ctx, rolledUp)
	if err != nil {
		return err
	}
	for _, d := range dates {
		entries, err := f.ru.db.Scan(ctx, game.BoardKey(b.Mode.Name, game.Day.Of(d), b.Scope))
		if err != nil {
			return err
		}
		for player, stored := range entries {
			all[player] = add.And(all[player], add.Day(d, stored))
		}
	}
	for player, sum := range all {
		all[player] = add.Shown(sum)
	}
	if err := f.ru.Replace(ctx, b, all); err != nil {
		return err
	}
	f.ru.totals.Set(b.Key, int64(len(all)))
	return nil
}
