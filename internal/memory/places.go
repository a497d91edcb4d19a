package memory

import (
	"github.com/framedle/leaderboards/internal/rdb"

	lru "github.com/hashicorp/golang-lru/v2"
)

// Places remembers entries that this process wrote or read, as they were.
type Places = lru.Cache[EntryID, rdb.Place]

// EntryID is a player's entry on a board, by the board's key.
type EntryID struct{ Board, Player string }

func NewPlaces() *Places { return NewLRU[EntryID, rdb.Place](RememberPlayers) }
