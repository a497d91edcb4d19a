package game

import (
	"fmt"
	"time"
)

// DuelState is how far a duel has come.
type DuelState string

const (
	DuelWaiting  DuelState = "waiting"  // for somebody to accept
	DuelReady    DuelState = "ready"    // both are there, no result yet
	DuelDecided  DuelState = "decided"  // the ratings have moved, once
	DuelDisputed DuelState = "disputed" // the players sent different results; no rating has moved
	DuelExpired  DuelState = "expired"  // nobody accepted, or nobody sent a result
)

// DuelJudge says who decided a duel.
type DuelJudge string

const (
	ByServer  DuelJudge = "server"
	ByPlayers DuelJudge = "players" // both sent the same
	ByTimeout DuelJudge = "timeout" // one sent a result, the other none in time
	// ByOperator is not the judge of a duel: an operator has corrected a rating. It is kept as a
	// decided duel of one player, since ratings follow from those.
	ByOperator DuelJudge = "operator"
)

// Duel is a meeting of two players.
type Duel struct {
	ID        string
	State     DuelState
	Players   [2]string // the challenger first; the second is empty while anybody may accept
	Mode      string    // empty: none in particular
	CreatedAt time.Time
	Until     time.Time // when a waiting or ready duel ends by itself
	K         float64   // what is at stake; 0 while waiting
	Reports   [2]*DuelOutcome

	// Only of a decided duel.
	Outcome   *DuelOutcome
	By        DuelJudge
	Ratings   [2]RatingChange
	Points    [2]int64 // earned by it, as the game gave them then
	XP        [2]int64 // that these points are worth
	DecidedAt time.Time
}

// NoWinner is the winner of a draw.
const NoWinner = -1

// DuelOutcome is how a duel ended.
type DuelOutcome struct {
	Winner int       // 0 or 1 as in Duel.Players, or NoWinner
	Score  *[2]int64 // rounds won, in the order of Duel.Players; nil: nobody said
}

// RatingChange is how a duel changed a rating.
type RatingChange struct {
	Before, After float64 // unrounded
	Rank          int64   // right after, 1-based
}

// Place is which of the two a player is, or -1.
func (d Duel) Place(player string) int {
	for i, p := range d.Players {
		if p == player && player != "" {
			return i
		}
	}
	return -1
}

// MaxDuelID is the length of a duel's id in bytes.
const MaxDuelID = 128

// ValidDuel refuses an id that is not 1 to 128 characters of [A-Za-z0-9_.:-].
func ValidDuel(id string) error {
	ok := len(id) >= 1 && len(id) <= MaxDuelID
	for i := 0; ok && i < len(id); i++ {
		c := id[i]
		ok = letter(c) || digit(c) || c == '_' || c == '.' || c == ':' || c == '-'
	}
	if !ok {
		return fmt.Errorf("%.140q is not a duel's id; use 1 to 128 characters of A-Z, a-z, 0-9, _ . : and -", id)
	}
	return nil
}
