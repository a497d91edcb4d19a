package game

import (
	"time"
)

// Standing is a player's entry on a board, and the player's rank in the period before.
type Standing struct {
	Entry
	Total        int64
	Position     int64 // zero-based, not Rank - 1 if ranks are shared; set by an archive
	PreviousRank int64 // 0: not on the board of the period before
	Details      []byte
	UpdatedAt    time.Time
	CountsAt     time.Time // when the players ahead were counted, for a board in bands; zero: now
	Stale        error     // why Redis refuses: the card is as it was at UpdatedAt; nil: it is not stale
}

// Entry is one row of a board.
type Entry struct {
	Rank    int64
	Player  string
	Score   Score
	Profile Profile

	Stored float64
}

// Page is a run of entries in board order.
type Page struct {
	Board     Board
	Total     int64 // players on the board
	UpdatedAt time.Time
	CountsAt  time.Time // when the players ahead were counted, for a board in bands; zero: now
	Closed    bool
	Stale     error // why Redis refuses: the page is as it was at UpdatedAt; nil: it is not stale
	Entries   []Entry
	Next      string // cursor of the next page; "" at the end

	Position int64   // of the first entry, zero-based
	Before   []Entry // read right before the first, to rank it by
	Tied     int64   // entries seen right before the first that tie with it
	TieRank  int64   // the rank that the first entry shares with them; 0 if it is not known
	More     bool    // the board goes on after the last entry
}

// PageRequest asks for entries from the top, from an offset, or after a cursor.
type PageRequest struct {
	Limit  int64  // 1 to 200
	Offset int64  // positions to pass over; unused with Cursor
	Cursor string // from the page before
}

// Cut keeps the first limit entries. Pages are read one entry further than asked, to know
// whether there are more.
func (p *Page) Cut(limit int64) {
	if p.More = int64(len(p.Entries)) > limit; p.More {
		p.Entries = p.Entries[:limit:limit]
	}
}
