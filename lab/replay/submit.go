package replay

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync/atomic"

	"github.com/framedle/leaderboards/lab/caller"
	"github.com/framedle/leaderboards/lab/model"
)

// submitAnswer is the answer to a submission.
type submitAnswer struct {
	Player     string  `json:"player"`
	Status     string  `json:"status"`
	Score      int32   `json:"score"`
	Rank       int64   `json:"rank"`
	Total      int64   `json:"total"`
	Percentile float64 `json:"percentile"`
}

// submit sends one play and checks that the answer is possible. Error: the play got no
// answer.
func (r *replay) submit(ctx context.Context, p play) error {
	low := r.tally.send(p.tries) + 1
	answer, err := r.Calls.Call(ctx, caller.Server, http.MethodPost, "/v1/scores", r.body(p))
	if err != nil {
		return fmt.Errorf("POST /v1/scores: %w", err)
	}
	high, players := r.tally.answer(p.tries)
	high++
	if answer.Status != http.StatusCreated {
		return fmt.Errorf("POST /v1/scores for %s: %s", p.id(), answer.Problem())
	}
	var got submitAnswer
	if err := json.Unmarshal(answer.Body, &got); err != nil {
		return fmt.Errorf("POST /v1/scores: the answer cannot be read: %w", err)
	}
	switch {
	case got.Player != p.id() || got.Status != "accepted" || got.Score != p.score():
		r.found.Add("%s sent %d and was answered: %s", p.id(), p.score(), answer.Body)
	case got.Rank < low || got.Rank > high:
		r.found.Add("%s: the answer's rank is %d, it can only be %d to %d", got.Player, got.Rank, low, high)
	case got.Total < got.Rank:
		r.found.Add("%s: the answer's rank is %d of %d", got.Player, got.Rank, got.Total)
	case !model.IsShare(got.Percentile, got.Total-got.Rank+1, got.Total):
		r.found.Add("%s: the answer's percentile %v does not fit rank %d of %d", got.Player, got.Percentile, got.Rank, got.Total)
	}
	if over := got.Total - players; over > 0 {
		r.high.note(over)
	}
	r.done.Add(1)
	return nil
}

func (r *replay) body(p play) []byte {
	return fmt.Appendf(nil, `{"mode":%q,"date":%q,"player":%q,"score":%d}`, daily.Name, r.date, p.id(), p.score())
}

// highTotals counts the totals that include players who had not been sent yet. It ignores
// totals that are too low, since a total may be some seconds old.
type highTotals struct {
	count, most atomic.Int64
}

func (h *highTotals) note(over int64) {
	h.count.Add(1)
	for most := h.most.Load(); over > most && !h.most.CompareAndSwap(most, over); most = h.most.Load() {
	}
}

// playStep sends the plays of one step concurrently, and returns when all are answered.
func (r *replay) playStep(ctx context.Context, plays []play) error {
	tasks := make([]func(context.Context) error, len(plays))
	for i, p := range plays {
		tasks[i] = func(ctx context.Context) error { return r.submit(ctx, p) }
	}
	return caller.Together(ctx, r.Workers, tasks)
}
