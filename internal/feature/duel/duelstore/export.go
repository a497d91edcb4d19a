package duelstore

import (
	"context"
	"encoding/json"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/lifecycle/playerdata"
)

// exportLive is how many duels of a page are read from Redis, at a command each.
const exportLive = 100

// Export is what is kept of a player's duels: first those that the archive, which may be nil, does
// not have. show is how the API shows a duel to a player.
//
// Cost: 2 billed commands, and 1 for each duel that the archive does not have.
func Export(duels *duel.Store, kept *archive.Archive, show func(d duel.Duel, player string) any) playerdata.Source {
	row := func(d duel.Duel, player string) playerdata.Row {
		return playerdata.Row{
			Value: show(d, player), Place: duel.Mark{At: d.CreatedAt, ID: d.ID}, At: d.CreatedAt,
			Size: 600 + len(d.ID) + len(d.Mode) + 6*(len(d.Players[0])+len(d.Players[1])), // at most: each player appears up to six times
		}
	}
	var have func(context.Context, []string) (map[string]bool, error)
	if kept != nil {
		have = func(ctx context.Context, ids []string) (map[string]bool, error) {
			known, err := In(kept).FindKnown(ctx, ids)
			set := make(map[string]bool, len(known))
			for _, id := range known {
				set[id] = true
			}
			return set, err
		}
	}
	live := func(ctx context.Context, player string, after json.RawMessage, limit int) (rows []playerdata.Row, next any, err error) {
		var from duel.Mark
		if after != nil {
			if err := json.Unmarshal(after, &from); err != nil {
				return nil, nil, err
			}
		}
		found, mark, more, err := duels.History(ctx, player, from, limit, have)
		for _, d := range found {
			rows = append(rows, row(d, player))
		}
		if more {
			next = mark
		}
		return rows, next, err
	}
	s := playerdata.Source{
		About: func(ctx context.Context, player string) (playerdata.Fields, bool, error) {
			rating, rated, begun, err := duels.StandingOf(ctx, player)
			fields := playerdata.Fields{"duel_rating": nil, "duels_begun": begun} // unrounded; null: none yet
			if rated {
				fields["duel_rating"] = rating
			}
			return fields, rated || begun > 0, err
		},
		Lists: []playerdata.List{{Name: "duels", Most: exportLive, Read: live}},
	}
	if kept == nil {
		return s
	}
	s.Lists = append(s.Lists, playerdata.List{Name: "duels", Read: func(ctx context.Context, player string, after json.RawMessage, limit int) ([]playerdata.Row, any, error) {
		return playerdata.Rows(func(ctx context.Context, player string, after playerdata.Mark, limit int) ([]duel.Duel, error) {
			return In(kept).Of(ctx, player, after.OrEnd(), after.ID, limit)
		}, func(d duel.Duel) playerdata.Row { return row(d, player) })(ctx, player, after, limit)
	}})
	return s
}
