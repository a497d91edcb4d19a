package race

import (
	"context"
	"strconv"
	"strings"

	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/game"
)

// Gain reports the score of a play to the play's race. It does so together with the write to the
// board, so that a play that is sent again after a crash repeats both.
type Gain struct {
	Races *Store // nil: the game has none
}

// raceReported is what the answer to a score says of the play's race.
type raceReported struct {
	ID      string `json:"id"`
	Counted bool   `json:"counted"` // false: the race was over, or the player had left it
}

// Key implements [api.Gain].
func (Gain) Key() string { return "race" }

// Of is "r1,true".
//
// Cost: 3 billed commands in 1 round trip, up to 5 if it decides the race; none for a play of
// no race.
func (g Gain) Of(ctx context.Context, sub game.Submission, p api.Play) (string, error) {
	if p.Race == "" || g.Races == nil {
		return "", nil
	}
	_, err := g.Races.Report(ctx, p.Race, sub.Mode.Name, sub.Player, sub.Score)
	if !Final(err) {
		return "", err
	}
	return p.Race + "," + strconv.FormatBool(err == nil), nil
}

// Show is the race, and whether the score counts in it.
func (Gain) Show(text string) (any, error) {
	id, counted, _ := strings.Cut(text, ",")
	return raceReported{ID: id, Counted: counted == "true"}, nil
}
