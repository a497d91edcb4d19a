package closing

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

// groups compares a day's boards of groups with the day's board, entry by entry: a player's
// entry on a group's board must equal the one on the day's; on a level's board it is the best
// at that level. It checks Redis and the archive. An inconsistency within one side is shown
// after that side's score.
func (v *verify) groups(ctx context.Context, m *game.Mode, d game.Date, inRedis map[string]game.Result, inPostgres map[string]game.Result) error {
	should := map[game.Scope]map[string]string{}
	put := func(scope game.Scope, player, stands string) {
		if scope.ByCountry() {
			return // follows from the day's board
		}
		if should[scope] == nil {
			should[scope] = map[string]string{}
		}
		if player != "" {
			should[scope][player] = stands
		}
	}
	for player, row := range inPostgres {
		for _, scoped := range row.Scopes {
			stands := game.FormatStored(row.Stored)
			if scoped.Scope.OwnEntries() {
				stands = game.FormatStored(scoped.Stored)
			} else if scoped.Stored != row.Stored {
				stands += ", archived as " + game.FormatStored(scoped.Stored)
			}
			put(scoped.Scope, player, stands)
		}
	}
	for _, r := range inRedis {
		for _, scoped := range r.Scopes {
			put(scoped.Scope, "", "")
		}
	}
	for scope, entries := range should {
		key := game.BoardKey(m.Name, game.Day.Of(d), scope)
		all, err := v.c.Store.DB.ReadBoard(ctx, key)
		if err != nil {
			return err
		}
		stands := make(map[string]string, len(all))
		for player, stored := range all {
			stands[player] = game.FormatStored(stored)
			if on, ok := inRedis[player]; !ok {
				stands[player] += ", not on the day's board"
			} else if on.Stored != stored && !scope.OwnEntries() {
				stands[player] += ", on the day's board " + game.FormatStored(on.Stored)
			}
		}
		lifecycle.Compare(&v.Comparison, key, stands, entries)
	}
	return nil
}
