package api

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/limit"
)

// maxScores is how many scores one batch may hold.
const maxScores = 1000

// scoreAnswer is what a submission is answered with.
type scoreAnswer struct {
	Mode       string          `json:"mode"`
	Date       string          `json:"date"`
	Player     string          `json:"player"`
	Status     board.Status    `json:"status"`
	Score      json.RawMessage `json:"score"`
	Submitted  json.RawMessage `json:"submitted"`
	Rank       int64           `json:"rank,omitempty"`
	Total      int64           `json:"total,omitempty"`
	Percentile *float64        `json:"percentile,omitempty"`
	Board      string          `json:"board"`
}

func (a *API) scoreAnswer(sub board.Submission, o board.Outcome) scoreAnswer {
	answer := scoreAnswer{
		Mode: sub.Mode.Called(), Date: sub.Date.String(), Player: sub.Player, Status: o.Status,
		Score:     json.RawMessage(sub.Mode.FormatScore(o.Score)),
		Submitted: json.RawMessage(sub.Mode.FormatScore(sub.Score)),
		Rank:      o.Rank, Total: o.Total,
		Board: a.Store.Board(sub.Mode, game.Day.Of(sub.Date), game.Scope{}).Key,
	}
	if o.Rank > 0 {
		percentile := game.Percentile(o.Rank, o.Total)
		answer.Percentile = &percentile
	}
	return answer
}

// scoreRequest is a request for one score that has passed every check.
type scoreRequest struct {
	caller
	sub   board.Submission
	key   string // its idempotency key; empty: none
	body  []byte
	taken limit.Decision
	now   time.Time
}

// readScore reads and checks a request for one score, and counts it.
func (a *API) readScore(w http.ResponseWriter, r *http.Request) (s scoreRequest, err error) {
	if s.body, err = readBody(w, r, maxBody); err != nil {
		return s, err
	}
	if s.caller, err = a.authenticateBy(r, s.body, a.authenticateAnyone); err != nil {
		return s, err
	}
	if s.key, err = idempotencyKey(r.Header); err != nil {
		return s, err
	}
	s.now = a.Now()
	by := submitter{caller: s.caller, now: s.now}
	if a.Groups != nil && !s.isDevice() {
		by.belongs = func(groups []string) (bool, error) { return a.Groups.Has(r.Context(), s.player.ID, groups) }
	}
	if !s.isServer() {
		by.header = r.Header // where a game server stands says nothing of its players
	}
	if s.sub, err = a.readSubmission(s.body, "", by); err != nil {
		return s, err
	}
	if s.sub.Once, err = once(s.sub.Mode, s.caller, "POST /v1/scores", s.key, s.body); err != nil {
		return s, err
	}
	if s.taken, err = a.takeSubmit(w, r, s.caller, s.sub); err != nil {
		return s, err
	}
	return s, a.checkDevice(r.Context(), s.caller)
}

// postScore takes one score: POST /v1/scores.
func (a *API) postScore(w http.ResponseWriter, r *http.Request) error {
	s, err := a.readScore(w, r)
	if err != nil {
		return err
	}
	var k keyed // a sum keeps its own record, in the same step as its effect
	if s.sub.Mode.Policy != game.Sum {
		k = newKeyed(s.caller, "POST /v1/scores", s.key, s.body)
	}
	return a.answerOnce(w, r, k, func(ctx context.Context) (int, any, bool, error) {
		outcome, err := a.Store.Submit(ctx, s.sub)
		if err != nil {
			return 0, nil, false, a.dayProblem(err, s.sub, s.now)
		}
		a.settleSubmit(s.caller, s.taken, s.sub, outcome)
		meterAccepted(ctx, outcome)
		status := http.StatusCreated
		switch outcome.Status {
		case board.Replayed:
			w.Header().Set("Idempotency-Replayed", "true")
			status = http.StatusOK
		case board.Kept:
			status = http.StatusOK
		}
		return status, a.scoreAnswer(s.sub, outcome), false, nil
	})
}

