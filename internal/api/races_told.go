package api

import (
	"context"

	"github.com/framedle/leaderboards/internal/race"
)

// raceTold is what a submission's answer says of the play's race.
type raceTold struct {
	ID      string `json:"id"`
	Counted bool   `json:"counted"` // false: the race was over, or the player had left it
}

// tellRace tells the race of a play the play's score. It does so together with the write to
// the board, so that a play that is sent again after a crash repeats both. A held score
// counts for no race.
//
// Cost: 3 billed commands in 1 round trip, up to 5 if it decides the race.
func tellRace(ctx context.Context, of *race.Store, s scoreRequest) (*raceTold, error) {
	id := s.play.Race
	if id == "" || of == nil || s.play.Held != "" {
		return nil, nil
	}
	_, err := of.Report(ctx, id, s.sub.Mode.Name, s.sub.Player, s.sub.Score)
	if !race.Final(err) {
		return nil, err
	}
	return &raceTold{ID: id, Counted: err == nil}, nil
}
