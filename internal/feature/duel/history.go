package duel

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// History keeps duels that have expired from Redis.
type History interface {
	// Put stores decided and disputed duels, and duels with two players that expired.
	// Duels that it already has stay as they are.
	Put(ctx context.Context, duels []Duel) error
	// Of lists a player's duels after the one of an id that was made at a time, newest first.
	Of(ctx context.Context, player string, at time.Time, id string, limit int) ([]Duel, error)
	// Since reads the duels that were made at a time or later. The slice passed to page
	// is reused.
	Since(ctx context.Context, since time.Time, page func([]Duel) error) error
	// HasAny reports whether the history has any of these duels.
	HasAny(ctx context.Context, ids []string) (bool, error)
	// Standings reads what the decided duels have made of each player who has one. New
	// players begin with the rating start. The XP of the duels in without is left out.
	Standings(ctx context.Context, start float64, without []string, page func([]Standing) error) error
	// LastStandings is Standings for ratings that decay: it reads the rating after each
	// player's last duel, and when that duel was.
	LastStandings(ctx context.Context, start float64, without []string, page func([]Standing) error) error
	// EachBegun reads how many of the history's duels each player has begun.
	EachBegun(ctx context.Context, page func([]Begun) error) error
	// PutOpen stores duels that are under way, and deletes those of the ids in ended, which
	// no longer are.
	PutOpen(ctx context.Context, open []Duel, ended []string) error
	// EachOpen reads the duels that were under way when they were stored. The slice passed to
	// page is reused.
	EachOpen(ctx context.Context, page func([]Duel) error) error
	// PutCarried stores what players have beyond the duels in the history. It replaces what an
	// earlier PutCarried has stored of the same players. Standings and Begun include it.
	PutCarried(ctx context.Context, all []Carried) error
	// Carried reads what PutCarried has stored.
	Carried(ctx context.Context) ([]Carried, error)
}

// Carried is the result of a player's duels that the history does not have.
type Carried = game.DuelsCarried

// Begun is in how many duels a player has had an opponent.
type Begun = game.DuelsBegun

// Standing is the result of all duels of a player.
type Standing = game.DuelStanding