// dayProblem turns a day that is past writing into the answer that names it.
func (a *API) dayProblem(err error, sub board.Submission, now time.Time) error {
	if err == board.ErrDayGone {
		return a.closedDate(sub.Date, now, "too old: its board is past changing")
	}
	return err
}

// batchAnswer holds one result or problem for each score of a batch, in order.
type batchAnswer struct {
	Results []any `json:"results"`
}

type failedScore struct {
	Problem *problem `json:"problem"`
}

// postScores takes up to a thousand scores: POST /v1/scores/batch.
func (a *API) postScores(w http.ResponseWriter, r *http.Request) error {
	body, err := readBody(w, r, maxBatch)
	if err != nil {
		return err
	}
	who, err := a.authenticate(r, body)
	if err != nil {
		return err
	}
	if !who.isServer() {
		return forbidden("only a game server may send a batch; sign the request (" + signatureHeader + ")")
	}
	key, err := idempotencyKey(r.Header)
	if err != nil {
		return err
	}
	items, err := readBatch(body)
	if err != nil {
		return err
	}
	now := a.Now()
	answer := batchAnswer{Results: make([]any, len(items))}
	var subs []board.Submission
	var places []int
	for i, item := range items {
		sub, err := a.readSubmission(item, "", submitter{caller: who, now: now})
		if err == nil {
			sub.Once, err = once(sub.Mode, who, "POST /v1/scores/batch", itemKey(key, i), item)
		}
		if err != nil {
			answer.Results[i] = a.failed(r, err)
			continue
		}
		subs = append(subs, sub)
		places = append(places, i)
	}
	if len(subs) == 0 {
		return writeJSON(w, r, http.StatusOK, "no-store", answer)
	}
	if _, err := a.takeSubmit(w, r, who, board.Submission{}); err != nil {
		return err
	}
	k := newKeyed(who, "POST /v1/scores/batch", key, body)
	isSum := func(s board.Submission) bool { return s.Mode.Policy == game.Sum }
	if slices.ContainsFunc(subs, isSum) {
		k = keyed{} // sums keep their own records, in the same step as their effect
	}
	return a.answerOnce(w, r, k, func(ctx context.Context) (int, any, bool, error) {
		partial := false
		for n, outcome := range a.Store.SubmitBatch(ctx, subs) {
			if outcome.Err != nil {
				failed := a.failed(r, a.dayProblem(outcome.Err, subs[n], now))
				partial = partial || failed.Problem.Status >= http.StatusInternalServerError
				answer.Results[places[n]] = failed
				continue
			}
			meterAccepted(ctx, outcome.Outcome)
			answer.Results[places[n]] = a.scoreAnswer(subs[n], outcome.Outcome)
		}
		return http.StatusOK, answer, partial, a.allUnavailable(answer.Results)
	})
}

// allUnavailable turns a batch of which nothing could be stored into one 503,
// so that a client simply sends it again.
func (a *API) allUnavailable(results []any) error {
	var last *problem
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

func (a *API) failed(r *http.Request, err error) failedScore {
	p := *toProblem(err)
	p.complete(r)
	return failedScore{&p}
}

func readBatch(body []byte) ([]json.RawMessage, error) {
	f := object(body, "")
	var items []json.RawMessage
	if raw, ok := f.take("scores", true); ok {
		switch {
		case json.Unmarshal(raw, &items) != nil:
			f.fault("scores", "this must be an array")
		case len(items) == 0:
			f.fault("scores", "this is empty; send 1 to 1000 scores")
		case len(items) > maxScores:
			f.fault("scores", "these are more than 1000 scores; send them in several batches")
		}
	}
	return items, f.done()
}

func forbidden(detail string) *problem {
	return &problem{Status: http.StatusForbidden, kind: "forbidden", Detail: detail}
}
