package racestore

import (
	"context"
	"encoding/json"
	"time"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/race"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/playerdata"
)

// exported is a race that is over, and how it ended for the player.
type exported struct {
	ID        string          `json:"id"`
	State     race.State      `json:"state"`
	Mode      string          `json:"mode"`
	Players   []string        `json:"players"` // including the player
	CreatedAt time.Time       `json:"created_at"`
	StartsAt  time.Time       `json:"starts_at"`
	DecidedAt time.Time       `json:"decided_at"`
	Left      bool            `json:"left,omitempty"` // gave up
	Score     json.RawMessage `json:"score,omitempty"`
	Values    json.RawMessage `json:"values,omitempty"`
	Place     int             `json:"place,omitempty"` // 1-based; 0: the race moved no rating
	Rating    *ratingChange   `json:"rating,omitempty"`
}

// ratingChange is what a race did to a rating, unrounded.
type ratingChange struct {
	Before float64 `json:"before"`
	After  float64 `json:"after"`
}

// Export is what is kept of a player's races.
func Export(g *game.Game, kept *archive.Archive) playerdata.Source {
	read := func(ctx context.Context, player string, after playerdata.Mark, limit int) ([]exported, error) {
		found, err := In(kept).Of(ctx, player, after.OrEnd(), after.ID, limit)
		rows := make([]exported, len(found))
		for i, race := range found {
			rows[i] = export(g, player, race)
		}
		return rows, err
	}
	return playerdata.Source{Lists: []playerdata.List{{Name: "races", Optional: true, Read: playerdata.Rows(read, func(one exported) playerdata.Row {
		return playerdata.Row{Value: one, Place: playerdata.Mark{At: one.CreatedAt, ID: one.ID}}
	})}}}
}

// export leaves out what other players have typed: that is theirs.
func export(g *game.Game, player string, of race.Race) exported {
	e := exported{
		ID: of.ID, State: of.State, Mode: g.Called(of.Mode), CreatedAt: of.CreatedAt, StartsAt: of.StartsAt, DecidedAt: of.DecidedAt,
	}
	for _, seat := range of.Seats {
		e.Players = append(e.Players, seat.Player)
		if seat.Player != player {
			continue
		}
		e.Left, e.Place = seat.Left, seat.Place
		if seat.Score != nil {
			e.Score, e.Values = playerdata.ScoreOf(g, of.Mode, *seat.Score), playerdata.ValuesOf(g, of.Mode, *seat.Score)
		}
		if seat.Place > 0 {
			e.Rating = &ratingChange{seat.Rating.Before, seat.Rating.After}
		}
	}
	return e
}
