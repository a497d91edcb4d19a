package derive

import (
	"github.com/framedle/leaderboards/internal/lru"
	"github.com/framedle/leaderboards/internal/redis"
)

// The cache_ files have what a process remembers of boards: how many players each has, its top,
// the last answers, and places of players. All of it may be lost at any moment. It saves commands
// and never decides an answer that has to be exact.

// How many boards and players a process remembers: a few MB together at most. Profiles have a
// bound of their own.
const (
	RememberBoards  = 4096
	RememberPlayers = 16384
)

// Places remembers entries that this process wrote or read, as they were.
type Places = lru.Cache[EntryID, redis.Place]

// EntryID is a player's entry on a board, by the board's key.
type EntryID struct{ Board, Player string }

func NewPlaces() *Places { return lru.New[EntryID, redis.Place](RememberPlayers) }
