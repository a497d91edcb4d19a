package duel

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// History keeps duels when they have left Redis.
type History interface {
	// PutDuels keeps decided and disputed duels, and those that expired with two
	// players; those it has stay as they are.
	PutDuels(ctx context.Context, duels []game.Duel) error
	// DuelsOf lists a player's duels after a place, newest first.
	DuelsOf(ctx context.Context, player string, after Mark, limit int) ([]game.Duel, error)
	// DuelsSince reads the duels that were made at a time or later. The slice is
	// used again.
	DuelsSince(ctx context.Context, since time.Time, page func([]game.Duel) error) error
	// HasDuels reports whether it keeps any of some duels.
	HasDuels(ctx context.Context, ids []string) (bool, error)
	// Standings tells what the decided duels have made of everybody who has one,
	// where a new player has the rating start. The XP of some duels is left out.
	Standings(ctx context.Context, start float64, without []string, page func([]Standing) error) error
	// LastStandings is Standings where ratings decay: they are what the last duel has
	// left, and it is told when that was.
	LastStandings(ctx context.Context, start float64, without []string, page func([]Standing) error) error
	// Begun tells how many of the duels that it keeps everybody has begun.
	Begun(ctx context.Context, page func([]Begun) error) error
	// PutOpen keeps duels that are under way as they are, and forgets others, by
	// their ids, that are so no more.
	PutOpen(ctx context.Context, open []game.Duel, ended []string) error
	// Open reads the duels that were under way when they were kept. The slice is
	// used again.
	Open(ctx context.Context, page func([]game.Duel) error) error
	// Carry keeps what players have beyond the duels that it keeps, in place of
	// what it kept of them. Standings and Begun count it.
	Carry(ctx context.Context, all []Carried) error
	// Carried tells what Carry has kept.
	Carried(ctx context.Context) ([]Carried, error)
}

// Carried is what has come of a player's duels that the history does not have.
type Carried = game.DuelsCarried

// Begun is how many duels a player has had an opponent in.
type Begun = game.DuelsBegun

// Standing is what all duels of a player together have come to.
type Standing = game.DuelStanding
