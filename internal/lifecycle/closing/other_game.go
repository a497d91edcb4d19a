package closing

import (
	"context"
	"fmt"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
)

// OtherGameError is returned if the archive has results, but none of a mode of the game: the
// game's boards would become empty, and a comparison would find no difference.
type OtherGameError struct{ Game string }

func (e *OtherGameError) Error() string {
	return fmt.Sprintf("the history has results, and none of a mode of the game %s: it is another game's; name that one with -game FILE or $GAME; nothing was changed", e.Game)
}

// ofThisGame returns an *OtherGameError if the history is another game's. An empty one fits
// every game. It only asks the archive.
func (k clock) ofThisGame(ctx context.Context, kept *archive.Archive) error {
	tomorrow := k.today().AddDays(1)
	for _, m := range k.game.Modes {
		days, err := kept.Days.Between(ctx, m.Name, beginning, tomorrow)
		if err != nil || len(days) > 0 {
			return err
		}
	}
	return kept.Results.PlayedDates(ctx, beginning, tomorrow, func(players []game.Played) error {
		if len(players) > 0 {
			return &OtherGameError{k.game.Name}
		}
		return nil
	})
}
