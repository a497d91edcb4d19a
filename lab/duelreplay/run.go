package duelreplay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/framedle/leaderboards/client"
	"github.com/framedle/leaderboards/internal/platform/wait"
	"github.com/framedle/leaderboards/lab/caller"
	"github.com/framedle/leaderboards/lab/model"
)

// attempts is how often a request is sent before the replay gives up. longestPause is the
// longest wait between two attempts.
const (
	attempts     = 60
	firstPause   = 2 * time.Millisecond
	longestPause = time.Second
)

// Options say what to play, and against what.
type Options struct {
	History *History
	Elo     model.Elo
	Calls   *caller.Caller // sends requests signed as a game server
	Workers int            // concurrent requests
	Passes  int            // how often the whole history is played; 1 or more
	// Ratings reads every rating as Redis stores it, by player. If it is nil, only
	// answers and the board, which shows whole points, are checked.
	Ratings  func(context.Context) (map[string]float64, error)
	Progress func(done int)
}

// duelAnswer is the answer to a duel and to its result.
type duelAnswer struct {
	Status  string `json:"status"`
	Ratings map[string]struct {
		Before float64 `json:"before"`
		After  float64 `json:"after"`
		Rank   int64   `json:"rank"`
	} `json:"ratings"`
}

// replay is one run.
type replay struct {
	Options
	answers []string // of the first pass
	done    atomic.Int64
	again   atomic.Int64 // requests that were repeated
	faults  model.Finds
}

// Run plays the history and checks everything. What is wrong in the product is in the
// report. Error: the history could not be played to its end.
func Run(ctx context.Context, o Options) (Report, error) {
	r := &replay{Options: o, answers: make([]string, len(o.History.Matches))}
	began := time.Now()
	for pass := range o.Passes {
		if err := r.pass(ctx, pass); err != nil {
			return Report{}, err
		}
	}
	report := Report{
		Matches: len(o.History.Matches), Teams: len(o.History.Teams), Passes: o.Passes,
		Took: time.Since(began), Repeated: r.again.Load(),
	}
	err := r.check(ctx, &report)
	report.Faults = r.faults.Faults()
	return report, err
}

// pass sends every match as soon as the earlier matches of its two teams are answered.
func (r *replay) pass(ctx context.Context, pass int) error {
	next, waits := successors(r.History)
	ready := make(chan int, len(waits))
	for i, n := range waits {
		if n == 0 {
			ready <- i
		}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var left atomic.Int64
	left.Store(int64(len(waits)))
	var wait sync.WaitGroup
	for range r.Workers {
		wait.Go(func() {
			for {
				select {
				case <-ctx.Done():
					return
				case i, ok := <-ready:
					if !ok {
						return
					}
					if err := r.play(ctx, pass, i); err != nil {
						cancel(err)
						return
					}
					for _, n := range next[i] {
						if atomic.AddInt32(&waits[n], -1) == 0 {
							ready <- n
						}
					}
					if left.Add(-1) == 0 {
						close(ready)
					}
				}
			}
		})
	}
	wait.Wait()
	return context.Cause(ctx)
}

// play creates one duel and sends its result.
func (r *replay) play(ctx context.Context, pass, i int) error {
	m := r.History.Matches[i]
	a, b := player(m.Teams[0]), player(m.Teams[1])
	if _, err := r.post(ctx, "/v1/duels", `{"id":"`+m.ID+`","players":["`+a+`","`+b+`"]}`, http.StatusCreated); err != nil {
		return err
	}
	winner := "null"
	switch m.result() {
	case 1:
		winner = `"` + a + `"`
	case 0:
		winner = `"` + b + `"`
	}
	body := `{"winner":` + winner + `,"score":[` + strconv.FormatInt(m.Score[0], 10) + `,` + strconv.FormatInt(m.Score[1], 10) + `]}`
	answer, err := r.post(ctx, "/v1/duels/"+m.ID+"/result", body, http.StatusOK)
	if err != nil {
		return err
	}
	if pass == 0 {
		r.answers[i] = string(answer)
	} else if string(answer) != r.answers[i] {
		r.faults.Add("%s: sent again, it was answered %s after %s", m.ID, answer, r.answers[i])
	}
	r.Progress(int(r.done.Add(1)))
	return nil
}

// post sends a request until it is answered. A request may be repeated when its answer
// was lost.
func (r *replay) post(ctx context.Context, path, body string, want int) ([]byte, error) {
	return r.until(ctx, "POST "+path+" "+body, want, func() (client.Answer, error) {
		return r.Calls.Call(ctx, caller.Server, http.MethodPost, path, []byte(body))
	})
}

func (r *replay) until(ctx context.Context, what string, want int, send func() (client.Answer, error)) ([]byte, error) {
	pause := firstPause
	var last error
	for range attempts {
		answer, err := send()
		switch {
		case err == nil && answer.Status == want:
			return answer.Body, nil
		case err != nil:
			last = err
		case answer.Status < http.StatusInternalServerError && answer.Status != http.StatusTooManyRequests:
			return nil, fmt.Errorf("%s: %s", what, answer.Problem())
		default:
			last = errors.New(answer.Problem().Error())
		}
		r.again.Add(1)
		if err := wait.Sleep(ctx, pause); err != nil {
			return nil, err
		}
		pause = min(2*pause, longestPause)
	}
	return nil, fmt.Errorf("%s: gave up after %d attempts: %w", what, attempts, last)
}

func parseAnswer(text string) (duelAnswer, error) {
	var a duelAnswer
	err := json.Unmarshal([]byte(text), &a)
	return a, err
}
