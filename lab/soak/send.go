package soak

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/framedle/leaderboards/client"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/wait"
	"github.com/framedle/leaderboards/lab/caller"
	"github.com/framedle/leaderboards/lab/model"
)

// request is a request with one play or more.
type request struct {
	who    caller.As
	single bool
	body   []byte
	key    string
	at     time.Time
	plays  []play
	want   []expected
	// answered says that the product answered the request, so that it has had its effect.
	// Sums must then recognise a repetition.
	answered bool
	// stale says that newer plays may have come since the request was first sent.
	stale bool
}

// expected is the answer that a play must get.
type expected struct {
	status string // "" for a refusal
	stands int64
}

// play is one submission and when it is sent.
type play struct {
	model.Play
	at time.Time
}

// scoreBody is a play as the API takes it.
type scoreBody struct {
	Mode     string      `json:"mode"`
	Score    json.Number `json:"score"`
	Date     string      `json:"date"`
	Player   string      `json:"player,omitempty"`
	Country  string      `json:"country,omitempty"`
	Groups   []string    `json:"groups,omitempty"`
	PlayedAt string      `json:"played_at,omitempty"`
}

func (r *run) body(p play) scoreBody {
	m, who := r.model.Rules[p.Mode], r.people[p.Player]
	return scoreBody{
		Mode: m.Name, Score: json.Number(model.Written(p.Score, m.Decimals)), Date: p.Date.String(),
		Player: who.ID, Country: who.Country, Groups: who.Groups,
	}
}

// resultBody is the answer to one play.
type resultBody struct {
	Player  string          `json:"player"`
	Status  string          `json:"status"`
	Score   json.Number     `json:"score"`
	Rank    int64           `json:"rank"`
	Total   int64           `json:"total"`
	Problem json.RawMessage `json:"problem"`
}

// sendTries bounds how often a request is sent while the product answers that it is
// unavailable.
const sendTries = 20

// send sends a request until it is answered, and compares the answer with the model.
// repeated says that the request has been sent before.
func (r *run) send(ctx context.Context, q *request, repeated bool) error {
	path, more := "/v1/scores/batch", []string{}
	if q.single {
		path = "/v1/scores"
	}
	if q.key != "" {
		more = append(more, "Idempotency-Key", `"`+q.key+`"`)
	}
	for try := 1; ; try++ {
		r.Product.Clock.Set(q.at) // the clock moves with each reading
		a, err := r.calls.Call(ctx, q.who, http.MethodPost, path, q.body, more...)
		if err != nil {
			return err
		}
		results, again, err := q.results(a)
		if err != nil {
			return fmt.Errorf("POST %s %.300s: %w", path, q.body, err)
		}
		if again {
			if try == sendTries {
				return fmt.Errorf("POST %s: still unavailable after %d tries: %s", path, try, a.Problem())
			}
			repeated = true
			if err := wait.Sleep(ctx, 100*time.Millisecond); err != nil {
				return err
			}
			continue
		}
		for i, result := range results {
			if wrong := r.judge(q, i, result, repeated || r.shaky); wrong != "" {
				r.wrong("%s", wrong)
			}
		}
		q.answered = true
		return nil
	}
}

// results reads an answer. again reports that all or a part of the request was answered
// 503, so that it must be sent again.
func (q *request) results(a client.Answer) (results []resultBody, again bool, err error) {
	if a.Status == http.StatusServiceUnavailable {
		return nil, true, nil
	}
	if q.single {
		var one resultBody
		if a.Status >= 300 {
			one.Problem = a.Body
		} else if err := json.Unmarshal(a.Body, &one); err != nil {
			return nil, false, err
		}
		return []resultBody{one}, false, nil
	}
	var all struct {
		Results []resultBody `json:"results"`
	}
	if a.Status != http.StatusOK {
		return nil, false, errors.New(a.Problem().Error())
	}
	if err := json.Unmarshal(a.Body, &all); err != nil {
		return nil, false, err
	}
	if len(all.Results) != len(q.plays) {
		return nil, false, fmt.Errorf("%d results for %d plays", len(all.Results), len(q.plays))
	}
	for _, one := range all.Results {
		var problem struct{ Status int }
		if one.Problem != nil && json.Unmarshal(one.Problem, &problem) == nil && problem.Status == http.StatusServiceUnavailable {
			return nil, true, nil
		}
	}
	return all.Results, false, nil
}

// judge compares one result with what the model expects, and returns what is wrong, or
// "".
func (r *run) judge(q *request, i int, got resultBody, repeated bool) string {
	p, want := q.plays[i], q.want[i]
	m := r.model.Rules[p.Mode]
	tell := func(what string) string {
		return fmt.Sprintf("%s on %s, %s sent %s: %s", m.Name, p.Date, r.model.IDs[p.Player], model.Written(p.Score, m.Decimals), what)
	}
	if want.status == "" {
		if got.Problem == nil {
			return tell("taken, and must be refused: the day's total leaves its bounds")
		}
		return ""
	}
	if got.Problem != nil {
		return tell(fmt.Sprintf("refused, and must be %s: %.300s", want.status, got.Problem))
	}
	score, ok := model.Scaled(got.Score.String(), m.Decimals)
	switch {
	case r.amnesia: // Redis does not know what stood before it was lost
	case !ok || score != want.stands && (m.Policy == game.Sum || !q.stale):
		return tell(fmt.Sprintf("%s stands, %s must", got.Score, model.Written(want.stands, m.Decimals)))
	case got.Status != want.status && !repeated:
		return tell(fmt.Sprintf("answered %q, must be %q", got.Status, want.status))
	case repeated && q.answered && !r.shaky && m.Policy == game.Sum && got.Status != "replayed":
		return tell(fmt.Sprintf("sent again and answered %q, must be replayed", got.Status))
	case got.Total < got.Rank:
		return tell(fmt.Sprintf("rank %d of %d", got.Rank, got.Total))
	}
	return ""
}
