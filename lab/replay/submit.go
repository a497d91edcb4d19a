package replay

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/framedle/leaderboards/lab/caller"
	"github.com/framedle/leaderboards/lab/model"
)

// submitAnswer is what a submission is answered with.
type submitAnswer struct {
	Player     string  `json:"player"`
	Status     string  `json:"status"`
	Score      int32   `json:"score"`
	Rank       int64   `json:"rank"`
	Total      int64   `json:"total"`
	Percentile float64 `json:"percentile"`
}

// sender sends plays one after another; several work side by side.
type sender struct {
	*replay
	body []byte
}

// submit sends one play and checks its answer against what it can be. Only a
// failure to get an answer is an error.
func (s *sender) submit(ctx context.Context, p play) error {
	s.body = s.appendBody(s.body[:0], p)
	low := s.tally.send(p.tries) + 1
	answer, err := s.Calls.Call(ctx, caller.Server, http.MethodPost, "/v1/scores", s.body)
	if err != nil {
		return fmt.Errorf("POST /v1/scores: %w", err)
	}
	high, players := s.tally.answer(p.tries)
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
		s.found.Add("%s sent %d and was answered: %s", p.id(), p.score(), answer.Body)
	case got.Rank < low || got.Rank > high:
		s.found.Add("%s: the answer's rank is %d, it can only be %d to %d", got.Player, got.Rank, low, high)
	case got.Total < got.Rank:
		s.found.Add("%s: the answer's rank is %d of %d", got.Player, got.Rank, got.Total)
	case !model.IsShare(got.Percentile, got.Total-got.Rank+1, got.Total):
		s.found.Add("%s: the answer's percentile %v does not fit rank %d of %d", got.Player, got.Percentile, got.Rank, got.Total)
	}
	if over := got.Total - players; over > 0 {
		s.high.note(over)
	}
	s.done.Add(1)
	return nil
}

func (s *sender) appendBody(b []byte, p play) []byte {
	b = append(b, `{"mode":"`+daily.Name+`","date":"`...)
	b = append(b, s.date...)
	b = append(b, `","player":"`...)
	b = players.Append(b, int(p.player))
	b = append(b, `","score":`...)
	b = strconv.AppendInt(b, int64(p.score()), 10)
	return append(b, '}')
}

// highTotals are totals that count players who had not been sent. A total may
// be some seconds old, so one that is too low is none of them.
type highTotals struct {
	count, most atomic.Int64
}

func (h *highTotals) note(over int64) {
	h.count.Add(1)
	for most := h.most.Load(); over > most && !h.most.CompareAndSwap(most, over); most = h.most.Load() {
	}
}

// playStep sends the plays of one step, side by side, and returns when all are
// answered.
func (r *replay) playStep(ctx context.Context, plays []play, senders []*sender) error {
	if len(senders) == 1 || len(plays) == 1 {
		for _, p := range plays {
			if err := senders[0].submit(ctx, p); err != nil {
				return err
			}
		}
		return nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	queue := make(chan play, len(plays))
	for _, p := range plays {
		queue <- p
	}
	close(queue)
	var wait sync.WaitGroup
	for _, s := range senders[:min(len(senders), len(plays))] {
		wait.Go(func() {
			for p := range queue {
				if err := s.submit(ctx, p); err != nil {
					cancel(err)
					return
				}
			}
		})
	}
	wait.Wait()
	return context.Cause(ctx)
}
