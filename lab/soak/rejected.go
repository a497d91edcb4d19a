package soak

import (
	"context"
	"encoding/json"
	"math/rand/v2"

	"github.com/framedle/leaderboards/lab/caller"
	"github.com/framedle/leaderboards/lab/model"
)

// refused sends requests that the product must refuse and that must change nothing.
func (r *run) refused(ctx context.Context, n int, rng *rand.Rand) error {
	today := r.Start.AddDays(n)
	for range rng.IntN(4) {
		m := r.model.Rules[rng.IntN(len(r.model.Rules))]
		body := scoreBody{
			Mode: m.Name, Score: json.Number(model.Written(int64(m.Max), m.Decimals)), Date: today.String(),
			Player: r.model.IDs[rng.IntN(len(r.model.IDs))],
		}
		kind := rng.IntN(5)
		key := []string{"Idempotency-Key", r.newKey()}
		switch kind {
		case 0:
			body.Date = today.AddDays(1).String()
		case 1:
			body.Date = today.AddDays(-2 - rng.IntN(30)).String()
		case 2:
			body.Score = json.Number(model.Written(int64(m.Max)+1, m.Decimals))
		case 3:
			body.Score = json.Number(model.Written(int64(m.Min)-1, m.Decimals))
		case 4:
			body.Score += json.Number("." + "0000000"[:m.Decimals] + "1")
			if m.Decimals > 0 {
				body.Score = json.Number("0." + "0000000"[:m.Decimals] + "1")
			}
		}
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		a, err := r.calls.Call(ctx, caller.Server, "POST", "/v1/scores", text, key...)
		if err != nil {
			return err
		}
		if a.Status < 400 || a.Status >= 500 {
			r.wrong("%s was answered %s, and must be refused", text, a.Problem())
		}
		r.report.Refused++
	}
	return nil
}
