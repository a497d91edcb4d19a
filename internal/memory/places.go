package memory

import (
	"github.com/framedle/leaderboards/internal/lru"
	"github.com/framedle/leaderboards/internal/rdb"
)

// Places remembers entries that this process wrote or read, as they were.
type Places = lru.Cache[EntryID, rdb.Place]

// EntryID is a player's entry on a board, by the board's key.
type EntryID struct{ Board, Player string }

func NewPlaces() *Places { return lru.New[EntryID, rdb.Place](RememberPlayers) }
