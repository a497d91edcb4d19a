package client

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// MaxBatch is the largest number of scores in a batch, which is also limited to 1 MiB.
const MaxBatch = 1000

// The statuses of a score.
const (
	Accepted = "accepted" // the first entry of the day
	Improved = "improved" // the entry changed
	Kept     = "kept"     // an earlier entry remains
	Replayed = "replayed" // policy sum: counted before, under the same key
	Queued   = "queued"   // it will be written within the deployment's batch window
	Held     = "held"     // waits until an operator lets it pass
)

// Submission is one score of one player.
type Submission struct {
	Mode   string `json:"mode"`
	Player string `json:"player,omitempty"`
	// Score is exact: every score that a game can have has at most 15 digits, which a float64
	// keeps. It is not sent if there are Values.
	Score float64 `json:"score"`
	// Values are sent instead of Score, to a mode that ranks by several.
	Values Values `json:"values,omitempty"`
	Date   string `json:"date,omitempty"` // YYYY-MM-DD of the puzzle; "" for the current one
	// Country is an ISO 3166-1 alpha-2 code, such as BR.
	Country string   `json:"country,omitempty"`
	Groups  []string `json:"groups,omitempty"`  // at most 8
	Level   int      `json:"level,omitempty"`   // the level played, in modes with levels
	Details any      `json:"details,omitempty"` // up to 2 KiB of JSON, shown on the card of the day
	// Play is the token of a [Play], in modes that ask for one. Elapsed is how long the play
	// took, in milliseconds, if known. Proof takes the place of Score if the mode computes
	// scores itself. Not in a batch.
	Play    string `json:"play,omitempty"`
	Elapsed int64  `json:"elapsed,omitempty"`
	Proof   any    `json:"proof,omitempty"`
	// View asks for parts of a result screen in the same answer: page, around, friends, week,
	// me. Not in a batch.
	View []string `json:"view,omitempty"`
	// PlayedAt decides the order of equal scores. Only the operator's import may set it.
	PlayedAt time.Time `json:"played_at,omitzero"`
	// IdempotencyKey makes retries count once, even beyond this call: the same key with the
	// same submission, for 24 hours. "" makes a new key; see [NoKey]. In a batch only the
	// batch's own key counts.
	IdempotencyKey string `json:"-"`
}

// MarshalJSON makes the body of a request: with Score, with Values or with Proof.
func (s Submission) MarshalJSON() ([]byte, error) {
	type body Submission
	if len(s.Values) == 0 && s.Proof == nil {
		return json.Marshal(body(s))
	}
	return json.Marshal(struct {
		body
		Score *float64 `json:"score,omitempty"` // replaces the embedded one
	}{body: body(s)})
}

// Result is the result of submitting a score.
type Result struct {
	Mode            string  `json:"mode"`
	Date            string  `json:"date"`
	Player          string  `json:"player"`
	Status          string  `json:"status"`           // Accepted, Improved, Kept, Replayed, Queued or Held
	Score           float64 `json:"score"`            // the current score; unknown with Queued
	Values          Values  `json:"values"`           // those of Score
	Submitted       float64 `json:"submitted"`        // the score that was sent
	SubmittedValues Values  `json:"submitted_values"` // those of Submitted
	Rank            int64   `json:"rank"`             // 1 is the best; 0: not in the answer
	// Total and Percentile (the share of players at or below) may be 10 s old.
	Total      int64   `json:"total"`
	Percentile float64 `json:"percentile"`
	Board      string  `json:"board"`
	// XP, Streak and Earned are in answers of modes with plays: the XP that the day gives by
	// the current score, the streak including this day, and what the play earned, by
	// currency.
	XP     int64            `json:"xp"`
	Streak *Streak          `json:"streak"`
	Earned map[string]int64 `json:"earned"`
	Race   *RaceCount       `json:"race"` // nil: the play belongs to no race
	View   *View            `json:"view"` // nil if not asked for, and while a score is queued
}

// RaceCount is a race that a play belongs to.
type RaceCount struct {
	ID      string `json:"id"`
	Counted bool   `json:"counted"` // false: the race was over, or the player had left it
}

// Submit sends one score. It costs 2 Redis commands, and 2 more for its key; a batch pays for
// one key.
func (c *Client) Submit(ctx context.Context, s Submission) (Result, error) {
	header, err := keyed(s.IdempotencyKey)
	if err != nil {
		return Result{}, err
	}
	body, err := json.Marshal(s)
	if err != nil {
		return Result{}, fmt.Errorf("the submission of %s: %w", s.Player, err)
	}
	var result Result
	err = c.sendUntil(ctx, Request{Method: http.MethodPost, Path: "/v1/scores", Header: header, Body: body}, func(a Answer) (*Problem, error) {
		result = Result{}
		if err := json.Unmarshal(a.Body, &result); err != nil {
			return nil, err
		}
		return nil, result.check()
	})
	if err != nil {
		return Result{}, err
	}
	return result, nil
}

func (r *Result) check() error {
	switch r.Status {
	case Accepted, Improved, Kept, Replayed, Queued, Held:
		return nil
	}
	return fmt.Errorf("the status %.40q of a score is unknown", r.Status)
}

// Batch is up to [MaxBatch] scores in one request.
type Batch struct {
	Scores []Submission
	// IdempotencyKey is the key of the whole batch, as in [Submission]: each retry must have
	// the same scores in the same order.
	IdempotencyKey string
}

