package api

import (
	"context"
	"net/http"
	"slices"
	"strconv"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/game"
)

// maxScores is how many scores one batch may hold.
const maxScores = 1000

// batchAnswer holds one result or problem for each score of a batch, in order.
type batchAnswer struct {
	Results []any `json:"results"`
}

type failedScore struct {
	Problem *problem.Problem `json:"problem"`
}

// postScores takes up to a thousand scores: POST /v1/scores/batch.
func (a scores) postScores(w http.ResponseWriter, r *gate.Request) error {
	f := decode.Open(r.Sent, "")
	items := f.Items("scores", maxScores)
	if err := f.Done(); err != nil {
		return err
	}
	now := a.Now()
	answer := batchAnswer{Results: make([]any, len(items))}
	var subs []game.Submission
	var places []int
	for i, item := range items {
		read, err := a.reader.ReadScore(item, Sender{Caller: r.Caller, Now: now})
		sub := read.Submission
		if err == nil && sub.Mode.Policy == game.Sum {
			sub.Idempotency, err = recordOfSum(r, sub.Mode, itemKey(r.Key, i), item)
		}
		if err != nil {
			answer.Results[i] = a.failed(r, err)
			continue
		}
		subs = append(subs, sub)
		places = append(places, i)
	}
	if len(subs) == 0 {
		return respond.JSON(w, r.Request, http.StatusOK, answer)
	}
	if _, err := a.Gate.CountScore(w, r); err != nil {
		return err
	}
	k := r.Record()
	isSum := func(s game.Submission) bool { return s.Mode.Policy == game.Sum }
	if slices.ContainsFunc(subs, isSum) {
		k = game.IdempotencyRecord{} // sums keep their own records, written in the same step as the score
	}
	return a.Gate.AnswerOnce(w, r, k, func(ctx context.Context) (int, any, bool, error) {
		partial := false
		sent := a.Beside(subs...)
		outcomes := a.Boards.SubmitBatch(ctx, subs)
		sent()
		for n, outcome := range outcomes {
			if outcome.Err != nil {
				failed := a.failed(r, a.dayProblem(outcome.Err, subs[n], now))
				partial = partial || failed.Problem.Status >= http.StatusInternalServerError
				answer.Results[places[n]] = failed
				continue
			}
			meterAccepted(ctx, outcome.Outcome)
			answer.Results[places[n]] = newScoreAnswer(subs[n], outcome.Outcome)
		}
		return http.StatusOK, answer, partial, a.allUnavailable(answer.Results)
	})
}

// allUnavailable turns a batch of which no score could be stored into one 503, so that a
// client simply sends the whole batch again.
func (a scores) allUnavailable(results []any) error {
	var last *problem.Problem
	for _, result := range results {
		failed, ok := result.(failedScore)
		if !ok || failed.Problem.Status != http.StatusServiceUnavailable {
			return nil
		}
		last = failed.Problem
	}
	if last == nil {
		return nil
	}
	return last
}

func (a scores) failed(r *gate.Request, err error) failedScore {
	p := *problem.Of(err)
	p.Instance = r.Header.Get(respond.RequestID)
	return failedScore{&p}
}

// itemKey is the key of one item of a batch.
func itemKey(key string, item int) string {
	if key == "" {
		return ""
	}
	return key + "#" + strconv.Itoa(item)
}
