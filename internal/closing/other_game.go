package closing

import (
	"context"
	"fmt"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
)

// OtherGameError is returned where the archive has results, and none of them is of a
// mode of the game: its boards would be made empty, and nothing would differ.
type OtherGameError struct{ Game string }

func (e *OtherGameError) Error() string {
	return fmt.Sprintf("the history has results, and none of a mode of the game %s: it is another game's; name that one with -game FILE or $GAME; nothing was changed", e.Game)
}

// ofThisGame returns an *OtherGameError for another game's history. An empty one is
// anybody's. It asks the archive alone.
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
