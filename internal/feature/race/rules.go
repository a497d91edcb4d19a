package race

import (
	"fmt"
	"math"
	"time"

	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/game"
)

// State is how far a race has come.
type State string

const (
	Waiting State = "waiting" // for more players
	Started State = "started" // the moment of its start is set; results are awaited
	Decided State = "decided" // the ratings have moved, once
	Expired State = "expired" // too few players or no result; ratings are unchanged
)

// Race is a meeting of up to MaxRacers players who play the same mode at the same time.
type Race struct {
	ID        string
	State     State
	Mode      string
	Size      int  // how many players it has room for; 2 to MaxRacers
	Open      bool // whether the queue may bring players
	CreatedAt time.Time
	PairedAt  time.Time // when the second player came to one that waits
	StartsAt  time.Time // zero while it waits
	Until     time.Time // when it ends by itself
	DecidedAt time.Time // when it has ended
	Text      string    // the text that all are given, as play.Bind has it; empty if there is none
	Seats     []Seat
}

// Seat is a player of a race.
type Seat struct {
	Player   string
	SeenAt   time.Time   // of a waiting player: when they last asked; of a playing one: when they last reported progress, if they do
	Progress float64     // 0 to 1, at SeenAt
	Left     bool        // gave up, or was erased
	Score    *game.Score // nil: none yet
	K        float64     // what is at stake for the player; 0 while the race waits

	// Only in a race that is decided.
	Place  int // 1-based; equal scores share one
	Rating RatingChange
}

// RatingChange is what a race did to a rating, unrounded.
type RatingChange struct{ Before, After float64 }

// Seat is the index of a player's seat, or -1.
func (r Race) Seat(player string) int {
	for i, s := range r.Seats {
		if s.Player == player && player != "" {
			return i
		}
	}
	return -1
}

// MaxRacers is the most players of a race.
const MaxRacers = 5

// Lead is how long before a race starts its start is set: so all players have time to ask
// and to learn of it.
const Lead = 3 * time.Second

// Rules are the rules of races. Rules change the ratings of duels, and follow [Duels] in K,
// Start, Scale, Provisional and how far apart players of a queue may be.
type Rules struct {
	Players int           // room of a race of the queue; 2 to MaxRacers
	Wait    time.Duration // from the second player on for others, before it starts; 0 to 10 min
	Invite  time.Duration // a race waits this long for a second player; 1 min to 1 day
	Silent  time.Duration // a player who is not heard of for this long is out; 5 s to 5 min
	Timeout time.Duration // results are awaited this long after the challenge's seconds; 5 s to 1 h
	Keep    time.Duration // a race is known in Redis this long; 2 to 30 days
}

// RulesOf returns the rules of a game, nil if it has no races.
func RulesOf(g *game.Game) *Rules { return game.RulesOf[*Rules](g) }

// DefaultRules are the rules if a game file turns races on and says no more.
func DefaultRules() Rules {
	return Rules{
		Players: MaxRacers, Wait: 15 * time.Second, Invite: 10 * time.Minute, Silent: 15 * time.Second,
		Timeout: time.Minute, Keep: 7 * 24 * time.Hour,
	}
}

// Check reports what is wrong with the rules.
func (r *Rules) Check(g *game.Game, c *game.Checker) {
	if !game.HandsOutPlays(g) {
		c.Add("races", "no mode has plays, which results of races require", "set play: required in a mode, or leave this out")
	}
	c.Within("races.players", float64(r.Players), 2, MaxRacers)
	c.Duration("races.wait", r.Wait, 0, 10*time.Minute)
	c.Duration("races.invite", r.Invite, time.Minute, 24*time.Hour)
	c.Duration("races.silent", r.Silent, 5*time.Second, 5*time.Minute)
	c.Duration("races.timeout", r.Timeout, 5*time.Second, time.Hour)
	c.Duration("races.keep", r.Keep, 2*24*time.Hour, 30*24*time.Hour)
}

// ValidID refuses an id that no race can have. Rules' ids have the form of duels' ids.
func ValidID(id string) error {
	if duel.ValidID(id) != nil {
		return fmt.Errorf("%.140q is not a race's id; use 1 to 128 characters of A-Z, a-z, 0-9, _ . : and -", id)
	}
	return nil
}

// Places are the places of scores, 1-based, in the order of the scores: the best is first,
// and equal ones share a place. Nil is for a player who is out; all of these share the last
// place.
func Places(m *game.Mode, scores []*game.Score) []int {
	places := make([]int, len(scores))
	for i := range scores {
		places[i] = 1
		for j := range scores {
			if ahead(m, scores[j], scores[i]) {
				places[i]++
			}
		}
	}
	return places
}

func ahead(m *game.Mode, a, b *game.Score) bool {
	switch {
	case a == nil || b == nil:
		return a != nil && b == nil
	case m.Order == game.Asc:
		return *a < *b
	}
	return *a > *b
}

// raceGrain: each pair's change of rating is a whole multiple of it. Changes of up to 1,000
// for each of five players are then below 2^53 grains in whatever order they are added, so
// that their sum is exactly zero; and no change is off by more than 2^-41, less than the last
// digits of a rating.
const raceGrain = 1.0 / (1 << 40)

// Changes is what a race does to ratings. Each two players move as in a duel that the
// better placed has won, or that was a draw. What is at stake between them is the average of
// what both have at stake, divided by the number of each player's opponents. So two players
// alone move as in a duel, and all changes add up to exactly zero.
//
// After Elo, The Rating of Chessplayers (1978). The script that decides a race computes the
// same; a test compares the two.
func Changes(d duel.Rules, places []int, ratings, k []float64) []float64 {
	changes := make([]float64, len(places))
	for i := range places {
		for j := i + 1; j < len(places); j++ {
			won := 0.5
			if places[i] != places[j] {
				won = 0
				if places[i] < places[j] {
					won = 1
				}
			}
			expected := 1 / (1 + math.Pow(10, (ratings[j]-ratings[i])/d.Scale))
			stake := (k[i]/2 + k[j]/2) / float64(len(places)-1)
			change := math.Floor(stake*(won-expected)/raceGrain+0.5) * raceGrain
			if d.Decay != nil {
				change = math.Floor(change*game.RatingUnits+0.5) / game.RatingUnits
			}
			changes[i] += change
			changes[j] -= change
		}
	}
	return changes
}

// RecordKey is a hash: everything about one race.
func RecordKey(id string) string { return "race:" + id }

// OpenKey is a sorted set of the races of a mode that the queue may fill, by the rating
// of the players who opened them.
func OpenKey(mode string) string { return "races:open:" + mode }

// DueKey is a sorted set of the races that are not in the history yet, by the
// milliseconds of when their time is over.
const DueKey = "races:due"