// BatchResult is the result of one score of a batch: either a Result or a Problem.
type BatchResult struct {
	Result
	Problem *Problem `json:"problem"`
}

// SubmitBatch sends scores together, for hardly more Redis commands than one score, and
// returns a result for each, in order. A refused score does not affect the others and is no
// error here. If some scores could not be stored, it sends the whole batch again, which does
// not change the others. A problem that remains after the last attempt has
// [Problem.RetryAfter]; the batch may then be sent again under the same key.
func (c *Client) SubmitBatch(ctx context.Context, b Batch) ([]BatchResult, error) {
	if len(b.Scores) == 0 || len(b.Scores) > MaxBatch {
		return nil, fmt.Errorf("a batch of %d scores: use 1 to %d", len(b.Scores), MaxBatch)
	}
	header, err := keyed(b.IdempotencyKey)
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(struct {
		Scores []Submission `json:"scores"`
	}{b.Scores})
	if err != nil {
		return nil, fmt.Errorf("the batch: %w", err)
	}
	var results []BatchResult
	r := Request{Method: http.MethodPost, Path: "/v1/scores/batch", Header: header, Body: body}
	err = c.sendUntil(ctx, r, func(a Answer) (*Problem, error) {
		var said struct {
			Results []BatchResult `json:"results"`
		}
		if err := json.Unmarshal(a.Body, &said); err != nil {
			return nil, err
		}
		if len(said.Results) != len(b.Scores) {
			return nil, fmt.Errorf("%d scores were answered with %d results", len(b.Scores), len(said.Results))
		}
		joined, waits, err := join(results, said.Results, a.RetryAfter())
		if err == nil {
			results = joined
		}
		return waits, err
	})
	if results != nil {
		return results, nil // scores that wait have a Problem
	}
	return nil, err
}

// join merges the results of an attempt into those of earlier attempts, and returns the
// problem of a score that waits. The first accepting result counts: a score that the first
// attempt brought in is "accepted", not "kept".
func join(before, now []BatchResult, after time.Duration) ([]BatchResult, *Problem, error) {
	if before == nil {
		before = make([]BatchResult, len(now))
	}
	var waits *Problem
	for i, r := range now {
		if before[i].Status != "" {
			continue
		}
		if p := r.Problem; p != nil {
			p.Title, p.Detail = oneLine(p.Title), oneLine(p.Detail)
			if p.passes() {
				p.RetryAfter, waits = after, p
			}
		} else if err := r.check(); err != nil {
			return nil, nil, err
		}
		before[i] = r
	}
	return before, waits, nil
}

// Values are the values of a score in a mode that ranks by several, by name: wpm and accuracy,
// for instance. The score itself is a whole number into which they are packed; it has the same
// order. nil in modes that rank by one number.
type Values map[string]float64

// Value is one of the values that a mode ranks by.
type Value struct {
	Name     string  `json:"name"`
	Decimals int     `json:"decimals"`
	Min      float64 `json:"min"`
	Max      float64 `json:"max"`
	Order    string  `json:"order"` // desc: the highest leads; asc
}

// Format formats a score for people: "92.5 wpm, 98.2 accuracy", or only the number if the mode
// ranks by one.
func (m Mode) Format(score float64, values Values) string {
	if len(m.Values) == 0 || values == nil {
		return strconv.FormatFloat(score, 'f', -1, 64)
	}
	shown := make([]string, len(m.Values))
	for i, v := range m.Values {
		shown[i] = strconv.FormatFloat(values[v.Name], 'f', -1, 64) + " " + v.Name
	}
	return strings.Join(shown, ", ")
}

// Compare returns a number below 0 if a leads b, above 0 if b leads a, and 0 if the earlier
// one leads.
func (m Mode) Compare(a, b Values) int {
	for _, v := range m.Values {
		if c := cmp.Compare(b[v.Name], a[v.Name]); c != 0 {
			if v.Order == "asc" {
				return -c
			}
			return c
		}
	}
	return 0
}

// View is the parts that a submission asked for: each as its own route answers it, including
// the new score. A part that could not be read is nil, and Problems says why; the score counts
// all the same.
type View struct {
	Page     *Page               `json:"page"` // the top 100 of the score's day
	Around   *Around             `json:"around"`
	Friends  *Page               `json:"friends"` // all of it, without a cursor
	Week     *Card               `json:"week"`
	Me       *OwnStanding        `json:"me"`
	Problems map[string]*Problem `json:"problems"` // by the name of the part
}

// OwnStanding is a player's XP, level, streak and ranks of today.
type OwnStanding struct {
	Player      string       `json:"player"`
	XP          int64        `json:"xp"` // 0, as are Level and NextLevelXP, if the game has no XP
	Level       int64        `json:"level"`
	NextLevelXP int64        `json:"next_level_xp"` // the XP at which the next level begins
	XPRank      *int64       `json:"xp_rank"`       // nil: not on the board of XP yet
	Streak      *Streak      `json:"streak"`        // nil: the game has no streaks
	Today       []TodaysRank `json:"today"`
}

// TodaysRank is the rank in a mode that was played on a date that has not ended.
type TodaysRank struct {
	Mode   string  `json:"mode"`
	Date   string  `json:"date"`
	Rank   int64   `json:"rank"`
	Score  float64 `json:"score"`
	Values Values  `json:"values"`
}
