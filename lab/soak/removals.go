package soak

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"net/url"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/lab/model"
)

// removals plays the operator, who removes some scores, and now and then erases a player.
// It sends each request twice, since the second one must change nothing.
func (r *run) removals(ctx context.Context, n int, rng *rand.Rand) error {
	r.stirred = true
	r.pending = nil // a repeated play would bring the score back
	for range 1 + rng.IntN(4) {
		mode, d := rng.IntN(len(r.model.Rules)), r.Start.AddDays(rng.IntN(n+1))
		rows := r.model.Rows(model.Board{Mode: mode, Period: game.Day.Of(d)})
		if len(rows) == 0 {
			continue
		}
		player := rows[rng.IntN(len(rows))].Player
		body, err := json.Marshal(map[string]string{
			"mode": r.model.Rules[mode].Name, "date": d.String(), "player": r.model.IDs[player],
		})
		if err != nil {
			return err
		}
		if err := r.twice(ctx, "/v1/ops/scores", body); err != nil {
			return err
		}
		r.model.Remove(mode, d, player)
	}
	if player := int32(rng.IntN(len(r.model.IDs))); rng.IntN(4) == 0 && !r.model.Retired[player] {
		r.model.Erase(player)
		return r.twice(ctx, "/v1/ops/players/"+url.PathEscape(r.model.IDs[player]), nil)
	}
	return nil
}

func (r *run) twice(ctx context.Context, path string, body []byte) error {
	for range 2 {
		a, err := r.calls.Call(ctx, r.calls.operator(), http.MethodDelete, path, body)
		if err != nil {
			return err
		}
		if a.Status >= 300 {
			r.wrong("DELETE %s %s: %s", path, body, a.Problem())
		}
	}
	return nil
}
