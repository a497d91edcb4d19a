package race

import (
	"encoding/json"
	"math"
	"net/http"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/respond"
)

// progressAnswer is the progress of the players of a race, as far as this process knows.
type progressAnswer struct {
	ID       string             `json:"id"`
	Now      string             `json:"now"`
	Progress map[string]float64 `json:"progress"`
}

// PostRaceProgress takes a player's progress: POST /v1/races/{id}/progress. It counts only
// requests that cost commands: clients may send progress four times a second.
func (a Endpoints) PostRaceProgress(w http.ResponseWriter, r *gate.Request) error {
	id, err := pathRace(r)
	if err != nil {
		return err
	}
	f := decode.Open(r.Sent, "")
	progress := readProgress(f)
	if err := f.Done(); err != nil {
		return err
	}
	player := r.Caller.Player.ID
	if !a.Races.Knows(id, player) {
		if err := a.mayAsk(w, r); err != nil {
			return err
		}
	}
	of, all, err := a.Races.Progress(r.Context(), id, player, progress)
	if err != nil {
		return err
	}
	answer := progressAnswer{ID: of.ID, Now: a.Now().UTC().Format(respond.Millis), Progress: map[string]float64{}}
	for i, seat := range of.Seats {
		answer.Progress[seat.Player] = all[i]
	}
	return respond.JSON(w, r.Request, http.StatusOK, answer)
}

// readProgress reads a number from 0 to 1, to four decimals: the precision of a progress bar.
func readProgress(f *decode.Object) float64 {
	text, ok := f.Number("progress", decode.Required)
	if !ok {
		return 0
	}
	progress, err := json.Number(text).Float64()
	if err != nil || !(progress >= 0 && progress <= 1) {
		f.Fault("progress", "this must be a number from 0 to 1")
	}
	return math.Round(progress*10_000) / 10_000
}
