package closing_test

import (
	"context"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
)

var closingOptions = closing.RestoreOptions{}

type row struct {
	Rank   int64
	Player string
	Score  game.Score
	Stored float64
}

// page returns all of a small board; nil if it is empty.
func (k *kit) page(s *lifecycle.Parts, b game.Board) any {
	k.t.Helper()
	page, err := s.Boards.Page(context.Background(), b, game.PageRequest{Limit: 200})
	require.NoError(k.t, err)
	var rows []row
	for _, e := range page.Entries {
		rows = append(rows, row{e.Rank, e.Player, e.Score, e.Stored})
		if b.Period.Kind() == game.AllTime {
			// All time has tie fractions only of days that are not rolled up, and a restore
			// rolls up as late as possible: so equal scores may change places.
			rows[len(rows)-1] = row{Score: e.Score}
		}
	}
	if rows == nil {
		return nil
	}
	return rows
}
