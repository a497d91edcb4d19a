package api

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/framedle/leaderboards/internal/api/idempotency"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
)

// scoreAnswer is the answer to a submission.
type scoreAnswer struct {
	Mode      string          `json:"mode"`
	Date      string          `json:"date"`
	Player    string          `json:"player"`
	Status    game.Status     `json:"status"`
	Score     json.RawMessage `json:"score"`
	Values    json.RawMessage `json:"values,omitempty"`
	Submitted json.RawMessage `json:"submitted"`
	// SubmittedValues are the values that Submitted packs.
	SubmittedValues json.RawMessage `json:"submitted_values,omitempty"`
	Rank            int64           `json:"rank,omitempty"`
	Total           int64           `json:"total,omitempty"`
	Percentile      *float64        `json:"percentile,omitempty"`
	Board           string          `json:"board"`
	*playedAnswer
}

func newScoreAnswer(sub game.Submission, o leaderboard.Outcome) scoreAnswer {
	answer := scoreAnswer{
		Mode: sub.Mode.Called(), Date: sub.Date.String(), Player: sub.Player, Status: o.Status,
		Score:     json.RawMessage(sub.Mode.FormatScore(o.Score)),
		Values:    sub.Mode.FormatValues(o.Score),
		Submitted: json.RawMessage(sub.Mode.FormatScore(sub.Score)), SubmittedValues: sub.Mode.FormatValues(sub.Score),
		Rank: o.Rank, Total: o.Total,
		Board: game.BoardKey(sub.Mode.Name, game.Day.Of(sub.Date), game.Scope{}),
	}
	if o.Rank > 0 {
		percentile := game.Percentile(o.Rank, o.Total)
		answer.Percentile = &percentile
	}
	return answer
}

// waitingAnswer answers a submission whose outcome is not known yet.
type waitingAnswer struct {
	Mode      string          `json:"mode"`
	Date      string          `json:"date"`
	Player    string          `json:"player"`
	Status    game.Status     `json:"status"`
	Submitted json.RawMessage `json:"submitted"`
	Values    json.RawMessage `json:"submitted_values,omitempty"`
	View      json.RawMessage `json:"view,omitempty"` // null, if one was asked for
}

func newWaitingAnswer(s scoreRequest, status game.Status) waitingAnswer {
	answer := waitingAnswer{
		Mode: s.sub.Mode.Called(), Date: s.sub.Date.String(), Player: s.sub.Player, Status: status,
		Submitted: json.RawMessage(s.sub.Mode.FormatScore(s.sub.Score)), Values: s.sub.Mode.FormatValues(s.sub.Score),
	}
	if len(s.view) > 0 { // what it would show is not known yet
		answer.View = json.RawMessage("null")
	}
	return answer
}

// heldStatus is the status of a score that an operator has to look at.
const heldStatus game.Status = "held"

// scoreOutcome is the outcome of a score, from which its answer is made. What the game
// determines is left out: names of modes and currencies, and the format of scores.
type scoreOutcome struct {
	leaderboard.Outcome
	submitted game.Score
	played    *playedAnswer // nil: the mode has no plays
	gains     []string      // of the play, in the order of the API's gains
}

// code is the HTTP status.
func (t scoreOutcome) code() int {
	switch t.Status {
	case heldStatus:
		return http.StatusAccepted
	case game.Replayed, game.Kept:
		return http.StatusOK
	}
	return http.StatusCreated
}

func newPlayedAnswer(sub game.Submission, t scoreOutcome) scoreAnswer {
	sub.Score = t.submitted
	answer := newScoreAnswer(sub, t.Outcome)
	answer.playedAnswer = t.played
	return answer
}

// answered makes the answer to a play from what is kept.
func (a scores) answered(s scoreRequest, kept string) (idempotency.Answer, error) {
	outcome, err := parseOutcome(kept)
	if err != nil {
		return idempotency.Answer{}, fmt.Errorf("read the answer to a play: %w", err)
	}
	return a.answer(s, outcome)
}

// answer makes the answer to a play. The first answer and each repeated one are made from the
// same kept text, so they are equal.
func (a scores) answer(s scoreRequest, t scoreOutcome) (answer idempotency.Answer, err error) {
	answer.Status = t.code()
	if t.Status == heldStatus {
		answer.Body, err = json.Marshal(newWaitingAnswer(s, heldStatus))
		return answer, err
	}
	says := respond.With{Answer: newPlayedAnswer(s.sub, t)}
	for i, gain := range a.Gains {
		if i >= len(t.gains) || t.gains[i] == "" {
			continue
		}
		value, err := gain.Show(t.gains[i])
		if err != nil {
			return answer, err
		}
		says.Parts = append(says.Parts, respond.Part{Key: gain.Key(), Value: value})
	}
	answer.Body, err = json.Marshal(says)
	return answer, err
}

// The outcome of a play is kept as words separated by spaces, some 40 bytes: its own, and one
// for each gain. Numbers are decimal, and "-" means a missing part:
//
//	status submitted score rank total xp current,best,freezes,last gain …
const (
	outcomeWords = 7 // without gains
	absent       = "-"
	streakParts  = 4
)

var errOutcome = errors.New("this is not what a play is answered with")

func (t scoreOutcome) text() string {
	words := []string{
		string(t.Status), number(t.submitted), number(t.Score), number(t.Rank), number(t.Total),
		absent, absent,
	}
	if p := t.played; p != nil {
		if p.XP != nil {
			words[5] = number(*p.XP)
		}
		if p.Streak != nil {
			last := absent
			if p.Streak.LastPlayed != nil {
				last = *p.Streak.LastPlayed
			}
			words[6] = fmt.Sprintf("%d,%d,%d,%s", p.Streak.Current, p.Streak.Best, p.Streak.Freezes, last)
		}
	}
	for _, gain := range t.gains {
		words = append(words, cmp.Or(gain, absent))
	}
	return strings.Join(words, " ")
}

func number[N ~int64](n N) string { return strconv.FormatInt(int64(n), 10) }

// parseOutcome is the inverse of text.
func parseOutcome(text string) (t scoreOutcome, err error) {
	words := strings.Split(text, " ")
	if len(words) < outcomeWords {
		return scoreOutcome{}, errOutcome
	}
	r := outcomeReader{}
	t.Status = game.Status(words[0])
	t.submitted, t.Score = game.Score(r.number(words[1])), game.Score(r.number(words[2]))
	t.Rank, t.Total = r.number(words[3]), r.number(words[4])
	t.played = &playedAnswer{Streak: r.streak(words[6])}
	if words[5] != absent {
		xp := r.number(words[5])
		t.played.XP = &xp
	}
	for _, word := range words[outcomeWords:] {
		if word == absent {
			word = ""
		}
		t.gains = append(t.gains, word)
	}
	return t, r.err
}

// outcomeReader reads words, and stops at the first malformed one.
type outcomeReader struct{ err error }

func (r *outcomeReader) number(word string) int64 {
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil {
		r.err = errOutcome
	}
	return n
}

func (r *outcomeReader) streak(word string) *streakAnswer {
	if word == absent {
		return nil
	}
	of := strings.Split(word, ",")
	if len(of) != streakParts {
		r.err = errOutcome
		return nil
	}
	answer := &streakAnswer{Current: int(r.number(of[0])), Best: int(r.number(of[1])), Freezes: int(r.number(of[2]))}
	if of[3] != absent {
		answer.LastPlayed = &of[3]
	}
	return answer
}
