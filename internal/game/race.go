package game

import "time"

// RaceState is how far a race has come.
type RaceState string

const (
	RaceWaiting RaceState = "waiting" // for more players
	RaceStarted RaceState = "started" // the moment of its start is set; results are awaited
	RaceDecided RaceState = "decided" // the ratings have moved, once
	RaceExpired RaceState = "expired" // nobody came, or nobody told a result; no rating has moved
)

// Race is a meeting of up to MaxRacers players who play the same mode at the same time.
type Race struct {
	ID        string
	State     RaceState
	Mode      string
	Size      int  // how many players it has room for; 2 to MaxRacers
	Open      bool // whether the queue may bring players
	CreatedAt time.Time
	PairedAt  time.Time // when the second player came to one that waits
	StartsAt  time.Time // zero while it waits
	Until     time.Time // when it ends by itself
	DecidedAt time.Time // when it has ended
	Text      string    // the text that all are given, as play.Bind has it; empty if there is none
	Seats     []RaceSeat
}

// RaceSeat is a player of a race.
type RaceSeat struct {
	Player   string
	SeenAt   time.Time // of a waiting player: when they last asked; of a playing one: when they last reported progress, if they do
	Progress float64   // 0 to 1, at SeenAt
	Left     bool      // gave up, or was erased
	Score    *Score    // nil: none yet
	K        float64   // what is at stake for the player; 0 while the race waits

	// Only in a race that is decided.
	Place  int // 1-based; equal scores share one
	Rating RaceRating
}

// RaceRating is what a race did to a rating, unrounded.
type RaceRating struct{ Before, After float64 }

// Seat is the index of a player's seat, or -1.
func (r Race) Seat(player string) int {
	for i, s := range r.Seats {
		if s.Player == player && player != "" {
			return i
		}
	}
	return -1
}
